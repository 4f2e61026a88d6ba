/*
 * The state of a machine between runs as text, for the shell and gdb.
 */
#ifndef SIMOS_MACHINE_MACHINE_TEXT_H
#define SIMOS_MACHINE_MACHINE_TEXT_H

#include "src/machine/machine.h"
#include <stdio.h>

/* Mode of CORE: "user", "kernel", "idle", "waiting" or "off". */
const char *machine_text_mode(const struct core *core);

/* ADDRESS of the kernel as SYMBOL or SYMBOL+OFFSET; empty below kseg0 (user programs) and above kseg1 (modules), for
 * which the machine's symbols do not apply. */
void machine_text_symbol(const struct machine *machine, vaddr address, char *text, size_t size);

/* Print the valid entries of CORE's TLB, one per line, below a line of column titles. */
void machine_text_tlb(const struct core *core, FILE *out);

/* Print the statistic NAME with VALUE, unit and description. */
void machine_text_statistic(const struct machine *machine, const char *name, const char *value, FILE *out);

#endif
