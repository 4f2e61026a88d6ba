/* The clock of DECstations: calendar, periodic interrupt, alarm, and setting it as Linux does. */
#include "devices/dec/mc146818.h"
#include <string.h>
#include "tests/unit/test.h"

enum { SECONDS = 0, MINUTES = 2, HOURS = 4, WEEKDAY = 6, DAY = 7, MONTH = 8, YEAR = 9, A = 10, B = 11, C = 12, D = 13 };
enum { CLOCK = 16000000, START = 1686355200 /* 2023-06-10 00:00:00 UTC, a Saturday */ };

struct bench {
    struct event_queue *queue;
    struct mc146818 *rtc;
    bool irq;
    unsigned raised;
};

static void set_line(void *opaque, unsigned line, bool level)
{
    struct bench *b = opaque;
    assert_int_equal(line, 5);
    b->raised += level && !b->irq;
    b->irq = level;
}

static void open_bench(struct bench *b, uint64_t start, const uint8_t *second_bytes)
{
    memset(b, 0, sizeof *b);
    b->queue = event_queue_create(CLOCK);
    b->rtc = mc146818_create(b->queue, start, (struct irq_line){set_line, b, 5}, second_bytes);
}

static void close_bench(struct bench *b)
{
    mc146818_free(b->rtc);
    event_queue_free(b->queue);
}

static unsigned get(struct bench *b, unsigned number)
{
    return mc146818_device_ops.read(b->rtc, 4 * number, 1, 0) & 0xff;
}

static void put(struct bench *b, unsigned number, unsigned value)
{
    mc146818_device_ops.write(b->rtc, 4 * number, 1, value, 0);
}

static void pass(struct bench *b, uint64_t seconds)
{
    event_queue_run(b->queue, b->queue->now + seconds * CLOCK);
}

static void expect(struct bench *b, unsigned year, unsigned month, unsigned day, unsigned weekday, unsigned hour,
                   unsigned minute, unsigned second)
{
    assert_int_equal(get(b, YEAR), year);
    assert_int_equal(get(b, MONTH), month);
    assert_int_equal(get(b, DAY), day);
    assert_int_equal(get(b, WEEKDAY), weekday);
    assert_int_equal(get(b, HOURS), hour);
    assert_int_equal(get(b, MINUTES), minute);
    assert_int_equal(get(b, SECONDS), second);
}

/* The true year as Linux computes it (arch/mips/dec/time.c). */
static unsigned true_year(struct bench *b)
{
    return get(b, YEAR) + get(b, 63) - 72 + 2000;
}

static void power_on(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, START, NULL);
    assert_int_equal(get(&b, A), 0x26);
    assert_int_equal(get(&b, B), 0x06);
    assert_int_equal(get(&b, D), 0x80);
    expect(&b, 72, 6, 10, 7, 0, 0, 0);
    assert_int_equal(true_year(&b), 2023);
    pass(&b, 86400 + 3600 + 61);
    expect(&b, 72, 6, 11, 1, 1, 1, 1);
    close_bench(&b);
}

static void years(void **state)
{
    static const struct {
        uint64_t start;
        unsigned shown, true_year, month, day;
    } rows[] = {
        {1672531200, 73, 2023, 1, 1},   /* not a leap year: 73 until March, so that February has 28 days */
        {1677628799, 73, 2023, 2, 28},  /* its last second */
        {1677628800, 72, 2023, 3, 1},   /* */
        {1709164800, 72, 2024, 2, 29},  /* a leap year */
        {951782400, 72, 2000, 2, 29},   /* */
        {2051222399, 72, 2034, 12, 31}, /* */
        {3155760000, 73, 2070, 1, 1},   /* */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b;
        open_bench(&b, rows[i].start, NULL);
        assert_int_equal(get(&b, YEAR), rows[i].shown);
        assert_int_equal(true_year(&b), rows[i].true_year);
        assert_int_equal(get(&b, MONTH), rows[i].month);
        assert_int_equal(get(&b, DAY), rows[i].day);
        close_bench(&b);
    }
}

/* Linux sets the clock with SET and the divider held, and in this order (arch/mips/dec/time.c). */
static void setting(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, START, NULL);
    put(&b, B, 0x86);
    put(&b, A, 0x76);
    put(&b, DAY, 31);
    put(&b, MONTH, 12);
    put(&b, HOURS, 23);
    put(&b, MINUTES, 59);
    put(&b, SECONDS, 58);
    pass(&b, 10); /* it stands still */
    expect(&b, 72, 12, 31, 7, 23, 59, 58);
    put(&b, B, 0x06);
    put(&b, A, 0x26);
    event_queue_run(b.queue, b.queue->now + CLOCK / 2 - 1);
    assert_int_equal(get(&b, SECONDS), 58);
    assert_int_equal(get(&b, A), 0xa6); /* an update is near */
    event_queue_run(b.queue, b.queue->now + 1);
    assert_int_equal(get(&b, SECONDS), 59); /* half a second later */
    assert_int_equal(get(&b, A), 0x26);
    pass(&b, 1);
    expect(&b, 73, 1, 1, 1, 0, 0, 0);
    close_bench(&b);
}

static void bcd_and_12_hours(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, START + 13 * 3600 + 45 * 60 + 59, NULL);
    put(&b, B, 0);
    assert_int_equal(get(&b, HOURS), 0x81);
    assert_int_equal(get(&b, MINUTES), 0x45);
    assert_int_equal(get(&b, SECONDS), 0x59);
    assert_int_equal(get(&b, YEAR), 0x72);
    put(&b, B, 0x80);
    put(&b, HOURS, 0x12); /* midnight */
    put(&b, B, 0);
    put(&b, B, 0x06);
    assert_int_equal(get(&b, HOURS), 0);
    close_bench(&b);
}

static void periodic_interrupt(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, START, NULL);
    put(&b, A, 0x29); /* 128 Hz */
    get(&b, C);
    pass(&b, 1);
    assert_false(b.irq); /* not enabled, but noted */
    assert_int_equal(get(&b, C), 0x50 /* PF, UF */);
    put(&b, B, 0x46);
    for (unsigned i = 0; i < 128; i++) {
        assert_false(b.irq);
        event_queue_run(b.queue, b.queue->now + CLOCK / 128 - 1);
        assert_false(b.irq);
        event_queue_run(b.queue, b.queue->now + 1);
        assert_true(b.irq);
        assert_int_equal(get(&b, C) & 0xe0, 0xc0);
    }
    assert_int_equal(b.raised, 128);
    put(&b, B, 0x06);
    pass(&b, 1);
    assert_int_equal(b.raised, 128);
    close_bench(&b);
}

static void alarm_and_update_interrupts(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, START, NULL);
    put(&b, 1, 30);
    put(&b, 3, 0xff);
    put(&b, 5, 0xff);
    get(&b, C);
    put(&b, B, 0x26);
    pass(&b, 29);
    assert_false(b.irq);
    pass(&b, 1);
    assert_true(b.irq);
    assert_int_equal(get(&b, C) & 0xb0, 0xb0);
    pass(&b, 59);
    assert_false(b.irq);
    put(&b, B, 0x16);
    pass(&b, 1);
    assert_true(b.irq);
    get(&b, C);
    put(&b, B, 0x96); /* SET takes UIE away */
    assert_int_equal(get(&b, B), 0x86);
    close_bench(&b);
}

static void memory_and_second_bytes(void **state)
{
    struct bench b;
    uint8_t second[MC146818_REGISTERS];
    (void)state;
    for (unsigned i = 0; i < sizeof second; i++)
        second[i] = (uint8_t)(0x80 + i);
    open_bench(&b, START, second);
    for (unsigned i = 14; i < 64; i++)
        put(&b, i, i * 3);
    for (unsigned i = 14; i < 64; i++)
        assert_int_equal(get(&b, i), (i * 3) & 0xff);
    assert_int_equal(mc146818_device_ops.read(b.rtc, 4 * 20 + 1, 1, 0) & 0xff, 0x80 + 20);
    assert_int_equal(mc146818_device_ops.read(b.rtc, 4 * 20, 4, 0), (0x80 + 20) << 8 | 60);
    mc146818_device_ops.write(b.rtc, 4 * 20 + 1, 1, 0x55, 0);
    assert_int_equal(mc146818_device_ops.read(b.rtc, 4 * 20, 4, 0), (0x80 + 20) << 8 | 60);
    close_bench(&b);
}

static void nonsense_is_bounded(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, START, NULL);
    put(&b, B, 0x80);
    for (unsigned i = 0; i < 10; i++)
        put(&b, i, 0xff);
    put(&b, B, 0x06);
    expect(&b, 99, 12, 31, 7, 23, 59, 59);
    pass(&b, 1);
    expect(&b, 0, 1, 1, 1, 0, 0, 0); /* the chip's century is over */
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_on),
        cmocka_unit_test(years),
        cmocka_unit_test(setting),
        cmocka_unit_test(bcd_and_12_hours),
        cmocka_unit_test(periodic_interrupt),
        cmocka_unit_test(alarm_and_update_interrupts),
        cmocka_unit_test(memory_and_second_bytes),
        cmocka_unit_test(nonsense_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
