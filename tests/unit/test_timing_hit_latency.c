/* Hits: SOSP'95 table 3.1, "the latency of the miss as observed by the processor"; and causes of longer latencies. */
#include "timing_machine.h"

static void first_level(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS);
    load_at(m, 0, A, 0);
    assert_int_equal(load_at(m, 0, A + 12, 101), 0);
    assert_int_equal(load_at(m, 0, A, 102), 0);
    done(m);
}

/* 50 ns at 200 MHz: with everything else configured, but without contention. */
static void second_level(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "", BUS, BUS "bus.model=atomic dram.banks=1",
        "cache.l2.occupancy=50 cache.l1d.write_buffer.depth=1 cache.l2.write_buffer.depth=1"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct machine *m = machine(1, settings[i]);
        assert_int_equal(load_at(m, 0, A, 0), 100);
        assert_int_equal(load_at(m, 0, A + 16, 101), 10);
        assert_int_equal(fetch_at(m, 0, A + 32, 200), 10);
        assert_int_equal(charged(m, 0), 120);
        done(m);
    }
}

/* A second level that a write-buffer entry keeps busy: cache.l2.occupancy = 40 cycles, from 100 on. */
static void second_level_that_is_busy(void **state)
{
    (void)state;
    for (cycles now = 100; now < 150; now++) {
        struct machine *m = machine(1, "cache.l1d.write=through cache.l1d.write_buffer.depth=4 cache.l2.occupancy=200");
        load_at(m, 0, A, 0);
        assert_int_equal(store_at(m, 0, A, 100), 0); /* uniprocessor: the first store upgrades at no cost */
        unsigned expected = now > 100 && now < 140 ? 140 - (unsigned)now : 0;
        assert_int_equal(load_at(m, 0, A + 64, now), 10 + expected);
        assert_int_equal(charged(m, 0), 100 + 10 + expected);
        done(m);
    }
}

/* Three levels: the third's 200 ns. */
static void third_level(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=three-level cache.l2.size=64K " BUS);
    assert_int_equal(load_at(m, 0, A, 0), 100);
    assert_int_equal(load_at(m, 0, A + 0x10000, 200), 100);
    assert_int_equal(load_at(m, 0, A + 0x2000, 400), 100); /* both remain in the first and the third level */
    assert_int_equal(load_at(m, 0, A + 0x10000 + 16, 600), 10);
    assert_int_equal(load_at(m, 0, A + 16, 800), 40);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_level),
        cmocka_unit_test(second_level),
        cmocka_unit_test(second_level_that_is_busy),
        cmocka_unit_test(third_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
