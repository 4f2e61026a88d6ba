/* The first use of a prefetched line in flight stalls for the remaining time, exactly. */
#include "timing_machine.h"

#define NEXT_LINE "prefetch.insn.trigger=miss prefetch.insn.pages=all prefetch.insn.lines=1 "

/* Accesses of this kind of CPU 0 that waited for a line in flight that LEVEL did not have. */
static uint64_t late_of(const struct machine *m, unsigned level, enum memsys_access access)
{
    return m->bucket[0].late[(level - 1) * LATE_ACCESSES + access];
}

/* Second-level hit: requested at 1000 + interval, arrives 10 cycles later. */
static void from_the_second_level(void **state)
{
    (void)state;
    for (cycles now = 1000; now < 1030; now++) {
        struct machine *m = machine(1, NEXT_LINE "prefetch.interval=5");
        load_at(m, 0, A, 0);
        assert_int_equal(fetch_at(m, 0, A, 1000), 10);
        unsigned late = now < 1015 ? 1015 - (unsigned)now : 0;
        assert_int_equal(fetch_at(m, 0, A + 16, now), late);
        assert_int_equal(value(m, "cpu0.prefetch.insn.useful"), 1);
        assert_int_equal(value(m, "cpu0.prefetch.insn.late"), late > 0);
        assert_int_equal(value(m, "cpu0.prefetch.insn.late_cycles"), late);
        assert_int_equal(value(m, "cpu0.l1i.misses"), 1);
        assert_int_equal(m->bucket[0].stall[STALL_L1I], 10 + late);
        assert_int_equal(late_of(m, 1, MEMSYS_FETCH), late > 0);
        assert_int_equal(counts_sum(m->bucket[0].late, LATE_COUNT), late > 0);
        assert_int_equal(fetch_at(m, 0, A + 16, now), 0);
        done(m);
    }
}

/* Memory: 100 cycles, charged to the second level. */
static void from_memory(void **state)
{
    (void)state;
    for (cycles now = 1090; now < 1110; now++) {
        struct machine *m = machine(1, NEXT_LINE);
        fetch_at(m, 0, A + 0x70, 1000);
        fetch_at(m, 0, A + 0x80, now);
        unsigned late = now < 1101 ? 1101 - (unsigned)now : 0;
        assert_int_equal(m->bucket[0].stall[STALL_L2I], 100 + late);
        assert_int_equal(late_of(m, 1, MEMSYS_FETCH), late > 0);
        assert_int_equal(late_of(m, 2, MEMSYS_FETCH), late > 0);
        assert_int_equal(counts_sum(m->bucket[0].late, LATE_COUNT), late > 0 ? 2 : 0);
        assert_int_equal(value(m, "cpu0.prefetch.insn.late_cycles"), late);
        done(m);
    }
}

/* A second-level line that a prefetch is filling is not available to others before it arrives: neither to the prefetch
 * of the next line in it, nor to a fetch or load that misses only in the first level. */
static void outer_line_on_its_way(void **state)
{
    (void)state;
    struct machine *m = machine(1, "prefetch.insn.trigger=miss prefetch.insn.pages=all prefetch.insn.lines=2");
    /* also prefetches line 0x80, from memory: it arrives at 1101, and line 0x90 with it */
    fetch_at(m, 0, A + 0x70, 1000);
    assert_int_equal(fetch_at(m, 0, A + 0x90, 1050), 51);
    assert_int_equal(fetch_at(m, 0, A + 0xe0, 1060), 41); /* 10 if no prefetch were filling its second-level line */
    assert_int_equal(load_at(m, 0, A + 0xc0, 1095), 10);
    assert_int_equal(load_at(m, 0, A + 0xd0, 1085), 16);
    assert_int_equal(charged(m, 0), 100 + 51 + 41 + 10 + 16);
    /* what missed the first level is a miss of it; of the second level it is late */
    assert_int_equal(late_of(m, 1, MEMSYS_READ), 0);
    assert_int_equal(late_of(m, 2, MEMSYS_READ), 1);
    assert_int_equal(late_of(m, 2, MEMSYS_FETCH), 1);
    done(m);
}

/* On a busy bus a prefetch waits like a fetch, and delays others: address 4 to 8, memory to 36, data to 100, and the
 * next line's data to 164. */
static void bus(void **state)
{
    (void)state;
    struct machine *m = machine(2, BUS NEXT_LINE);
    assert_int_equal(fetch_at(m, 0, A + 0x70, 0), 100);
    assert_int_equal(load_at(m, 1, A + 0x8000, 1), 100 + 2 * DATA - 1);
    assert_int_equal(fetch_at(m, 0, A + 0x80, 100), DATA);
    done(m);
}

/* Prefetches have a cache's port, here for 20 cycles each, one after another, and only while the CPU does not want it:
 * the CPU's accesses wait for its fetch at 1000 and for one another. */
static void port(void **state)
{
    (void)state;
    struct machine *m =
        machine(1, "prefetch.insn.trigger=miss prefetch.insn.pages=all prefetch.insn.lines=3 cache.l2.occupancy=100ns");
    load_at(m, 0, A, 0);
    load_at(m, 0, A + 0x8000, 200);
    assert_int_equal(fetch_at(m, 0, A, 1000), 10); /* the prefetches: from 1020, 1040, 1060 */
    assert_int_equal(value(m, "cpu0.prefetch.insn.issued"), 3);
    assert_int_equal(load_at(m, 0, A + 0x8010, 1001), 19 + 10);
    assert_int_equal(load_at(m, 0, A + 0x8020, 1030), 10 + 10);
    assert_int_equal(fetch_at(m, 0, A + 0x20, 1045), 5);
    assert_int_equal(fetch_at(m, 0, A + 0x30, 1060), 10);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_the_second_level),
        cmocka_unit_test(from_memory),
        cmocka_unit_test(outer_line_on_its_way),
        cmocka_unit_test(bus),
        cmocka_unit_test(port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
