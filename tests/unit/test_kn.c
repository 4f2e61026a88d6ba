/* The system registers of the DECstations' boards, and the ROM of a TURBOchannel module. */
#include "devices/dec/kn01.h"
#include "devices/dec/kn02.h"
#include "devices/dec/turbochannel_rom.h"
#include <string.h>
#include "tests/unit/test.h"

struct bench {
    struct log *log;
    struct physmem *mem;
    bool line[8];
};

static void set_line(void *opaque, unsigned line, bool level)
{
    ((struct bench *)opaque)->line[line] = level;
}

static struct irq_line line(struct bench *b, unsigned number)
{
    return (struct irq_line){set_line, b, number};
}

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->log = log_create(true);
    b->mem = physmem_create(b->log, NULL);
}

static void close_bench(struct bench *b)
{
    physmem_free(b->mem);
    log_free(b->log);
}

/* As arch/mips/dec/kn01-berr.c: the first failed store is held until MEMERR is written. */
static void kn01_write_errors(void **state)
{
    struct bench b;
    uint32_t value = 7;
    (void)state;
    open_bench(&b);
    struct kn01 *kn01 = kn01_create(b.mem, line(&b, 6));
    assert_false(physmem_device_read(b.mem, 0x15000000, 4, 0, &value)); /* a bus error, and nothing else */
    assert_int_equal(value, 7);
    assert_false(b.line[6]);
    assert_true(physmem_device_write(b.mem, 0x15000010, 4, 0, 1));
    assert_true(physmem_device_write(b.mem, 0x16000000, 1, 0, 1));
    assert_true(b.line[6]);
    assert_int_equal(kn01_csr_ops.read(kn01, 0, 2, 0), 0x400);
    assert_int_equal(kn01_error_address_ops.read(kn01, 0, 4, 0), 0x15000010);
    kn01_csr_ops.write(kn01, 0, 2, 0x20ff, 0); /* without MEMERR: it stays */
    assert_true(b.line[6]);
    kn01_csr_ops.write(kn01, 0, 2, 0x04ff, 0);
    assert_false(b.line[6]);
    assert_int_equal(kn01_csr_ops.read(kn01, 0, 2, 0), 0);
    kn01_csr_ops.write(kn01, 0, 2, 0xffff, 0); /* what can be stored */
    assert_int_equal(kn01_csr_ops.read(kn01, 0, 2, 0), 0x7100);
    kn01_free(kn01);
    assert_false(physmem_device_write(b.mem, 0x15000010, 4, 0, 1));
    close_bench(&b);
}

/* As arch/mips/dec/ecc-berr.c. */
static void kn02_timeouts(void **state)
{
    struct bench b;
    uint32_t value;
    (void)state;
    open_bench(&b);
    struct kn02 *kn02 = kn02_create(b.mem, false, line(&b, 2), line(&b, 5));
    assert_false(physmem_device_read(b.mem, 0x1ec003f0, 1, 0, &value)); /* an empty slot */
    assert_true(b.line[5]);
    assert_int_equal(kn02_error_address_ops.read(kn02, 0, 4, 0), 0xc0000000 | 0x1ec003f0 >> 2);
    assert_true(physmem_device_write(b.mem, 0x1f400000, 4, 0, 0)); /* the first is held */
    assert_int_equal(kn02_error_address_ops.read(kn02, 0, 4, 0), 0xc0000000 | 0x1ec003f0 >> 2);
    kn02_error_address_ops.write(kn02, 0, 4, 0, 0);
    assert_false(b.line[5]);
    assert_true(physmem_device_write(b.mem, 0x1f400000, 4, 0, 0));
    assert_int_equal(kn02_error_address_ops.read(kn02, 0, 4, 0), 0xe0000000 | 0x1f400000 >> 2);
    assert_int_equal(kn02_check_ops.read(kn02, 0, 4, 0), 0);
    kn02_free(kn02);
    close_bench(&b);
}

/* As arch/mips/dec/kn02-irq.c. */
static void kn02_interrupts(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b);
    struct kn02 *kn02 = kn02_create(b.mem, true, line(&b, 2), line(&b, 5));
    const struct irq_line dz = kn02_input(kn02, 7), lance = kn02_input(kn02, 6);
    irq_set(&dz, true);
    assert_false(b.line[2]);
    assert_int_equal(kn02_csr_ops.read(kn02, 0, 4, 0), 0x05000480); /* masked interrupts are visible */
    kn02_csr_ops.write(kn02, 0, 4, 0x00400000, 0);
    assert_false(b.line[2]);
    kn02_csr_ops.write(kn02, 0, 4, 0x00c000ff, 0);
    assert_true(b.line[2]);
    irq_set(&lance, true);
    irq_set(&dz, false);
    assert_true(b.line[2]);
    irq_set(&lance, false);
    assert_false(b.line[2]);
    kn02_csr_ops.write(kn02, 0, 4, 0xffffffff, 0);
    assert_int_equal(kn02_csr_ops.read(kn02, 0, 4, 0), 0x07ffff00);
    kn02_csr_ops.write(kn02, 0, 1, 0, 0); /* no byte enables */
    assert_true(kn02_csr_ops.read(kn02, 0, 4, 0) & 0x00ff0000);
    kn02_free(kn02);
    close_bench(&b);
}

/* As the kernel reads them: a byte in each word. */
static void module_rom(void **state)
{
    struct turbochannel_rom rom = {.module = "PMAD-AA ", .station = {8, 0, 0x2b, 1, 2, 3}};
    static const uint8_t pattern[] = {0x55, 0x00, 0xaa, 0xff};
    char vendor[9] = "", module[9] = "";
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(turbochannel_rom_ops.read(&rom, 0x3f0 + 4 * i, 1, 0), pattern[i]);
    for (unsigned i = 0; i < 8; i++) {
        vendor[i] = (char)turbochannel_rom_ops.read(&rom, 0x420 + 4 * i, 1, 0);
        module[i] = (char)turbochannel_rom_ops.read(&rom, 0x440 + 4 * i, 1, 0);
    }
    assert_string_equal(vendor, "DEC     ");
    assert_string_equal(module, "PMAD-AA ");
    assert_int_equal(turbochannel_rom_ops.read(&rom, 0x3ec, 1, 0), 1); /* 4 MB */
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(turbochannel_station_ops.read(&rom, 4 * i + 2, 1, 0), rom.station[i]);
    for (uint32_t i = 0; i < TURBOCHANNEL_ROM_SIZE; i++)
        turbochannel_rom_ops.read(&rom, i, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kn01_write_errors),
        cmocka_unit_test(kn02_timeouts),
        cmocka_unit_test(kn02_interrupts),
        cmocka_unit_test(module_rom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
