/*
 * Registers by number (cpu/architecture.h) and by name, for debuggers, the shell and annotations.
 */
#ifndef SIMOS_CPU_PRIVILEGED_REGISTER_ACCESS_H
#define SIMOS_CPU_PRIVILEGED_REGISTER_ACCESS_H

#include "cpu/core.h"

/* Size of register NUMBER in bytes, 4 or 8. */
unsigned register_bytes(unsigned number);

/* Register NUMBER of S, as it is stored: Count and others may have advanced since. ARCHITECTURE: S's. */
uint64_t register_stored(const struct architecture *architecture, const struct cpu *s, unsigned number);
/* Store VALUE there, without further effects. $zero and FIR stay as they are. */
void register_store(struct cpu *s, unsigned number, uint64_t value);
/* The bits of register NUMBER that a debugger can write: as by mtc0 and ctc1, except that BadVAddr is written too. The
 * others follow from what the machine does. */
uint64_t register_writable(const struct architecture *architecture, unsigned number);

/* Register NUMBER of CORE, between runs: CP0 registers as mfc0 reads them. */
uint64_t register_read(struct core *core, unsigned number);
/* Write VALUE, between runs: CP0 registers as mtc0 does, others in the bits that can be written. A new PC is in no
 * delay slot, and its hooks are called. */
void register_write(struct core *core, unsigned number, uint64_t value);

/* The floating-point register FPR of CORE as wide as Status.FR makes it: a number from REGISTER_SINGLE or
 * REGISTER_DOUBLE on. */
unsigned register_of_fpr(const struct core *core, unsigned fpr);

/* The name of register NUMBER: the o32 name of a general register, "pc", "hi", "lo", "fcsr", "f0" ... (with the numbers
 * from REGISTER_SINGLE on), that of the processor's manual for one of CP0. NULL: none. */
const char *register_name(const struct architecture *architecture, unsigned number);
/* The register of that name, without regard to case; also "$4", "r4" and "4". -1: none. */
int register_find(const struct architecture *architecture, const char *name);

#endif
