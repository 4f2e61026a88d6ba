/* What is written to a register of a device reads back: the bits that its manual makes writable, the others as they
 * are. One table a device; what a register does is in the test of its device. */
#include "devices/board/control.h"
#include "devices/board/gic.h"
#include "devices/board/power_controller.h"
#include "devices/board/rtc.h"
#include "devices/board/syscon.h"
#include "devices/board/uart.h"
#include "devices/dec/dz.h"
#include "devices/dec/kn01.h"
#include "devices/dec/kn02.h"
#include "devices/dec/lance.h"
#include "devices/dec/mc146818.h"
#include "devices/virtio/virtio_rng.h"
#include "src/base/board.h"
#include <stdio.h>
#include <stdlib.h>
#include "tests/unit/test.h"

enum { CPUS = 4, CLOCK = 100000000 };

/* COUNT registers of SIZE bytes, STRIDE apart from OFFSET on: VALUE written reads back as (VALUE & mask) | fixed. The
 * words written have the bits in OFF clear: of those that do more than being kept. */
struct row {
    const char *name;
    uint32_t offset, mask, fixed, off;
    unsigned count, stride;
};

struct bench {
    struct log *log;
    struct event_queue *queue;
    struct physmem *mem;
    struct irq_line irq;
};

static void set_line(void *opaque, unsigned line, bool level)
{
    (void)opaque, (void)line, (void)level;
}

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    b->log = log_create(true);
    b->queue = event_queue_create(CLOCK);
    b->mem = physmem_create(b->log, NULL);
    assert_true(physmem_add_ram(b->mem, 0, 1 << 20, NULL));
    b->irq = (struct irq_line){.set = set_line};
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    physmem_free(b->mem);
    event_queue_free(b->queue);
    log_free(b->log);
    free(b);
    return 0;
}

static void check(const struct device_ops *ops, void *device, unsigned size, const struct row *rows, unsigned count)
{
    static const uint32_t words[] = {UINT32_MAX, 0, 0x55555555, 0xaaaaaaaa, 0x12345678, 0xfedcba98, 0x80000000, 1};
    const uint32_t all = size >= 4 ? UINT32_MAX : (1u << 8 * size) - 1;
    for (const struct row *row = rows; row < rows + count; row++)
        for (unsigned i = 0; i < (row->count ? row->count : 1); i++) {
            const uint32_t offset = row->offset + i * row->stride;
            for (unsigned w = 0; w < sizeof words / sizeof words[0]; w++) {
                const uint32_t word = words[w] & all & ~row->off;
                ops->write(device, offset, size, word, 0);
                const uint32_t got = ops->read(device, offset, size, 0) & all;
                if (got != ((word & row->mask) | row->fixed)) {
                    print_error("%s: %s[%u]: 0x%x written, 0x%x read\n", ops->name, row->name, i, word, got);
                    fail();
                }
            }
        }
}
#define CHECK(ops, device, size, rows) check(&(ops), device, size, rows, sizeof(rows) / sizeof(rows)[0])
#define ALL                            UINT32_MAX

static void set_pin(void *opaque, unsigned cpu, unsigned pin, bool level)
{
    (void)opaque, (void)cpu, (void)pin, (void)level;
}

/* interAptiv manual, chapter on the GIC. */
static void gic(void **state)
{
    static const struct gic_cpu_ops pins = {set_pin};
    enum { MAP = 0xe000003f, COUNTSTOP = 1 << 28 };
    struct bench *b = *state;
    struct gic *gic = gic_create(b->queue, CPUS, &pins, NULL, b->log);
    const uint32_t config = 8 << 24 | (GIC_SHARED_COUNT / 8 - 1) << 16 | (CPUS - 1);
    const struct row shared[] = {
        {"CONFIG", 0x0, COUNTSTOP, config, 0, 1, 0},
        {"COUNTER", 0x10, ALL, 0, 0, 2, 4},
        {"POL", 0x100, ALL, 0, 0, GIC_SHARED_COUNT / 32, 4},
        {"TRIG", 0x180, ALL, 0, 0, GIC_SHARED_COUNT / 32, 4},
        {"DUAL", 0x200, ALL, 0, 0, GIC_SHARED_COUNT / 32, 4},
        {"MASK", 0x400, 0, 0, 0, GIC_SHARED_COUNT / 32, 4},
        {"MAP_PIN", 0x500, MAP, 0, 0, GIC_SHARED_COUNT, 4},
        {"MAP_VPE", 0x2000, (1 << CPUS) - 1, 0, 0, GIC_SHARED_COUNT, 0x20},
        {"MAP_VPE high", 0x2004, 0, 0, 0, GIC_SHARED_COUNT, 0x20},
    };
    static const struct row local[] = {
        {"CTL", 0x8000, 0, 6, 0, 1, 0},       {"MAP", 0x8040, MAP, 0, 0, GIC_LOCAL_COUNT, 4},
        {"MASK", 0x8008, 0, 0xc, 0, 1, 0},    {"OTHER", 0x8080, 0x3f, 0, 0, 1, 0},
        {"COMPARE", 0x80a0, ALL, 0, 0, 2, 4},
    };
    static const struct row other[] = {
        {"MAP", 0xc040, MAP, 0, 0, GIC_LOCAL_COUNT, 4},
        {"IDENT", 0xc088, 0, CPUS - 1, 0, 1, 0},
        {"COMPARE", 0xc0a0, ALL, 0, 0, 2, 4},
    };
    CHECK(gic_device_ops, gic, 4, shared);
    CHECK(gic_device_ops, gic, 4, local);
    gic_device_ops.write(gic, 0x8080, 4, CPUS - 1, 0);
    CHECK(gic_device_ops, gic, 4, other);
    for (unsigned word = 0; word < GIC_SHARED_COUNT / 32; word++) { /* SMASK sets bits of MASK, RMASK clears them */
        gic_device_ops.write(gic, 0x380 + 4 * word, 4, 0xf0f0f0f0, 0);
        gic_device_ops.write(gic, 0x300 + 4 * word, 4, 0x3c3c3c3c, 0);
        assert_int_equal(gic_device_ops.read(gic, 0x400 + 4 * word, 4, 0), 0xc0c0c0c0);
    }
    gic_device_ops.write(gic, 0x8010, 4, ALL, 0);
    gic_device_ops.write(gic, 0x800c, 4, 5, 0);
    assert_int_equal(gic_device_ops.read(gic, 0x8008, 4, 0), 0x7a);
    gic_free(gic);
}

static void power(void *opaque, unsigned cpu)
{
    (void)opaque, (void)cpu;
}

static void start(void *opaque, unsigned cpu, vaddr pc)
{
    (void)opaque, (void)cpu, (void)pc;
}

/* interAptiv manual, chapters on the coherence manager and the power controller. */
static void managers(void **state)
{
    static const struct power_ops ops = {start, power};
    struct bench *b = *state;
    const struct coherence_manager_config config = {CPUS, BOARD_GCR_BASE, BOARD_GIC_BASE, BOARD_CPC_BASE};
    struct coherence_manager *cm = coherence_manager_create(&config, b->log);
    struct power_controller *cpc = power_controller_create(CPUS, cm, &ops, b, b->log);
    const struct row global[] = {
        {"CONFIG", 0x0, 0, 4 << 16 | (CPUS - 1), 0, 1, 0},
        {"BASE", 0x8, 0xf3, BOARD_GCR_BASE, 0, 1, 0},
        {"REV", 0x30, 0, 0x600, 0, 1, 0},
        {"ERROR_MASK", 0x40, ALL, 0, 0, 1, 0},
        {"L2_ONLY_SYNC_BASE", 0x70, 0xfffff001, 0, 0, 1, 0},
        {"GIC_BASE", 0x80, 1, BOARD_GIC_BASE, 0, 1, 0},
        {"CPC_BASE", 0x88, 1, BOARD_CPC_BASE, 0, 1, 0},
        {"REG_BASE", 0x90, 0xffff0000, 0, 0, 4, 0x10},
        {"REG_MASK", 0x98, 0xffff00f7, 0, 0, 4, 0x10},
        {"STATUS", 0xd0, 0, 1, 0, 2, 0x20},
    };
    static const struct row core[] = {
        {"COHERENCE", 0x2008, 0xffff, 0, 0, 1, 0},
        {"CONFIG", 0x2010, 0, 0, 0, 1, 0},
        {"OTHER", 0x2018, 0xffff0000, 0, 0, 1, 0},
        {"RESET_BASE", 0x2020, 0xfffff000, 0, 0, 1, 0},
        {"ID", 0x2028, 0, 0, 0, 1, 0},
        {"RESET_EXT_BASE", 0x2030, 0x4ff000fe, 1, 0, 1, 0},
    };
    static const struct row other[] = {
        {"COHERENCE", 0x4008, 0xffff, 0, 0, 1, 0},
        {"RESET_BASE", 0x4020, 0xfffff000, 0, 0, 1, 0},
        {"ID", 0x4028, 0, CPUS - 1, 0, 1, 0},
        {"RESET_EXT_BASE", 0x4030, 0x4ff000fe, 1, 0, 1, 0},
    };
    static const struct row sequencer[] = {
        {"SEQDEL, RAIL, RESETLEN", 0x8, 0x3ff, 0, 0, 3, 8},
        {"REVISION", 0x20, 0, 0x200, 0, 1, 0},
        {"CMD", 0x2000, 0xf, 0, 0, 1, 0},
        {"OTHER", 0x2010, 0x00ff0000, 0, 0, 1, 0},
    };
    CHECK(coherence_manager_device_ops, cm, 4, global);
    CHECK(coherence_manager_device_ops, cm, 4, core);
    coherence_manager_device_ops.write(cm, 0x2018, 4, (CPUS - 1) << 16, 0);
    CHECK(coherence_manager_device_ops, cm, 4, other);
    CHECK(power_controller_device_ops, cpc, 4, sequencer);
    /* ACCESS: with its own bit clear a core can write no more; so it keeps bit 0 */
    for (uint32_t word = 1; word != 0; word = word << 1) {
        coherence_manager_device_ops.write(cm, 0x20, 4, word | 1, 0);
        assert_int_equal(coherence_manager_device_ops.read(cm, 0x20, 4, 0), word | 1);
        power_controller_device_ops.write(cpc, 0x0, 4, word | 1, 0);
        assert_int_equal(power_controller_device_ops.read(cpc, 0x0, 4, 0), word | 1);
    }
    power_controller_free(cpc);
    coherence_manager_free(cm);
}

/* PC16550D data sheet, section 8. */
static void uart(void **state)
{
    enum { DLAB = 0x80, LCR = 12 };
    struct bench *b = *state;
    struct uart *uart = uart_create(b->queue, b->irq, NULL, NULL, 1000, b->log);
    static const struct row rows[] = {
        {"IER", 4, 0x0f, 0, 0, 1, 0},  {"LCR", LCR, 0xff, 0, 0, 1, 0}, {"MCR", 16, 0x1f, 0, 0, 1, 0},
        {"LSR", 20, 0, 0x60, 0, 1, 0}, {"SCR", 28, 0xff, 0, 0, 1, 0},
    };
    static const struct row divisor[] = {{"DLL, DLM", 0, 0xff, 0, 0, 2, 4}};
    uart_device_ops.write(uart, LCR, 1, 0, 0);
    CHECK(uart_device_ops, uart, 1, rows);
    uart_device_ops.write(uart, LCR, 1, DLAB, 0);
    CHECK(uart_device_ops, uart, 1, divisor);
    uart_device_ops.write(uart, LCR, 1, 0, 0);
    assert_int_equal(uart_device_ops.read(uart, 4, 1, 0), 1); /* IER is another register than DLM */
    uart_free(uart);
}

/* rtc-goldfish; the system controller; the control device. */
static void small_devices(void **state)
{
    struct bench *b = *state;
    struct rtc *rtc = rtc_create(b->queue, 1000, b->irq, b->log);
    struct syscon *syscon = syscon_create(NULL, NULL, b->log);
    struct control *control = control_create(b->mem, (struct control_mailbox){.address = 0}, NULL, NULL, b->log);
    static const struct row clock[] = {
        {"TIME_LOW", 0x0, ALL, 0, 0, 1, 0},   {"ALARM_LOW", 0x8, ALL, 0, 0, 1, 0},
        {"ALARM_HIGH", 0xc, ALL, 0, 0, 1, 0}, {"IRQ_ENABLED", 0x10, 1, 0, 0, 1, 0},
        {"CLEAR_ALARM", 0x14, 0, 0, 0, 1, 0}, {"ALARM_STATUS", 0x18, 0, 0, 0, 1, 0},
    };
    static const struct row scratch[] = {{"scratch", 4, ALL, 0, 0, BOARD_SYSCON_SIZE / 4 - 1, 4}};
    CHECK(rtc_device_ops, rtc, 4, clock);
    for (uint32_t word = 1; word != 0; word = word << 1) { /* TIME_HIGH is read as it was with TIME_LOW */
        rtc_device_ops.write(rtc, 4, 4, word, 0);
        rtc_device_ops.read(rtc, 0, 4, 0);
        assert_int_equal(rtc_device_ops.read(rtc, 4, 4, 0), word);
    }
    static const struct row mailbox[] = {{"LENGTH", 0xc, ALL, 0, 0, 1, 0}};
    CHECK(syscon_device_ops, syscon, 4, scratch);
    CHECK(control_device_ops, control, 4, mailbox);
    control_free(control);
    syscon_free(syscon);
    rtc_free(rtc);
}

/* Virtual I/O Device 1.1, section 4.2.2: what a driver reads back is Status and QueueReady; the registers that it only
 * writes do not read as something else. */
static void virtio(void **state)
{
    struct bench *b = *state;
    struct virtio_rng *rng = virtio_rng_create(b->queue, b->mem, 1, 1000000, b->irq, b->log);
    static const struct row written[] = {
        {"DriverFeatures", 0x20, 0, 0, 0, 1, 0},   {"DriverFeaturesSel", 0x24, 0, 0, 0, 1, 0},
        {"QueueNum", 0x38, 0, 0, 0, 1, 0},         {"QueueNotify", 0x50, 0, 0, 0, 1, 0},
        {"InterruptACK", 0x64, 0, 0, 0, 1, 0},     {"QueueDesc", 0x80, 0, 0, 0, 2, 4},
        {"QueueDriver", 0x90, 0, 0, 0, 2, 4},      {"QueueDevice", 0xa0, 0, 0, 0, 2, 4},
        {"ConfigGeneration", 0xfc, 0, 0, 0, 1, 0},
    };
    static const struct row read[] = {
        {"MagicValue", 0x0, 0, 0x74726976, 0, 1, 0},
        {"Version", 0x4, 0, 2, 0, 1, 0},
        {"DeviceID", 0x8, 0, 4, 0, 1, 0},
        /* FEATURES_OK and DRIVER_OK depend on the features, NEEDS_RESET is the device's */
        {"Status", 0x70, 0x83, 0, 0, 1, 0},
    };
    CHECK(virtio_rng_device_ops, rng, 4, written);
    CHECK(virtio_rng_device_ops, rng, 4, read);
    virtio_rng_free(rng);
}

static void transmit(void *opaque, unsigned line, uint8_t byte)
{
    (void)opaque, (void)line, (void)byte;
}

static void room(void *opaque, unsigned line)
{
    (void)opaque, (void)line;
}

/* Am7990 and DC7085 data sheets. */
static void decstation(void **state)
{
    enum { RDP = 0, RAP = 4, STOP = 4 };
    static const struct dz_ops ops = {transmit, room};
    struct bench *b = *state;
    struct lance *lance = lance_create(b->queue, 0x10000, 10000000, 0, b->irq, b->log);
    struct dz *dz = dz_create(b->queue, b->irq, &ops, NULL, 0, b->log);
    static const struct row selector[] = {{"RAP", RAP, 3, 0, 0, 1, 0}};
    static const struct row address[] = {{"CSR1, CSR2", RDP, 0xffff, 0, 0, 1, 0}};
    static const struct row bus[] = {{"CSR3", RDP, 7, 0, 0, 1, 0}};
    static const struct row lines[] = {
        {"CSR", 0x00, 0x4068, 0, 0x10, 1, 0}, /* CLR resets the chip */
        {"MSR", 0x18, 0, 0, 0, 1, 0},
    };
    static const struct row enables[] = {{"TCR", 0x10, 0x0f0f, 0, 0, 1, 0}};
    CHECK(lance_device_ops, lance, 2, selector);
    for (unsigned csr = 1; csr <= 3; csr++) {
        lance_device_ops.write(lance, RAP, 2, csr, 0);
        check(&lance_device_ops, lance, 2, csr < 3 ? address : bus, 1);
        lance_device_ops.write(lance, RDP, 2, 0x5a5a, 0);
    }
    lance_device_ops.write(lance, RAP, 2, 0, 0); /* STOP clears CSR3 and leaves CSR1 and CSR2 */
    lance_device_ops.write(lance, RDP, 2, STOP, 0);
    for (unsigned csr = 1; csr <= 3; csr++) {
        lance_device_ops.write(lance, RAP, 2, csr, 0);
        assert_int_equal(lance_device_ops.read(lance, RDP, 2, 0), csr < 3 ? 0x5a5a : 0);
    }
    CHECK(dz_device_ops, dz, 2, enables);
    dz_device_ops.write(dz, 0x10, 2, 0, 0); /* no line asks for a character: TRDY and TLINE are clear */
    CHECK(dz_device_ops, dz, 2, lines);
    dz_free(dz);
    lance_free(lance);
}

/* Linux, asm/dec/kn01.h and kn02.h. */
static void kn_registers(void **state)
{
    struct bench *b = *state;
    static const struct row csr01[] = {{"CSR", 0, 0x7100, 0, 0, 1, 0}};
    static const struct row csr02[] = {{"CSR", 0, 0x02fffb00, 0x05000000, 0, 1, 0}};
    static const struct row error[] = {{"error address", 0, 0, 0, 0, 1, 0}};
    struct kn01 *kn01 = kn01_create(b->mem, b->irq);
    CHECK(kn01_csr_ops, kn01, 2, csr01);
    CHECK(kn01_error_address_ops, kn01, 4, error);
    kn01_free(kn01);
    struct kn02 *kn02 = kn02_create(b->mem, false, b->irq, b->irq);
    CHECK(kn02_csr_ops, kn02, 4, csr02);
    CHECK(kn02_check_ops, kn02, 4, error);
    CHECK(kn02_error_address_ops, kn02, 4, error);
    kn02_free(kn02);
}

/* MC146818 data sheet: with SET the clock's registers are memory like the others. */
static void mc146818(void **state)
{
    enum { A = 10 * 4, B = 11 * 4, SET = 0x80, UIE = 0x10 };
    struct bench *b = *state;
    struct mc146818 *rtc = mc146818_create(b->queue, 0, b->irq, NULL);
    static const struct row control[] = {
        {"A", A, 0x7f, 0, 0, 1, 0},
        {"B", B, 0x7f, 0, SET, 1, 0},
        {"C", 12 * 4, 0, 0, 0, 1, 0},
        {"D", 13 * 4, 0, 0x80, 0, 1, 0},
    };
    static const struct row memory[] = {
        {"time, alarm, date", 0, 0xff, 0, 0, 10, 4},
        {"RAM", 14 * 4, 0xff, 0, 0, 50, 4},
    };
    static const struct row alarm_and_ram[] = {
        {"alarm", 4, 0xff, 0, 0, 3, 8},
        {"RAM", 14 * 4, 0xff, 0, 0, 50, 4},
    };
    mc146818_device_ops.write(rtc, B, 1, SET, 0);
    CHECK(mc146818_device_ops, rtc, 1, memory);
    mc146818_device_ops.write(rtc, B, 1, SET | UIE | 0x6f, 0); /* SET clears UIE */
    assert_int_equal(mc146818_device_ops.read(rtc, B, 1, 0), SET | 0x6f);
    CHECK(mc146818_device_ops, rtc, 1, control);
    mc146818_device_ops.write(rtc, A, 1, 0x20, 0);
    mc146818_device_ops.write(rtc, B, 1, 0, 0); /* it runs */
    CHECK(mc146818_device_ops, rtc, 1, alarm_and_ram);
    mc146818_free(rtc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gic, setup, teardown),
        cmocka_unit_test_setup_teardown(managers, setup, teardown),
        cmocka_unit_test_setup_teardown(uart, setup, teardown),
        cmocka_unit_test_setup_teardown(small_devices, setup, teardown),
        cmocka_unit_test_setup_teardown(virtio, setup, teardown),
        cmocka_unit_test_setup_teardown(decstation, setup, teardown),
        cmocka_unit_test_setup_teardown(kn_registers, setup, teardown),
        cmocka_unit_test_setup_teardown(mc146818, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
