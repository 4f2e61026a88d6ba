/* Two CPUs share a line and store to it at the same time: one upgrades, the other loses its copy and misses. */
#include "timing_machine.h"

static struct machine *sharers(unsigned cpus, const char *settings)
{
    struct machine *m = machine(cpus, settings);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        load_at(m, cpu, A, 1000 * cpu);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        memset(&m->bucket[cpu], 0, sizeof m->bucket[cpu]);
    return m;
}

/* The upgrade holds the address wires for [100004, 100008). */
static void the_second_misses(void **state)
{
    (void)state;
    for (unsigned later = 0; later < 10; later++) {
        struct machine *m = sharers(2, BUS);
        assert_int_equal(store_at(m, 0, A, 100000), 100);
        unsigned expected = later < ADDRESS ? ADDRESS - later : 0;
        assert_int_equal(store_at(m, 1, A, 100000 + later), 100 + expected);
        assert_int_equal(m->bucket[0].stall[STALL_UPGRADE], 100);
        assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], 0);
        assert_int_equal(m->bucket[1].stall[STALL_L2D], 100 + expected);
        assert_int_equal(value(m, "bus.upgrades"), 1);
        assert_int_equal(value(m, "bus.supplies"), 1);
        assert_int_equal(value(m, "cpu0.l2.upgrades") + value(m, "cpu1.l2.upgrades"), 1);
        done(m);
    }
}

/* Different lines: two upgrades, their address phases in sequence. */
static void two_lines(void **state)
{
    (void)state;
    for (unsigned later = 0; later < 10; later++) {
        struct machine *m = machine(2, BUS);
        load_at(m, 0, A, 0);
        load_at(m, 1, 2 * A, 1000);
        assert_int_equal(store_at(m, 0, A, 2000), 100);
        unsigned expected = later < ADDRESS ? ADDRESS - later : 0;
        assert_int_equal(store_at(m, 1, 2 * A, 2000 + later), 100 + expected);
        assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], 100 + expected);
        done(m);
    }
}

/* An upgrade may be faster than a miss; it waits only for others' address phases, not for their data. */
static void faster_upgrades(void **state)
{
    (void)state;
    struct machine *m = sharers(2, BUS "memory.upgrade_time=100");
    load_at(m, 0, 2 * A, 100000); /* data [100036, 100100) */
    assert_int_equal(store_at(m, 1, A, 100040), 20);
    done(m);
}

/* Update protocol: both keep the line, and both use the bus for a datum. */
static void updates(void **state)
{
    (void)state;
    struct machine *m = sharers(2, BUS "cache.protocol=firefly memory.update_time=200");
    assert_int_equal(store_at(m, 0, A, 100000), 40);
    assert_int_equal(store_at(m, 1, A, 100000), 40 + ADDRESS);
    assert_int_equal(store_at(m, 0, A, 100100), 40);
    assert_int_equal(load_at(m, 1, A, 100200), 0);
    assert_int_equal(value(m, "bus.updates"), 3);
    assert_int_equal(value(m, "bus.data.busy"), 2 * DATA + 3 * 4);
    assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], 44);
    done(m);
}

/* Eight at once: one upgrade, then the line is passed on. Cache to cache: address [8, 12), response, data from 40 on,
 * 64 each. */
static void eight_sharers(void **state)
{
    (void)state;
    struct machine *m = sharers(8, BUS);
    assert_int_equal(store_at(m, 0, A, 100000), 100);
    for (unsigned cpu = 1; cpu < 8; cpu++)
        assert_int_equal(store_at(m, cpu, A, 100000), 100 + ADDRESS + DATA * (cpu - 1));
    assert_int_equal(value(m, "bus.upgrades"), 1);
    assert_int_equal(value(m, "bus.supplies"), 7);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_misses), cmocka_unit_test(two_lines),     cmocka_unit_test(faster_upgrades),
        cmocka_unit_test(updates),           cmocka_unit_test(eight_sharers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
