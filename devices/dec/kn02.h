/*
 * System registers of the DECstation 5000/200's board KN02: the control and status register (CSR), which is the
 * interrupt controller of the board's devices and of the TURBOchannel, and the error address and check registers
 * (Linux: asm/dec/kn02.h, asm/dec/ecc.h; "DECstation 5000/200 KN02 System Module Functional Specification"). The
 * register table is in kn02.c.
 *
 * A load or store to an address with nothing there times out: the error address register takes what and where, and the
 * memory interrupt is raised, until the register is written. A load is a bus error besides.
 *
 * Not modelled: errors of memory and their correction (the check register is 0), the diagnostic LEDs, TXDIS; a fetch of
 * an instruction that times out is a bus error alone.
 */
#ifndef SIMOS_DEVICES_DEC_KN02_H
#define SIMOS_DEVICES_DEC_KN02_H

#include "devices/irq.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    KN02_INPUTS = 8, /* CSR.IOINT: 7 DZ11, 6 LANCE, 5 SCSI, 2 to 0 TURBOchannel slots */
    KN02_CSR_SIZE = 4,
    KN02_CHECK_SIZE = 4,
    KN02_ERROR_ADDRESS_SIZE = 4,
};

struct kn02;

/* Registers for physmem_add_device(); opaque is the struct kn02. */
extern const struct device_ops kn02_csr_ops, kn02_check_ops, kn02_error_address_ops;

/* Create the registers, which are told of failing accesses to MEM. LARGE_BANKS: of the memory modules, 32 MB instead of
 * 8 MB each. DEVICES: the interrupt of the inputs that CSR enables; MEMORY: that of the error address register. MEM
 * must outlive them. Never NULL. */
struct kn02 *kn02_create(struct physmem *mem, bool large_banks, struct irq_line devices, struct irq_line memory);
void kn02_free(struct kn02 *kn02);

/* Input NUMBER, below KN02_INPUTS, for a device. */
struct irq_line kn02_input(struct kn02 *kn02, unsigned number);

/* Register PREFIX.timeouts. */
void kn02_register_stats(const struct kn02 *kn02, struct stats *stats, const char *prefix);

/* Register the saved section "kn02". */
void kn02_register_saved(struct kn02 *kn02, struct saved *saved);

#endif
