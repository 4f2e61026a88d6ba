/* A full write buffer: write-through stores, and victims. */
#include "timing_machine.h"

/* Monster: the DECstation 3100, 64K of 4-byte lines, write-through; 4 entries of a word, one retires per 5 cycles. */
#define DECSTATION                                                                                                     \
    "cache.model=one-level cache.l1i.size=64K cache.l1i.line=4 cache.l1i.ways=1 cache.l1d.size=64K "                   \
    "cache.l1d.line=4 cache.l1d.ways=1 cache.l1d.write=through cache.l1d.write_allocate=off memory.miss_time=299 "     \
    "cache.l1d.write_buffer.depth=4 cache.l1d.write_buffer.width=4 cache.l1d.write_buffer.retire=5"

static void decstation_stores(void **state)
{
    (void)state;
    struct machine *m = machine_at(16670000, 1, DECSTATION);
    assert_int_equal(load_at(m, 0, A, 0), 5); /* "read stalls ... result in a 5 cycle penalty" */
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(store_at(m, 0, A + 4 * i, 10 + i), 0); /* gone at 15, 20, 25, 30 */
    assert_int_equal(store_at(m, 0, A + 16, 14), 1);
    assert_int_equal(store_at(m, 0, A + 20, 19), 1);
    assert_int_equal(store_at(m, 0, A + 24, 25), 0);
    assert_int_equal(m->bucket[0].stall[STALL_L1D], 5);
    assert_int_equal(m->bucket[0].stall[STALL_WRITE_BUFFER], 2);
    assert_int_equal(value(m, "cpu0.l1d.write_buffer.full"), 2);
    assert_int_equal(value(m, "cpu0.l1d.write_buffer.full_wait"), 2);
    assert_int_equal(value(m, "memory.writes"), 7);
    done(m);
}

/* Clearing memory runs at the buffer's rate: 5 cycles per word in the long run. */
static void decstation_clears_memory(void **state)
{
    (void)state;
    struct machine *m = machine_at(16670000, 1, DECSTATION);
    cycles now = 0;
    for (unsigned i = 0; i < 1000; i++)
        now += 1 + store_at(m, 0, A + 4 * i, now);
    assert_int_equal(now, 1 + 5 * 996);
    done(m);
}

/* Dirty first-level victims: 1994 caches, a buffer of one line that takes 50 cycles. */
static void victims(void **state)
{
    (void)state;
    for (cycles now = 1001; now < 1060; now++) {
        struct machine *m = machine(1, "cache.l1d.write_buffer.depth=1 cache.l1d.write_buffer.retire=50");
        for (unsigned i = 0; i < 4; i++) { /* two ways of one set dirty, and two more lines in the second level */
            load_at(m, 0, A + i * L1_STRIDE, 200 * i);
            load_at(m, 0, A + i * L1_STRIDE, 200 * i);
        }
        store_at(m, 0, A, 800);
        store_at(m, 0, A + L1_STRIDE, 900);
        assert_int_equal(load_at(m, 0, A + 2 * L1_STRIDE, 1000), 10); /* the first enters the buffer: until 1050 */
        unsigned room = now + 10 < 1050 ? 1050 - (unsigned)(now + 10) : 0;
        assert_int_equal(load_at(m, 0, A + 3 * L1_STRIDE, now), 10 + room);
        assert_int_equal(m->bucket[0].stall[STALL_WRITE_BUFFER], room);
        assert_int_equal(value(m, "cpu0.l1d.write_backs"), 2);
        done(m);
    }
}

/* Second-level victims to memory over the bus. A line waits there while another CPU has the data wires. */
static void victims_on_the_bus(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS "cache.l2.write_buffer.depth=1");
    store_at(m, 0, A, 0);
    store_at(m, 0, A + L2_STRIDE, 200);
    assert_int_equal(value(m, "cpu0.l2.write_buffer.entries"), 1);
    assert_int_equal(value(m, "bus.writes"), 1);
    /* Read: [204, 208), [236, 300). Write: [208, 212), data [300, 364), since [212, 236) is too short. */
    assert_int_equal(load_at(m, 0, A + 2 * L2_STRIDE, 301), 127); /* data wanted at 337, [364, 428) */
    done(m);
}

/* Without a buffer a dirty victim uses the bus all the same, without a wait for an entry. */
static void victims_without_a_buffer(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS);
    store_at(m, 0, A, 0);
    assert_int_equal(load_at(m, 0, A + L2_STRIDE, 200), 100);
    assert_int_equal(value(m, "bus.writes"), 1);
    assert_int_equal(value(m, "bus.data.busy"), 3 * DATA);
    done(m);
}

/* A write-through store that misses in the second level: the CPU continues, the buffer entry is held until the line
 * arrives; the next store waits for that. */
static void posted_stores(void **state)
{
    (void)state;
    struct machine *m = machine(2, BUS "cache.l1d.write=through cache.l1d.write_allocate=off "
                                       "cache.l1d.write_buffer.depth=1 cache.l1d.write_buffer.retire=5");
    load_at(m, 1, 2 * A, 1000);
    assert_int_equal(store_at(m, 0, A, 1000), 0); /* delayed by the other: arrives at 1164, retires at 1169 */
    assert_int_equal(store_at(m, 0, A, 1168), 1);
    assert_int_equal(value(m, "cpu0.l2.write_misses"), 1);
    assert_int_equal(charged(m, 0), 1);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decstation_stores),
        cmocka_unit_test(decstation_clears_memory),
        cmocka_unit_test(victims),
        cmocka_unit_test(victims_on_the_bus),
        cmocka_unit_test(victims_without_a_buffer),
        cmocka_unit_test(posted_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
