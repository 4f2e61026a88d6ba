/*
 * System registers of the DECstation 3100's board KN01: the control and status register (CSR) and the write error
 * address register (Linux: asm/dec/kn01.h; "DECstation 3100 Desktop Workstation Functional Specification"). The
 * register table is in kn01.c.
 *
 * A load from an address with nothing there is a bus error, whose address is not recorded. A store has left the
 * processor when it fails: it sets CSR.MEMERR, which is the memory interrupt, and its address is held until MEMERR is
 * acknowledged.
 *
 * Not modelled: the video (PCC cursor, colour map, frame buffer), the diagnostic LEDs, memory parity, TXDIS.
 */
#ifndef SIMOS_DEVICES_DEC_KN01_H
#define SIMOS_DEVICES_DEC_KN01_H

#include "devices/irq.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    KN01_CSR_SIZE = 4, /* bytes */
    KN01_ERROR_ADDRESS_SIZE = 4,
};

struct kn01;

/* Registers for physmem_add_device(); opaque is the struct kn01. */
extern const struct device_ops kn01_csr_ops, kn01_error_address_ops;

/* Create the registers, which are told of failing accesses to MEM. IRQ: the memory interrupt. MEM must outlive them.
 * Never NULL. */
struct kn01 *kn01_create(struct physmem *mem, struct irq_line irq);
void kn01_free(struct kn01 *kn01);

/* Register PREFIX.write_errors. */
void kn01_register_stats(const struct kn01 *kn01, struct stats *stats, const char *prefix);

/* Register the saved section "kn01". */
void kn01_register_saved(struct kn01 *kn01, struct saved *saved);

#endif
