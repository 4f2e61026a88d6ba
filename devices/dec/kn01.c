/*
 * CSR (16 bits; Linux: asm/dec/kn01.h):
 *
 *   14 STATUS  13 PARDIS  12 CRSRTST  8 TXDIS     read back what was written
 *   10 MEMERR  a store has failed; writing 1 acknowledges it
 *    9 VINT, 2:0 video voltages                   0: no video
 *    7:0 (W)   diagnostic LEDs
 *
 * Write error address (32 bits, R): the physical address of the store that set MEMERR.
 */
#include "devices/dec/kn01.h"
#include "devices/device_stats.h"
#include "devices/registers.h"
#include <stdlib.h>

enum { CSR_STATUS = 1 << 14, CSR_PARDIS = 1 << 13, CSR_CRSRTST = 1 << 12, CSR_MEMERR = 1 << 10, CSR_TXDIS = 1 << 8 };
enum { CSR_WRITABLE = CSR_STATUS | CSR_PARDIS | CSR_CRSRTST | CSR_TXDIS };

struct kn01 {
    struct physmem *mem;
    struct irq_line irq;
    uint16_t csr; /* with MEMERR */
    uint32_t error_address;
    uint64_t write_errors;
};

static void absent(void *opaque, paddr address, bool stores)
{
    struct kn01 *kn01 = opaque;
    if (!stores)
        return;
    kn01->write_errors++;
    if (!(kn01->csr & CSR_MEMERR))
        kn01->error_address = address;
    kn01->csr |= CSR_MEMERR;
    irq_set(&kn01->irq, true);
}

static uint32_t csr_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct kn01 *kn01 = opaque;
    (void)size;
    (void)cpu;
    return (uint32_t)kn01->csr >> 8 * offset;
}

static void csr_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct kn01 *kn01 = opaque;
    (void)cpu;
    if (size == 1 || offset != 0) /* the register has 16 bits and no byte enables */
        return;
    const uint16_t pending = kn01->csr & ~value & CSR_MEMERR;
    kn01->csr = (uint16_t)((value & CSR_WRITABLE) | pending);
    irq_set(&kn01->irq, pending);
}

static uint32_t error_address_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct kn01 *kn01 = opaque;
    (void)size;
    (void)cpu;
    return kn01->error_address >> 8 * offset;
}

const struct device_ops kn01_csr_ops = {"kn01 csr", csr_read, csr_write};
const struct device_ops kn01_error_address_ops = {"kn01 error address", error_address_read, register_ignore_write};

struct kn01 *kn01_create(struct physmem *mem, struct irq_line irq)
{
    struct kn01 *kn01 = checked_memory(calloc(1, sizeof *kn01));
    kn01->mem = mem;
    kn01->irq = irq;
    mem->absent = absent;
    mem->absent_opaque = kn01;
    return kn01;
}

void kn01_free(struct kn01 *kn01)
{
    if (!kn01)
        return;
    kn01->mem->absent = NULL;
    free(kn01);
}

void kn01_register_stats(const struct kn01 *kn01, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"write_errors", "stores", "to addresses with nothing there", &kn01->write_errors},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct kn01, csr, SAVED_U16, CSR_WRITABLE | CSR_MEMERR),
    SAVED_FIELD(struct kn01, error_address, SAVED_U32),
    SAVED_STATISTIC(struct kn01, write_errors),
};

static bool after_load(void *base, struct err *err)
{
    const struct kn01 *kn01 = base;
    return !(kn01->csr & ~(CSR_WRITABLE | CSR_MEMERR)) || err_set(err, "CSR 0x%x has bits that it has not", kn01->csr);
}

void kn01_register_saved(struct kn01 *kn01, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved,
              &(struct saved_section){.name = "kn01", .version = 1, .base = kn01, SAVED_TABLE(fields), .ops = &ops});
}
