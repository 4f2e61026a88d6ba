/* Contention of CPUs on the bus. */
#include "timing_machine.h"

/* Wait of a second CPU's miss, LATER cycles after the first CPU's. */
static unsigned second_miss(const char *settings, unsigned later)
{
    struct machine *m = machine(2, settings);
    assert_int_equal(load_at(m, 0, A, 1000), 100);
    unsigned stall = load_at(m, 1, 2 * A, 1000 + later);
    assert_int_equal(charged(m, 1), stall);
    assert_int_equal(m->bucket[1].stall[STALL_L2D], stall);
    done(m);
    return stall - 100;
}

/* Split transactions: the data phase of 64 cycles determines the wait. */
static void split_transactions(void **state)
{
    (void)state;
    for (unsigned later = 0; later < 120; later++)
        assert_int_equal(second_miss(BUS, later), later < DATA ? DATA - later : 0);
}

/* Atomic: the bus is held for 96 of the 100 cycles; the next arbitration overlaps. */
static void atomic_transactions(void **state)
{
    (void)state;
    for (unsigned later = 0; later < 120; later++)
        assert_int_equal(second_miss(BUS "bus.model=atomic", later), later < 96 ? 96 - later : 0);
}

/* Contention off: latencies only, whatever the bus parameters. */
static void contention_off(void **state)
{
    (void)state;
    assert_int_equal(second_miss("bus.model=atomic bus.clock=1MHz dram.banks=1", 0), 0);
    assert_int_equal(second_miss(BUS "memory.contention=off", 0), 0);
}

/* Twice the clock and twice the width: data phases of a quarter. */
static void faster_and_wider(void **state)
{
    (void)state;
    assert_int_equal(second_miss(BUS "bus.clock=100MHz", 0), DATA / 2);
    assert_int_equal(second_miss(BUS "bus.width=16", 0), DATA / 2);
    assert_int_equal(second_miss(BUS "bus.clock=100MHz bus.width=16", 0), DATA / 4);
}

/* Without a bus CPUs contend for memory banks: adjacent lines are in different banks. */
static void banks_only(void **state)
{
    (void)state;
    struct machine *m = machine(2, "memory.contention=on bus.model=none dram.banks=2");
    assert_int_equal(load_at(m, 0, A, 0), 100);
    assert_int_equal(load_at(m, 1, A + 128, 0), 100);
    assert_int_equal(load_at(m, 0, A + 256, 199), 100);
    assert_int_equal(load_at(m, 1, A + 512, 200), 199);
    done(m);
}

/* Sixteen CPUs at once: the last waits for fifteen data phases; a CPU a quantum behind uses the remaining gaps. */
static void sixteen_cpus(void **state)
{
    (void)state;
    struct machine *m = machine(16, BUS);
    for (unsigned cpu = 0; cpu < 16; cpu++)
        assert_int_equal(load_at(m, cpu, A + 0x1000 * cpu, 500), 100 + DATA * cpu);
    assert_int_equal(load_at(m, 0, 2 * A, 400), 100); /* before all of them: data [436, 500) */
    assert_int_equal(value(m, "bus.data.busy"), 17 * DATA);
    assert_int_equal(value(m, "bus.data.wait") + value(m, "bus.address.wait"), DATA * 15 * 16 / 2);
    done(m);
}

/* A fetch is charged as one. */
static void fetches(void **state)
{
    (void)state;
    struct machine *m = machine(2, BUS);
    load_at(m, 0, A, 0);
    assert_int_equal(fetch_at(m, 1, 2 * A, 0), 164);
    assert_int_equal(m->bucket[1].stall[STALL_L2I], 164);
    done(m);
}

/* The same calls give the same times. */
static uint64_t busy_hour(void)
{
    struct machine *m = machine(4, BUS "dram.banks=4 cache.l1d.write_buffer.depth=2 cache.l2.write_buffer.depth=4 "
                                       "cache.l2.occupancy=30");
    cycles now[4] = {0};
    unsigned seed = 1;
    for (unsigned i = 0; i < 200000; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned cpu = 0;
        for (unsigned other = 1; other < 4; other++)
            if (now[other] / 50 < now[cpu] / 50)
                cpu = other;
        paddr address = A + (seed >> 4) % 0x200000 / 4 * 4;
        now[cpu] += 1 + (seed >> 28) + at(m, cpu, (seed >> 26) % 3, address, now[cpu]);
    }
    assert_int_equal(value(m, "bus.data.late"), 0);
    uint64_t sum = 0;
    for (unsigned cpu = 0; cpu < 4; cpu++)
        sum = sum * 1000003 + now[cpu];
    done(m);
    return sum;
}

static void deterministic(void **state)
{
    (void)state;
    assert_true(busy_hour() == busy_hour());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_transactions),
        cmocka_unit_test(atomic_transactions),
        cmocka_unit_test(contention_off),
        cmocka_unit_test(faster_and_wider),
        cmocka_unit_test(banks_only),
        cmocka_unit_test(sixteen_cpus),
        cmocka_unit_test(fetches),
        cmocka_unit_test(deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
