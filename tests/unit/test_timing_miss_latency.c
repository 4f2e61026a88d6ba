/* Misses: SOSP'95 table 3.1 has 500 ns without contention, whatever the components. */
#include "timing_machine.h"

static void memory_takes_what_the_table_says(void **state)
{
    (void)state;
    static const char *const settings[] = {"", BUS, BUS "bus.model=atomic dram.banks=1",
                                           BUS "bus.multiplexed=on dram.latency=100 bus.request_time=20",
                                           BUS "bus.model=none dram.banks=1"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct machine *m = machine(2, settings[i]);
        assert_int_equal(load_at(m, 0, A, 0), 100);
        assert_int_equal(fetch_at(m, 0, 2 * A, 1000), 100);
        assert_int_equal(store_at(m, 0, 3 * A, 2000), 100);
        assert_int_equal(load_at(m, 1, 3 * A, 3000), 100);  /* from the other CPU's cache */
        assert_int_equal(store_at(m, 1, 3 * A, 4000), 100); /* upgrade */
        assert_int_equal(store_at(m, 0, 3 * A, 5000), 100);
        assert_int_equal(charged(m, 0), 400);
        assert_int_equal(charged(m, 1), 200);
        done(m);
    }
}

/* One CPU never contends with itself: its next miss begins when the previous one has ended. */
static void one_cpu_alone_never_waits(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS "bus.model=atomic");
    cycles now = 0;
    for (paddr address = A; address < A + 0x10000; address += 128)
        now += 1 + load_at(m, 0, address, now);
    assert_int_equal(now, 512 * 101);
    done(m);
}

/* ... unless memory has a recovery time: 800 ns from the start of each access. The first reaches the bank at 8, the
 * second at 101 + 8, when it is busy until 168. */
static void a_bank_that_recovers_slowly(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS "dram.banks=1 dram.bank_busy=800");
    assert_int_equal(load_at(m, 0, A, 0), 100);
    assert_int_equal(load_at(m, 0, 2 * A, 101), 100 + 59);
    /* the bank is busy in [168, 328); this access reaches it at 328 */
    assert_int_equal(load_at(m, 0, 3 * A, 320), 100);
    assert_int_equal(load_at(m, 0, 4 * A, 320 + 159), 100 + 1);
    done(m);
}

/* An uncached access: its own latency, after earlier stores. */
static void uncached_accesses(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.write=through cache.l1d.write_buffer.depth=4 "
                                   "cache.l1d.write_buffer.retire=30 memory.uncached_latency=200");
    load_at(m, 0, A, 0);
    store_at(m, 0, A, 200); /* the buffer holds it until 230 */
    struct memsys_request request = {
        .access = MEMSYS_READ, .address = 0x1f000000, .size = 4, .now = 201, .bucket = &m->bucket[0]};
    assert_int_equal(memsys_uncached(m->memsys, 0, &request), 40 + 29);
    request.now = 230;
    assert_int_equal(memsys_uncached(m->memsys, 0, &request), 40);
    assert_int_equal(m->bucket[0].stall[STALL_UNCACHED], 40 + 29 + 40);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_takes_what_the_table_says),
        cmocka_unit_test(one_cpu_alone_never_waits),
        cmocka_unit_test(a_bank_that_recovers_slowly),
        cmocka_unit_test(uncached_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
