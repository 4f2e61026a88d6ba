/*
 * The interrupt controller: routing, edges and levels, masks, local interrupts, compare timers, counts; and that pins
 * always agree with its registers.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "devices/board/gic.h"
#include "src/base/board.h"

enum {
    CPUS = 4,
    CONFIG = 0x0000,
    COUNTER = 0x0010,
    POL = 0x0100,
    TRIG = 0x0180,
    DUAL = 0x0200,
    WEDGE = 0x0280,
    RMASK = 0x0300,
    SMASK = 0x0380,
    MASK = 0x0400,
    PEND = 0x0480,
    MAP_PIN = 0x0500,
    MAP_VPE = 0x2000,
    LOCAL = 0x8000,
    OTHER = 0xc000,
    USER = 0x10000,
    CTL = 0x00,
    VL_PEND = 0x04,
    VL_MASK = 0x08,
    VL_RMASK = 0x0c,
    VL_SMASK = 0x10,
    VL_MAP = 0x40,
    VL_OTHER = 0x80,
    VL_IDENT = 0x88,
    VL_COMPARE = 0xa0,
};

#define TO_PIN   0x80000000u
#define COUNTING (1u << 28)

struct board {
    struct log *log;
    struct event_queue *queue;
    struct gic *gic;
    unsigned cpus;
    bool pin[GIC_MAX_CPUS][GIC_PIN_COUNT];
    int calls;
};

static void set_pin(void *opaque, unsigned cpu, unsigned pin, bool level)
{
    struct board *board = opaque;
    assert_true(cpu < board->cpus && pin < GIC_PIN_COUNT);
    assert_int_not_equal(board->pin[cpu][pin], level); /* called for changes only */
    board->pin[cpu][pin] = level;
    board->calls++;
}

static const struct gic_cpu_ops cpu_ops = {set_pin};

static int setup_at(void **state, uint64_t clock_hz, unsigned cpus)
{
    struct board *board = calloc(1, sizeof *board);
    board->log = log_create(true);
    board->cpus = cpus;
    board->queue = event_queue_create(clock_hz);
    board->gic = gic_create(board->queue, cpus, &cpu_ops, board, board->log);
    *state = board;
    return 0;
}

static int setup(void **state)
{
    return setup_at(state, 2 * (uint64_t)BOARD_COUNT_HZ, CPUS); /* two cycles a tick */
}

static int setup_of_64(void **state)
{
    return setup_at(state, 2 * (uint64_t)BOARD_COUNT_HZ, 64);
}

static int teardown(void **state)
{
    struct board *board = *state;
    gic_free(board->gic);
    event_queue_free(board->queue);
    log_free(board->log);
    free(board);
    return 0;
}

static uint32_t get(struct board *board, unsigned cpu, uint32_t offset)
{
    return gic_device_ops.read(board->gic, offset, 4, cpu);
}

static void put(struct board *board, unsigned cpu, uint32_t offset, uint32_t value)
{
    gic_device_ops.write(board->gic, offset, 4, value, cpu);
}

static uint64_t counter(struct board *board)
{
    return (uint64_t)get(board, 0, COUNTER + 4) << 32 | get(board, 0, COUNTER);
}

static void put_compare(struct board *board, unsigned cpu, uint64_t value)
{
    put(board, cpu, LOCAL + VL_COMPARE + 4, (uint32_t)(value >> 32));
    put(board, cpu, LOCAL + VL_COMPARE, (uint32_t)value);
}

static int pins_high(const struct board *board)
{
    int high = 0;
    for (unsigned cpu = 0; cpu < board->cpus; cpu++) {
        for (int pin = 0; pin < GIC_PIN_COUNT; pin++)
            high += board->pin[cpu][pin];
    }
    return high;
}

static void says_what_it_has(void **state)
{
    struct board *board = *state;
    /* running, 64-bit counter, 128 interrupts, 4 processors */
    assert_int_equal(get(board, 0, CONFIG), 8u << 24 | 15u << 16 | (CPUS - 1));
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        assert_int_equal(get(board, cpu, LOCAL + VL_IDENT), cpu);
        assert_int_equal(get(board, cpu, LOCAL + CTL), 6);
    }
    put(board, 0, LOCAL + CTL, 1);
    assert_int_equal(get(board, 0, LOCAL + CTL), 6); /* no EIC mode */
}

static void level_interrupt_reaches_the_mapped_pin(void **state)
{
    struct board *board = *state;
    struct irq_line line = gic_input(board->gic, 37);
    put(board, 0, MAP_PIN + 4 * 37, TO_PIN | 3);
    put(board, 0, MAP_VPE + 32 * 37, 1 << 2);
    irq_set(&line, true);
    assert_int_equal(get(board, 0, PEND + 4), 1 << 5); /* pending is visible although masked */
    assert_int_equal(pins_high(board), 0);
    put(board, 0, SMASK + 4, 1 << 5);
    assert_int_equal(get(board, 0, MASK + 4), 1 << 5);
    assert_true(board->pin[2][3]);
    assert_int_equal(pins_high(board), 1);
    put(board, 0, RMASK + 4, 1 << 5);
    assert_int_equal(pins_high(board), 0);
    put(board, 0, SMASK + 4, 1 << 5);
    assert_true(board->pin[2][3]);
    irq_set(&line, true); /* same level again */
    put(board, 0, MAP_VPE + 32 * 37, 1 << 1);
    assert_true(board->pin[1][3]);
    assert_int_equal(pins_high(board), 1);
    put(board, 0, MAP_PIN + 4 * 37, TO_PIN | 0);
    assert_true(board->pin[1][0]);
    assert_int_equal(pins_high(board), 1);
    irq_set(&line, false);
    assert_int_equal(pins_high(board), 0);
    assert_int_equal(get(board, 0, PEND + 4), 0);
}

static void one_pin_serves_several_inputs(void **state)
{
    struct board *board = *state;
    struct irq_line a = gic_input(board->gic, 0), b = gic_input(board->gic, 127);
    put(board, 0, MAP_VPE, 1);
    put(board, 0, MAP_VPE + 32 * 127, 1);
    put(board, 0, SMASK, 1);
    put(board, 0, SMASK + 12, 1u << 31);
    irq_set(&a, true);
    irq_set(&b, true);
    irq_set(&a, false);
    assert_true(board->pin[0][0]);
    irq_set(&b, false);
    assert_false(board->pin[0][0]);
    assert_int_equal(board->calls, 2);
}

static void active_low_level(void **state)
{
    struct board *board = *state;
    struct irq_line line = gic_input(board->gic, 1);
    put(board, 0, MAP_VPE + 32, 1);
    put(board, 0, SMASK, 2);
    put(board, 0, POL, ~2u);
    assert_true(board->pin[0][0]);
    irq_set(&line, true);
    assert_false(board->pin[0][0]);
    irq_set(&line, false);
    assert_true(board->pin[0][0]);
}

static void edges_are_latched(void **state)
{
    struct board *board = *state;
    struct irq_line line = gic_input(board->gic, 2);
    put(board, 0, MAP_VPE + 64, 1);
    put(board, 0, SMASK, 4);
    put(board, 0, TRIG, 4);

    irq_set(&line, true); /* rising */
    irq_set(&line, false);
    assert_true(board->pin[0][0]);
    put(board, 0, WEDGE, 2); /* acknowledge */
    assert_false(board->pin[0][0]);

    put(board, 0, POL, ~4u); /* falling */
    irq_set(&line, true);
    assert_false(board->pin[0][0]);
    irq_set(&line, false);
    assert_true(board->pin[0][0]);
    put(board, 0, WEDGE, 2);

    put(board, 0, DUAL, 4); /* both */
    irq_set(&line, true);
    assert_true(board->pin[0][0]);
    put(board, 0, WEDGE, 2);
    assert_false(board->pin[0][0]);
    irq_set(&line, false);
    assert_true(board->pin[0][0]);

    put(board, 0, TRIG, 0); /* pending as an active-low level, not as an active-high one; the latched edge is cleared */
    assert_true(board->pin[0][0]);
    put(board, 0, POL, ~0u);
    assert_false(board->pin[0][0]);
    put(board, 0, TRIG, 4);
    assert_false(board->pin[0][0]);
}

static void edge_that_arrives_masked_is_kept(void **state)
{
    struct board *board = *state;
    struct irq_line line = gic_input(board->gic, 2);
    put(board, 0, MAP_VPE + 64, 1);
    put(board, 0, TRIG, 4);
    irq_set(&line, true);
    irq_set(&line, false);
    assert_false(board->pin[0][0]);
    put(board, 0, SMASK, 4);
    assert_true(board->pin[0][0]);
}

static void wedge_sends_an_interrupt_to_another_cpu(void **state)
{
    struct board *board = *state;
    unsigned number = 120 + 3;
    put(board, 0, TRIG + 12, 1u << 27);
    put(board, 0, MAP_PIN + 4 * number, TO_PIN | 0);
    put(board, 0, MAP_VPE + 32 * number, 1 << 3);
    put(board, 0, SMASK + 12, 1u << 27);
    put(board, 0, WEDGE, TO_PIN | number);
    assert_true(board->pin[3][0]);
    assert_int_equal(pins_high(board), 1);
    put(board, 3, WEDGE, number);
    assert_int_equal(pins_high(board), 0);
    /* level-triggered interrupts and interrupts that do not exist take no wedge */
    put(board, 0, SMASK, ~0u);
    put(board, 0, MAP_VPE, 1);
    put(board, 0, WEDGE, TO_PIN | 0);
    put(board, 0, WEDGE, TO_PIN | 128);
    put(board, 0, WEDGE, TO_PIN | 255);
    assert_int_equal(pins_high(board), 0);
}

/* With 64 processors there are 256 shared interrupts, and the second word of a map has processors 63:32. */
static void sixty_four_processors(void **state)
{
    struct board *board = *state;
    assert_int_equal(get(board, 0, CONFIG), 8u << 24 | 31u << 16 | 63);
    for (unsigned cpu = 0; cpu < 64; cpu++) {
        const unsigned number = 192 + cpu;
        put(board, 0, TRIG + number / 32 * 4, ~0u);
        put(board, 0, MAP_PIN + 4 * number, TO_PIN | 1);
        put(board, 0, MAP_VPE + 32 * number + cpu / 32 * 4, 1u << cpu % 32);
        put(board, 0, SMASK + number / 32 * 4, 1u << number % 32);
    }
    for (unsigned cpu = 0; cpu < 64; cpu++) {
        assert_int_equal(get(board, cpu, LOCAL + VL_IDENT), cpu);
        put(board, 63 - cpu, WEDGE, TO_PIN | (192 + cpu));
        assert_true(board->pin[cpu][1]);
        assert_int_equal(pins_high(board), 1);
        put(board, cpu, WEDGE, 192 + cpu);
        assert_int_equal(pins_high(board), 0);
    }
    put(board, 0, MAP_VPE + 32 * 255, 1u << 31); /* a second processor */
    put(board, 0, WEDGE, TO_PIN | 255);
    assert_true(board->pin[31][1] && board->pin[63][1]);
    assert_int_equal(pins_high(board), 2);
    put(board, 0, LOCAL + VL_OTHER, 63);
    assert_int_equal(get(board, 0, OTHER + VL_IDENT), 63);
}

static void maps_that_lead_nowhere_deliver_nothing(void **state)
{
    struct board *board = *state;
    struct irq_line line = gic_input(board->gic, 0);
    put(board, 0, SMASK, 1);
    put(board, 0, MAP_VPE, 1);
    irq_set(&line, true);
    assert_int_equal(pins_high(board), 1);
    put(board, 0, MAP_PIN, TO_PIN | 6);
    assert_int_equal(pins_high(board), 0);
    put(board, 0, MAP_PIN, 0x40000000u); /* routed to NMI, which is not modelled */
    assert_int_equal(pins_high(board), 0);
    put(board, 0, MAP_PIN, 2); /* routed to nothing */
    assert_int_equal(pins_high(board), 0);
    put(board, 0, MAP_PIN, TO_PIN | 2);
    assert_true(board->pin[0][2]);
    put(board, 0, MAP_VPE, 1u << CPUS); /* routed to a processor that does not exist */
    assert_int_equal(get(board, 0, MAP_VPE), 0);
    assert_int_equal(pins_high(board), 0);
}

static void core_outputs_come_back_on_ip7_after_reset(void **state)
{
    struct board *board = *state;
    gic_cpu_timer(board->gic, 1, true);
    assert_true(board->pin[1][5]);
    gic_cpu_perf_counter(board->gic, 1, true);
    gic_cpu_timer(board->gic, 1, false);
    assert_true(board->pin[1][5]);
    assert_int_equal(get(board, 1, LOCAL + VL_PEND), 1 << GIC_LOCAL_PERF_COUNTER);
    gic_cpu_perf_counter(board->gic, 1, false);
    assert_int_equal(pins_high(board), 0);
}

static void local_interrupts_are_masked_and_mapped(void **state)
{
    struct board *board = *state;
    put(board, 1, LOCAL + VL_RMASK, ~0u);
    assert_int_equal(get(board, 1, LOCAL + VL_MASK), 0);
    gic_cpu_timer(board->gic, 1, true);
    gic_cpu_perf_counter(board->gic, 1, true);
    assert_int_equal(pins_high(board), 0);
    put(board, 1, LOCAL + VL_MAP + 4 * 2, TO_PIN | 1); /* timer */
    /* performance counter: register 4, after that of the debug channel */
    put(board, 1, LOCAL + VL_MAP + 4 * 4, TO_PIN | 4);
    put(board, 1, LOCAL + VL_SMASK, ~0u);
    assert_int_equal(get(board, 1, LOCAL + VL_MASK), 0x7f);
    assert_true(board->pin[1][1] && board->pin[1][4]);
    assert_int_equal(pins_high(board), 2);
    put(board, 1, LOCAL + VL_RMASK, 1 << GIC_LOCAL_TIMER);
    assert_true(!board->pin[1][1] && board->pin[1][4]);
}

static void other_section_is_that_of_another_cpu(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + VL_OTHER, 2);
    put(board, 1, LOCAL + VL_OTHER, 3); /* each requester has its own */
    assert_int_equal(get(board, 0, OTHER + VL_IDENT), 2);
    assert_int_equal(get(board, 1, OTHER + VL_IDENT), 3);
    put(board, 0, OTHER + VL_MAP + 4, TO_PIN | 2);
    put(board, 0, OTHER + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    assert_int_equal(get(board, 2, LOCAL + VL_MAP + 4), TO_PIN | 2);
    assert_true(get(board, 2, LOCAL + VL_MASK) & 1 << GIC_LOCAL_COMPARE);
    assert_false(get(board, 3, LOCAL + VL_MASK) & 1 << GIC_LOCAL_COMPARE);
    static const uint32_t nobody[] = {CPUS, 63};
    for (int i = 0; i < 2; i++) {
        put(board, 0, LOCAL + VL_OTHER, nobody[i]);
        put(board, 0, OTHER + VL_SMASK, ~0u);
        assert_int_equal(get(board, 0, OTHER + VL_MASK), 0);
    }
}

static void counter_follows_simulated_time(void **state)
{
    struct board *board = *state;
    assert_int_equal(counter(board), 0);
    event_queue_run(board->queue, 1999);
    assert_int_equal(counter(board), 999);
    assert_int_equal(get(board, 0, USER), 999);
    event_queue_run(board->queue, 2000);
    assert_int_equal(counter(board), 1000);
    event_queue_run(board->queue, 2 * ((5ull << 32) + 7));
    assert_true(counter(board) == (5ull << 32) + 7);
    assert_int_equal(get(board, 0, USER), 7);
    assert_int_equal(get(board, 0, USER + 4), 5);
    assert_true(gic_counter(board->gic) == (5ull << 32) + 7);
}

static void counter_can_be_stopped_and_set(void **state)
{
    struct board *board = *state;
    event_queue_run(board->queue, 200);
    put(board, 0, CONFIG, COUNTING);
    assert_true(get(board, 0, CONFIG) & COUNTING);
    event_queue_run(board->queue, 2000);
    assert_int_equal(counter(board), 100);
    put(board, 0, COUNTER, 0xfffffff0);
    put(board, 0, COUNTER + 4, 1);
    event_queue_run(board->queue, 3000);
    assert_true(counter(board) == 0x1fffffff0ull);
    put(board, 0, CONFIG, 0);
    event_queue_run(board->queue, 3064);
    assert_true(counter(board) == 0x200000010ull);
}

static void compare_fires_at_its_tick_and_not_before(void **state)
{
    struct board *board = *state;
    put(board, 1, LOCAL + VL_MAP + 4, TO_PIN | 0);
    put(board, 1, LOCAL + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    put_compare(board, 1, 1000);
    event_queue_run(board->queue, 1999);
    assert_int_equal(pins_high(board), 0);
    event_queue_run(board->queue, 2000);
    assert_true(board->pin[1][0]);
    assert_int_equal(get(board, 1, LOCAL + VL_PEND), 1 << GIC_LOCAL_COMPARE);
    event_queue_run(board->queue, 2010);
    put_compare(board, 1, 1000); /* acknowledged as the driver does it: passed, does not fire again */
    assert_int_equal(pins_high(board), 0);
    event_queue_run(board->queue, 4000000000ull);
    assert_int_equal(pins_high(board), 0);
    put_compare(board, 1, counter(board)); /* the counter equals the compare value in this cycle */
    assert_int_equal(pins_high(board), 1);
}

static void compare_of_another_cpu(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + VL_OTHER, 3);
    put(board, 0, OTHER + VL_MAP + 4, TO_PIN | 1);
    put(board, 0, OTHER + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    put(board, 0, OTHER + VL_COMPARE + 4, 0);
    put(board, 0, OTHER + VL_COMPARE, 50);
    assert_int_equal(get(board, 3, LOCAL + VL_COMPARE), 50);
    assert_int_equal(event_queue_next(board->queue), 100);
    event_queue_run(board->queue, 100);
    assert_true(board->pin[3][1]);
}

static void compare_waits_while_the_counter_is_stopped(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    put_compare(board, 0, 100);
    event_queue_run(board->queue, 100);
    put(board, 0, CONFIG, COUNTING);
    event_queue_run(board->queue, 1000);
    assert_int_equal(pins_high(board), 0);
    put(board, 0, CONFIG, 0);
    event_queue_run(board->queue, 1099);
    assert_int_equal(pins_high(board), 0);
    event_queue_run(board->queue, 1100);
    assert_int_equal(pins_high(board), 1);
}

static void counter_write_moves_the_compare(void **state)
{
    struct board *board = *state;
    put(board, 0, LOCAL + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    put_compare(board, 0, 0x500000000ull);
    put(board, 0, COUNTER + 4, 4);
    put(board, 0, COUNTER, 0xffffffff);
    event_queue_run(board->queue, 1);
    assert_int_equal(pins_high(board), 0);
    event_queue_run(board->queue, 2);
    assert_int_equal(pins_high(board), 1);
}

/* A clock whose cycle is no whole number of ticks: the match fires in the first cycle of its tick. */
static void compare_at_an_odd_clock(void **state)
{
    struct board *board;
    setup_at((void **)&board, 333333333, CPUS);
    put(board, 0, LOCAL + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    for (uint64_t tick = 1; tick < 300; tick += 7) {
        put_compare(board, 0, tick);
        while (!board->pin[0][0]) {
            assert_true(counter(board) < tick);
            event_queue_run(board->queue, board->queue->now + 1);
        }
        assert_true(counter(board) == tick);
        put_compare(board, 0, 0);
    }
    teardown((void **)&board);
    (void)state;
}

static double stat(struct stats *stats, const char *name)
{
    double value = -1;
    assert_true(stats_value(stats, name, &value));
    return value;
}

static void deliveries_are_counted_by_kind(void **state)
{
    struct board *board = *state;
    struct irq_line line = gic_input(board->gic, 8);
    struct stats *stats = stats_create();
    gic_register_stats(board->gic, stats);
    put(board, 0, MAP_VPE + 32 * 8, 1 << 1);
    put(board, 0, SMASK, 1 << 8);
    for (int i = 0; i < 3; i++) {
        irq_set(&line, true);
        irq_set(&line, false);
    }
    put(board, 0, TRIG + 12, 1u << 31);
    put(board, 0, MAP_VPE + 32 * 127, 1 << 2);
    put(board, 0, SMASK + 12, 1u << 31);
    for (int i = 0; i < 5; i++) {
        put(board, 0, WEDGE, TO_PIN | 127);
        put(board, 0, WEDGE, TO_PIN | 127); /* pending already: no second delivery */
        put(board, 2, WEDGE, 127);
    }
    put(board, 3, LOCAL + VL_SMASK, 1 << GIC_LOCAL_COMPARE);
    put_compare(board, 3, 10);
    event_queue_run(board->queue, 20);
    gic_cpu_timer(board->gic, 0, true);
    gic_cpu_timer(board->gic, 0, true);
    assert_int_equal(stat(stats, "gic.cpu1.shared"), 3);
    assert_int_equal(stat(stats, "gic.input8"), 3);
    assert_int_equal(stat(stats, "gic.cpu2.ipi"), 5);
    assert_int_equal(stat(stats, "gic.cpu2.shared"), 0);
    assert_int_equal(stat(stats, "gic.cpu3.compare"), 1);
    assert_int_equal(stat(stats, "gic.cpu0.timer"), 1);
    assert_int_equal(stat(stats, "gic.cpu1.timer"), 0);
    double none;
    assert_false(stats_value(stats, "gic.input9", &none));
    stats_free(stats);
}

static void narrow_accesses(void **state)
{
    struct board *board = *state;
    put(board, 0, MAP_PIN, TO_PIN | 0x25);
    assert_int_equal(gic_device_ops.read(board->gic, MAP_PIN, 1, 0), 0x25);
    assert_int_equal(gic_device_ops.read(board->gic, MAP_PIN + 3, 1, 0), 0x80);
    assert_int_equal(gic_device_ops.read(board->gic, MAP_PIN + 2, 2, 0), 0x8000);
    gic_device_ops.write(board->gic, MAP_PIN, 1, 1, 0);
    assert_int_equal(get(board, 0, MAP_PIN), TO_PIN | 0x25);
}

/* Compare the pins with what the registers imply. */
static void check_pins(struct board *board)
{
    static const unsigned map_of_local[GIC_LOCAL_COUNT] = {0, 1, 2, 4, 5, 6, 3};
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        bool pin[GIC_PIN_COUNT] = {0};
        for (unsigned n = 0; n < GIC_SHARED_COUNT; n++) {
            bool active =
                get(board, cpu, PEND + n / 32 * 4) & get(board, cpu, MASK + n / 32 * 4) & 1u << n % 32 ? true : false;
            uint32_t map = get(board, cpu, MAP_PIN + 4 * n);
            if (active && map >> 31 && (map & 0x3f) < GIC_PIN_COUNT && get(board, cpu, MAP_VPE + 32 * n) >> cpu & 1)
                pin[map & 0x3f] = true;
        }
        for (unsigned n = 0; n < GIC_LOCAL_COUNT; n++) {
            uint32_t map = get(board, cpu, LOCAL + VL_MAP + 4 * map_of_local[n]);
            if ((get(board, cpu, LOCAL + VL_PEND) & get(board, cpu, LOCAL + VL_MASK)) >> n & 1 && map >> 31 &&
                (map & 0x3f) < GIC_PIN_COUNT)
                pin[map & 0x3f] = true;
        }
        assert_memory_equal(pin, board->pin[cpu], sizeof pin);
    }
}

static uint32_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 16);
}

static void any_guest_keeps_pins_and_registers_in_step(void **state)
{
    struct board *board = *state;
    static const uint32_t places[] = {0x0,    0x10,   0x14,   0x100,  0x180,  0x200,  0x280,  0x300,  0x380,
                                      0x500,  0x2000, 0x8000, 0x800c, 0x8010, 0x8040, 0x8044, 0x8048, 0x8080,
                                      0x80a0, 0x80a4, 0xc010, 0xc00c, 0xc040, 0xc0a0, 0xc0a4, 0x10000};
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (int step = 0; step < 20000; step++) {
        uint32_t what = random_next(&seed), value = random_next(&seed), place = random_next(&seed);
        unsigned cpu = place >> 28 & 3;
        if (what % 4 == 0) { /* anywhere, any size */
            unsigned size = 1u << (what >> 8 & 1 ? 2 : what >> 9 & 1);
            uint32_t offset = place % BOARD_GIC_SIZE / size * size;
            gic_device_ops.read(board->gic, offset, size, cpu);
            gic_device_ops.write(board->gic, offset, size, value, cpu);
        } else if (what % 4 == 1) { /* registers that matter */
            uint32_t offset = places[place % (sizeof places / sizeof places[0])];
            if (offset >= 0x100 && offset < 0x400 && offset != 0x280)
                offset += 4 * (what >> 8 & 3);
            if (offset == 0x500 || offset == 0x2000)
                offset += (offset == 0x500 ? 4 : 32) * (what >> 8 & 127);
            if (what >> 20 & 1)
                value &= 0x8000000fu;
            put(board, cpu, offset, value);
        } else if (what % 4 == 2) { /* a device */
            struct irq_line line = gic_input(board->gic, value & 127);
            irq_set(&line, value >> 8 & 1);
        } else {
            gic_cpu_timer(board->gic, cpu, value & 1);
            gic_cpu_perf_counter(board->gic, cpu, value >> 1 & 1);
            event_queue_run(board->queue, board->queue->now + (value >> 8 & 0xff));
        }
        if (step % 16 == 0)
            check_pins(board);
    }
    assert_true(board->calls > 100); /* the random accesses moved pins */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(says_what_it_has, setup, teardown),
        cmocka_unit_test_setup_teardown(level_interrupt_reaches_the_mapped_pin, setup, teardown),
        cmocka_unit_test_setup_teardown(one_pin_serves_several_inputs, setup, teardown),
        cmocka_unit_test_setup_teardown(active_low_level, setup, teardown),
        cmocka_unit_test_setup_teardown(edges_are_latched, setup, teardown),
        cmocka_unit_test_setup_teardown(edge_that_arrives_masked_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(wedge_sends_an_interrupt_to_another_cpu, setup, teardown),
        cmocka_unit_test_setup_teardown(sixty_four_processors, setup_of_64, teardown),
        cmocka_unit_test_setup_teardown(maps_that_lead_nowhere_deliver_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(core_outputs_come_back_on_ip7_after_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(local_interrupts_are_masked_and_mapped, setup, teardown),
        cmocka_unit_test_setup_teardown(other_section_is_that_of_another_cpu, setup, teardown),
        cmocka_unit_test_setup_teardown(counter_follows_simulated_time, setup, teardown),
        cmocka_unit_test_setup_teardown(counter_can_be_stopped_and_set, setup, teardown),
        cmocka_unit_test_setup_teardown(compare_fires_at_its_tick_and_not_before, setup, teardown),
        cmocka_unit_test_setup_teardown(compare_of_another_cpu, setup, teardown),
        cmocka_unit_test_setup_teardown(compare_waits_while_the_counter_is_stopped, setup, teardown),
        cmocka_unit_test_setup_teardown(counter_write_moves_the_compare, setup, teardown),
        cmocka_unit_test(compare_at_an_odd_clock),
        cmocka_unit_test_setup_teardown(deliveries_are_counted_by_kind, setup, teardown),
        cmocka_unit_test_setup_teardown(narrow_accesses, setup, teardown),
        cmocka_unit_test_setup_teardown(any_guest_keeps_pins_and_registers_in_step, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
