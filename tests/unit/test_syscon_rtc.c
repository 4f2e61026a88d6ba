/*
 * The system controller's registers and reboot; the real-time clock: time, setting, alarm.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "devices/board/rtc.h"
#include "devices/board/syscon.h"
#include "src/base/board.h"

enum {
    TIME_LOW = 0x00,
    TIME_HIGH = 0x04,
    ALARM_LOW = 0x08,
    ALARM_HIGH = 0x0c,
    IRQ_ENABLED = 0x10,
    CLEAR_ALARM = 0x14,
    ALARM_STATUS = 0x18,
    CLEAR_INTERRUPT = 0x1c,
};

#define START  1700000000000000000ull
#define SECOND 1000000000ull

struct board {
    struct log *log;
    struct syscon *syscon;
    int reboots;
    struct event_queue *queue;
    struct rtc *rtc;
    bool irq;
};

static void reboot(void *opaque)
{
    ((struct board *)opaque)->reboots++;
}

static void set_irq(void *opaque, unsigned line, bool level)
{
    assert_int_equal(line, 7);
    ((struct board *)opaque)->irq = level;
}

static int setup(void **state)
{
    struct board *board = calloc(1, sizeof *board);
    board->log = log_create(true);
    board->syscon = syscon_create(reboot, board, board->log);
    board->queue = event_queue_create(400000000); /* 2.5 ns per cycle */
    board->rtc = rtc_create(board->queue, START, (struct irq_line){set_irq, board, 7}, board->log);
    *state = board;
    return 0;
}

static int teardown(void **state)
{
    struct board *board = *state;
    rtc_free(board->rtc);
    event_queue_free(board->queue);
    syscon_free(board->syscon);
    log_free(board->log);
    free(board);
    return 0;
}

static void put_syscon(struct board *board, uint32_t offset, unsigned size, uint32_t value)
{
    syscon_device_ops.write(board->syscon, offset, size, value, 0);
}

static uint32_t get_syscon(struct board *board, uint32_t offset, unsigned size)
{
    return syscon_device_ops.read(board->syscon, offset, size, 0);
}

static void syscon_reboots_on_its_value_only(void **state)
{
    struct board *board = *state;
    put_syscon(board, 0, 4, 0x41);
    put_syscon(board, 0, 4, 0x142);
    put_syscon(board, 4, 4, 0x42);
    put_syscon(board, 1, 1, 0x42);
    assert_int_equal(board->reboots, 0);
    put_syscon(board, 0, 4, 0x42);
    assert_int_equal(board->reboots, 1);
    put_syscon(board, 0, 1, 0x42);
    assert_int_equal(board->reboots, 2);
    assert_int_equal(get_syscon(board, 0, 4), 0); /* so that read-modify-write updates write always */
}

static void syscon_stores(void **state)
{
    struct board *board = *state;
    for (uint32_t offset = 4; offset < BOARD_SYSCON_SIZE; offset += 4) {
        assert_int_equal(get_syscon(board, offset, 4), 0);
        put_syscon(board, offset, 4, offset * 0x01000193u);
    }
    for (uint32_t offset = 4; offset < BOARD_SYSCON_SIZE; offset += 4)
        assert_int_equal(get_syscon(board, offset, 4), offset * 0x01000193u);
    put_syscon(board, 0x10, 4, 0x11223344);
    put_syscon(board, 0x11, 1, 0xaa);
    put_syscon(board, 0x12, 2, 0xbbcc);
    assert_int_equal(get_syscon(board, 0x10, 4), 0xbbccaa44);
    assert_int_equal(get_syscon(board, 0x12, 2), 0xbbcc);
    assert_int_equal(get_syscon(board, 0x13, 1), 0xbb);
    assert_int_equal(get_syscon(board, 0x10, 1), 0x44);
}

static uint32_t get(struct board *board, uint32_t offset)
{
    return rtc_device_ops.read(board->rtc, offset, 4, 0);
}

static void put(struct board *board, uint32_t offset, uint32_t value)
{
    rtc_device_ops.write(board->rtc, offset, 4, value, 0);
}

static uint64_t get_time(struct board *board)
{
    uint32_t low = get(board, TIME_LOW);
    return (uint64_t)get(board, TIME_HIGH) << 32 | low;
}

static void put_pair(struct board *board, uint32_t low, uint64_t value)
{
    put(board, low + 4, (uint32_t)(value >> 32));
    put(board, low, (uint32_t)value);
}

static void clock_follows_simulated_time(void **state)
{
    struct board *board = *state;
    assert_true(get_time(board) == START);
    event_queue_run(board->queue, 3); /* 7.5 ns */
    assert_true(get_time(board) == START + 7);
    event_queue_run(board->queue, 400000000);
    assert_true(get_time(board) == START + SECOND);
}

static void high_half_is_latched(void **state)
{
    struct board *board = *state;
    put_pair(board, TIME_LOW, (5ull << 32) - 10);
    assert_int_equal(get(board, TIME_LOW), 0u - 10);
    event_queue_run(board->queue, 40); /* 100 ns: over the edge */
    assert_int_equal(get(board, TIME_HIGH), 4);
    assert_int_equal(get(board, TIME_LOW), 90);
    assert_int_equal(get(board, TIME_HIGH), 5);
}

static void clock_can_be_set(void **state)
{
    struct board *board = *state;
    event_queue_run(board->queue, 4000);
    put_pair(board, TIME_LOW, 123456789012345ull);
    assert_true(get_time(board) == 123456789012345ull);
    event_queue_run(board->queue, 4400);
    assert_true(get_time(board) == 123456789013345ull);
}

static void alarm_fires_at_its_time_and_not_before(void **state)
{
    struct board *board = *state;
    put(board, IRQ_ENABLED, 1);
    put_pair(board, ALARM_LOW, START + 1001); /* in the cycle that begins at 1002.5 ns */
    assert_int_equal(get(board, ALARM_STATUS), 1);
    assert_int_equal(get(board, ALARM_LOW), (uint32_t)(START + 1001));
    assert_int_equal(get(board, ALARM_HIGH), (START + 1001) >> 32);
    event_queue_run(board->queue, 400);
    assert_false(board->irq);
    event_queue_run(board->queue, 401);
    assert_true(board->irq);
    assert_int_equal(get(board, ALARM_STATUS), 0);
    put(board, CLEAR_INTERRUPT, 1);
    assert_false(board->irq);
    event_queue_run(board->queue, 4000000);
    assert_false(board->irq);
}

static void alarm_in_the_past_fires_at_once(void **state)
{
    struct board *board = *state;
    put(board, IRQ_ENABLED, 1);
    put_pair(board, ALARM_LOW, START - 1);
    assert_true(board->irq);
    assert_int_equal(get(board, ALARM_STATUS), 0);
}

static void alarm_can_be_cleared(void **state)
{
    struct board *board = *state;
    put(board, IRQ_ENABLED, 1);
    put_pair(board, ALARM_LOW, START + 1000);
    put(board, CLEAR_ALARM, 1);
    assert_int_equal(get(board, ALARM_STATUS), 0);
    assert_true(event_queue_next(board->queue) == CYCLES_NEVER);
    event_queue_run(board->queue, 4000);
    assert_false(board->irq);
}

static void interrupt_waits_for_its_enable(void **state)
{
    struct board *board = *state;
    put_pair(board, ALARM_LOW, START + 1000);
    event_queue_run(board->queue, 4000);
    assert_false(board->irq);
    put(board, IRQ_ENABLED, 1);
    assert_true(board->irq);
    put(board, IRQ_ENABLED, 0);
    assert_false(board->irq);
}

static void alarm_follows_a_set_clock(void **state)
{
    struct board *board = *state;
    put(board, IRQ_ENABLED, 1);
    put_pair(board, ALARM_LOW, START + SECOND);
    put_pair(board, TIME_LOW, START + SECOND - 10);
    event_queue_run(board->queue, 3);
    assert_false(board->irq);
    event_queue_run(board->queue, 4);
    assert_true(board->irq);
    put(board, CLEAR_INTERRUPT, 1);
    /* set to an earlier time: fires later; no alarm while half of it is written */
    put_pair(board, ALARM_LOW, 0x2000000000000000ull);
    put_pair(board, TIME_LOW, 0x1ffffffeffffff00ull);
    put_pair(board, TIME_LOW, 0x1fffffff00000000ull);
    assert_false(board->irq);
    assert_int_equal(get(board, ALARM_STATUS), 1);
}

static void alarm_beyond_all_time_never_fires(void **state)
{
    struct board *board = *state;
    put(board, IRQ_ENABLED, 1);
    put_pair(board, ALARM_LOW, UINT64_MAX);
    event_queue_run(board->queue, UINT64_MAX / 4); /* 365 years */
    assert_false(board->irq);
    put_pair(board, TIME_LOW, UINT64_MAX);
    assert_true(board->irq);
}

static uint32_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 16);
}

/* The alarm fires when the clock reaches it, whatever was written before. */
static void any_guest_gets_its_alarms(void **state)
{
    struct board *board = *state;
    uint64_t seed = 88172645463325252ull;
    int alarms = 0;
    put(board, IRQ_ENABLED, 1);
    for (int step = 0; step < 20000; step++) {
        uint32_t what = random_next(&seed), value = random_next(&seed);
        unsigned size = 1u << (what >> 4 & 3) % 3;
        if (what % 4 == 0) {
            uint32_t offset = value % BOARD_RTC_SIZE / size * size;
            rtc_device_ops.write(board->rtc, offset < 0x20 ? CLEAR_ALARM : offset, size, value, 0);
            rtc_device_ops.read(board->rtc, offset, size, 0);
        } else if (what % 4 == 1) {
            put_pair(board, ALARM_LOW, get_time(board) + (value >> 16) - 1000);
        } else if (what % 4 == 2) {
            put_pair(board, TIME_LOW, get_time(board) + (value >> 16) - 1000);
        } else {
            event_queue_run(board->queue, board->queue->now + (value >> 18));
        }
        uint64_t alarm = (uint64_t)get(board, ALARM_HIGH) << 32 | get(board, ALARM_LOW);
        if (get(board, ALARM_STATUS))
            assert_true(alarm > get_time(board));
        if (board->irq) {
            assert_true(alarm <= get_time(board) + 1000);
            put(board, CLEAR_INTERRUPT, 0);
            alarms++;
        }
        assert_false(board->irq);
    }
    assert_true(alarms > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(syscon_reboots_on_its_value_only, setup, teardown),
        cmocka_unit_test_setup_teardown(syscon_stores, setup, teardown),
        cmocka_unit_test_setup_teardown(clock_follows_simulated_time, setup, teardown),
        cmocka_unit_test_setup_teardown(high_half_is_latched, setup, teardown),
        cmocka_unit_test_setup_teardown(clock_can_be_set, setup, teardown),
        cmocka_unit_test_setup_teardown(alarm_fires_at_its_time_and_not_before, setup, teardown),
        cmocka_unit_test_setup_teardown(alarm_in_the_past_fires_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(alarm_can_be_cleared, setup, teardown),
        cmocka_unit_test_setup_teardown(interrupt_waits_for_its_enable, setup, teardown),
        cmocka_unit_test_setup_teardown(alarm_follows_a_set_clock, setup, teardown),
        cmocka_unit_test_setup_teardown(alarm_beyond_all_time_never_fires, setup, teardown),
        cmocka_unit_test_setup_teardown(any_guest_gets_its_alarms, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
