/*
 * Registers (32 bits each; Linux: asm/dec/kn02.h, asm/dec/ecc.h):
 *
 *   CSR            27 PSU 0   26 NVRAM 1   24 NRMOD 1   10 BNK32M        (R) jumpers and memory modules
 *                  25 REFEVEN  23:16 IOINTEN  15 DIAGCHK  14 DIAGGEN  13 CORRECT  12 LEDIAG  11 TXDIS  9 DIAGDN
 *                  8 BAUD38                                              read back what was written
 *                  7:0 (R) IOINT the inputs, whether enabled or not      7:0 (W) diagnostic LEDs
 *   check          check bits and syndrome of the last memory error: 0
 *   error address  31 valid   30 by the CPU   29 a store   28 memory error: 0   26:0 physical address / 4
 *                  The first error is held; any write clears the register.
 */
#include "devices/dec/kn02.h"
#include "devices/device_stats.h"
#include "devices/registers.h"
#include <stdlib.h>

enum {
    CSR_NVRAM = 1 << 26,
    CSR_NRMOD = 1 << 24,
    CSR_BNK32M = 1 << 10,
    CSR_IOINTEN_SHIFT = 16,
    CSR_WRITABLE = 1 << 25 | 0xff << CSR_IOINTEN_SHIFT | 0xfb << 8,
};
enum { ERROR_VALID = (int)(1u << 31), ERROR_CPU = 1 << 30, ERROR_STORE = 1 << 29, ERROR_ADDRESS = 0x07ffffff };

struct kn02 {
    struct physmem *mem;
    struct irq_line devices, memory;
    uint32_t jumpers;
    uint32_t csr; /* the writable bits */
    uint8_t inputs;
    uint32_t error_address;
    uint64_t timeouts;
};

static void update_irqs(const struct kn02 *kn02)
{
    irq_set(&kn02->devices, kn02->inputs & kn02->csr >> CSR_IOINTEN_SHIFT & 0xff);
    irq_set(&kn02->memory, kn02->error_address != 0);
}

static void set_input(void *opaque, unsigned line, bool level)
{
    struct kn02 *kn02 = opaque;
    kn02->inputs = (uint8_t)((kn02->inputs & ~(1u << line)) | (unsigned)level << line);
    update_irqs(kn02);
}

struct irq_line kn02_input(struct kn02 *kn02, unsigned number)
{
    return (struct irq_line){.set = set_input, .opaque = kn02, .line = number};
}

static void absent(void *opaque, paddr address, bool stores)
{
    struct kn02 *kn02 = opaque;
    kn02->timeouts++;
    if (kn02->error_address == 0)
        kn02->error_address =
            (uint32_t)ERROR_VALID | ERROR_CPU | (stores ? ERROR_STORE : 0) | (address >> 2 & ERROR_ADDRESS);
    update_irqs(kn02);
}

static uint32_t csr_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct kn02 *kn02 = opaque;
    (void)size;
    (void)cpu;
    return (kn02->jumpers | kn02->csr | kn02->inputs) >> 8 * offset;
}

static void csr_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct kn02 *kn02 = opaque;
    (void)offset;
    (void)cpu;
    if (size != 4) /* the register has no byte enables */
        return;
    kn02->csr = value & CSR_WRITABLE;
    update_irqs(kn02);
}

static uint32_t check_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    (void)opaque;
    (void)offset;
    (void)size;
    (void)cpu;
    return 0;
}

static uint32_t error_address_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    const struct kn02 *kn02 = opaque;
    (void)size;
    (void)cpu;
    return kn02->error_address >> 8 * offset;
}

static void error_address_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct kn02 *kn02 = opaque;
    (void)offset;
    (void)size;
    (void)value;
    (void)cpu;
    kn02->error_address = 0;
    update_irqs(kn02);
}

const struct device_ops kn02_csr_ops = {"kn02 csr", csr_read, csr_write};
const struct device_ops kn02_check_ops = {"kn02 check", check_read, register_ignore_write};
const struct device_ops kn02_error_address_ops = {"kn02 error address", error_address_read, error_address_write};

struct kn02 *kn02_create(struct physmem *mem, bool large_banks, struct irq_line devices, struct irq_line memory)
{
    struct kn02 *kn02 = checked_memory(calloc(1, sizeof *kn02));
    kn02->mem = mem;
    kn02->devices = devices;
    kn02->memory = memory;
    kn02->jumpers = CSR_NVRAM | CSR_NRMOD | (large_banks ? CSR_BNK32M : 0);
    mem->absent = absent;
    mem->absent_opaque = kn02;
    return kn02;
}

void kn02_free(struct kn02 *kn02)
{
    if (!kn02)
        return;
    kn02->mem->absent = NULL;
    free(kn02);
}

void kn02_register_stats(const struct kn02 *kn02, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"timeouts", "accesses", "to addresses with nothing there", &kn02->timeouts},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct kn02, csr, SAVED_U32),
    SAVED_FIELD(struct kn02, inputs, SAVED_U8),
    SAVED_FIELD(struct kn02, error_address, SAVED_U32),
    SAVED_STATISTIC(struct kn02, timeouts),
};

static bool after_load(void *base, struct err *err)
{
    const struct kn02 *kn02 = base;
    return !(kn02->csr & ~CSR_WRITABLE) || err_set(err, "CSR 0x%x has bits that it has not", kn02->csr);
}

void kn02_register_saved(struct kn02 *kn02, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved,
              &(struct saved_section){.name = "kn02", .version = 1, .base = kn02, SAVED_TABLE(fields), .ops = &ops});
}
