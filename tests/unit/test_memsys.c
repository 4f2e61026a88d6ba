/* The memory system, one behaviour per test: latencies, accounting, replacement, inclusion, coherence between CPUs. */
#include "tests/unit/memsys_fixture.h"

/* Latencies */

static void first_load_goes_to_memory(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L2D], MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L1D],
                     0); /* the whole stall of a second-level miss is charged to the second level */
    assert_int_equal(m->bucket[0].miss[MISS_L1D_READ], 1);
    assert_int_equal(m->bucket[0].miss[MISS_L2_DATA], 1);
    assert_int_equal(m->bucket[0].cycles, 0);
    done(m);
}

static void second_load_of_line_is_free(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 0, A + 15), 0);
    assert_int_equal(m->bucket[0].miss[MISS_L1D_READ], 1);
    done(m);
}

static void next_first_level_line_hits_second_level(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    assert_int_equal(load(m, 0, A + 16), L2_HIT);
    assert_int_equal(load(m, 0, A + 127), L2_HIT);
    assert_int_equal(load(m, 0, A + 128), MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L1D], 2 * L2_HIT);
    assert_int_equal(m->bucket[0].stall[STALL_L2D], 2 * MEMORY);
    assert_int_equal(m->bucket[0].miss[MISS_L1D_READ], 4);
    assert_int_equal(m->bucket[0].miss[MISS_L2_DATA], 2);
    done(m);
}

static void fetches_are_charged_to_instructions(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    assert_int_equal(fetch(m, 0, A), MEMORY);
    assert_int_equal(fetch(m, 0, A + 16), L2_HIT);
    assert_int_equal(fetch(m, 0, A + 20), 0);
    assert_int_equal(m->bucket[0].stall[STALL_L2I], MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L1I], L2_HIT);
    assert_int_equal(m->bucket[0].miss[MISS_L1I], 2);
    assert_int_equal(m->bucket[0].miss[MISS_L2_INSN], 1);
    assert_int_equal(m->bucket[0].miss[MISS_L1D_READ] + m->bucket[0].miss[MISS_L2_DATA], 0);
    done(m);
}

static void first_levels_are_split_second_is_unified(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    fetch(m, 0, A);
    assert_int_equal(load(m, 0, A), L2_HIT);
    assert_int_equal(fetch(m, 0, A), 0);
    done(m);
}

static void latencies_round_up_to_cycles(void **state)
{
    (void)state;
    struct machine *m = machine_at(333 * MHZ, 1, "memory.l2_hit_time=7 memory.miss_time=10");
    assert_int_equal(load(m, 0, A), 4);      /* 3.33 */
    assert_int_equal(load(m, 0, A + 16), 3); /* 2.331 */
    done(m);
    m = machine_at(500 * MHZ, 1, "memory.l2_hit_time=30 memory.miss_time=250");
    assert_int_equal(load(m, 0, A), 125);
    assert_int_equal(load(m, 0, A + 16), 15);
    done(m);
}

static void uncached_access_costs_a_memory_latency(void **state)
{
    (void)state;
    struct machine *m = machine(1, "memory.miss_time=250");
    assert_int_equal(uncached(m, MEMSYS_READ, 0x18000000), 50);
    assert_int_equal(m->bucket[0].stall[STALL_UNCACHED], 50);
    assert_int_equal(value(m, "cpu0.uncached"), 1);
    done(m);
    m = machine(1, "memory.uncached_latency=1000");
    assert_int_equal(uncached(m, MEMSYS_WRITE, 0x18000000), 200);
    done(m);
}

/* Replacement and inclusion */

static void two_ways_replace_least_recently_used(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.ways=4");
    load(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A);                 /* LRU order is now A, A + L1_STRIDE */
    load(m, 0, A + 2 * L1_STRIDE); /* evicts A + L1_STRIDE */
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 0, A + L1_STRIDE), L2_HIT);     /* evicts A + 2 * L1_STRIDE */
    assert_int_equal(load(m, 0, A + 2 * L1_STRIDE), L2_HIT); /* evicts A */
    assert_int_equal(load(m, 0, A + L1_STRIDE), 0);
    assert_int_equal(load(m, 0, A), L2_HIT);
    done(m);
}

static void stores_count_as_use(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    assert_int_equal(store(m, 0, A), 0);
    load(m, 0, A + 2 * L1_STRIDE);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 0, A + L1_STRIDE), L2_HIT);
    done(m);
}

static void second_level_order_follows_first_level_misses(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.ways=2"); /* L2 sets repeat every 512 KB */
    const paddr b = A + 0x80000;
    const paddr c = A + 2 * 0x80000;
    load(m, 0, A);
    load(m, 0, b);
    load(m, 0, A); /* a first-level hit: the second level does not see it, A stays its LRU line */
    load(m, 0, c);
    assert_int_equal(load(m, 0, b + 16), L2_HIT);
    assert_int_equal(load(m, 0, A), MEMORY);
    done(m);
}

static void inclusion_takes_first_level_victims(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    fetch(m, 0, A);
    fetch(m, 0, A + 112);
    load(m, 0, A + 16);
    assert_int_equal(load(m, 0, A + L2_STRIDE), MEMORY); /* replaces A's second-level line */
    assert_int_equal(value(m, "cpu0.l1i.invalidations"), 2);
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 1);
    assert_int_equal(fetch(m, 0, A), MEMORY);
    assert_int_equal(load(m, 0, A + 16), L2_HIT);
    done(m);
}

static void write_backs_are_of_modified_lines_only(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    store(m, 0, A + 128);
    load(m, 0, A + L2_STRIDE);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 0);
    load(m, 0, A + 128 + L2_STRIDE);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(value(m, "memory.fills"), 4);
    done(m);
}

static void first_level_writes_back_to_second(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.ways=4");
    store(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE); /* A is evicted from the first level */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 0);
    load(m, 0, A); /* refilled, clean here although dirty in the second level */
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE); /* A is evicted again, clean */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(store(m, 0, A), L2_HIT);
    done(m);
}

/* Stores and upgrades */

static void store_miss_allocates(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    assert_int_equal(store(m, 0, A), MEMORY);
    assert_int_equal(m->bucket[0].miss[MISS_L1D_WRITE], 1);
    assert_int_equal(m->bucket[0].miss[MISS_L2_DATA], 1);
    assert_int_equal(store(m, 0, A + 4), 0);
    assert_int_equal(load(m, 0, A + 8), 0);
    assert_int_equal(store(m, 0, A + 16), L2_HIT);
    done(m);
}

static void one_cpu_upgrades_for_nothing(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 0);
    assert_int_equal(m->bucket[0].stall[STALL_UPGRADE], 0);
    load(m, 0, A + 128);
    assert_int_equal(store(m, 0, A + 128 + 16), L2_HIT);
    assert_int_equal(m->bucket[0].stall[STALL_L1D], L2_HIT);
    assert_int_equal(value(m, "cpu0.l2.upgrades"), 0);
    done(m);
}

static void one_cpu_upgrades_if_asked(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.upgrades_on_uniprocessor=on memory.upgrade_time=200");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A), 40);
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 1);
    assert_int_equal(m->bucket[0].miss[MISS_L1D_WRITE], 0);
    assert_int_equal(m->bucket[0].stall[STALL_UPGRADE], 40);
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(load(m, 0, A + 16), L2_HIT);
    assert_int_equal(store(m, 0, A + 16), 0); /* the second-level line is already in M */
    done(m);
}

static void upgrade_costs_a_memory_latency_unless_said_otherwise(void **state)
{
    (void)state;
    struct machine *m = machine(2, "memory.miss_time=300");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A), 60);
    done(m);
}

static void upgrade_invalidates_other_copies(void **state)
{
    (void)state;
    struct machine *m = machine(3, "");
    load(m, 0, A);
    load(m, 1, A);
    fetch(m, 2, A + 64);
    assert_int_equal(store(m, 1, A), MEMORY);
    assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], MEMORY);
    assert_int_equal(value(m, "cpu1.l2.upgrades"), 1);
    assert_int_equal(value(m, "cpu0.l2.invalidations"), 1);
    assert_int_equal(value(m, "cpu1.l2.invalidations"), 0);
    assert_int_equal(value(m, "cpu2.l2.invalidations"), 1);
    assert_int_equal(value(m, "cpu2.l1i.invalidations"), 1);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(fetch(m, 2, A + 64), MEMORY);
    done(m);
}

static void store_that_misses_first_level_upgrades_in_one_go(void **state)
{
    (void)state;
    struct machine *m = machine(2, "memory.upgrade_time=20");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A + 16), L2_HIT); /* at least the second level's hit time */
    assert_int_equal(m->bucket[0].miss[MISS_L1D_WRITE], 1);
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 1);
    assert_int_equal(m->bucket[0].stall[STALL_UPGRADE], L2_HIT);
    assert_int_equal(m->bucket[0].stall[STALL_L1D], 0);
    load(m, 0, A + 128);
    assert_int_equal(store(m, 0, A + 128), 4);
    done(m);
}

static void dirty_line_is_supplied_to_a_reader(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    assert_int_equal(load(m, 1, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.interventions"), 1);
    assert_int_equal(value(m, "cpu0.l2.coherence_write_backs"), 1);
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_int_equal(load(m, 0, A), 0);       /* still there */
    assert_int_equal(store(m, 0, A), MEMORY); /* but shared */
    assert_int_equal(value(m, "cpu0.l2.upgrades"), 1);
    assert_int_equal(value(m, "cpu1.l2.invalidations"), 1);
    done(m);
}

static void dirty_line_is_handed_to_a_writer(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    assert_int_equal(store(m, 1, A + 64), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.interventions"), 1);
    assert_int_equal(value(m, "cpu0.l2.invalidations"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_int_equal(load(m, 0, A), MEMORY);
    done(m);
}

static void readers_share(void **state)
{
    (void)state;
    struct machine *m = machine(16, "");
    for (unsigned cpu = 0; cpu < 16; cpu++)
        assert_int_equal(load(m, cpu, A), MEMORY);
    for (unsigned cpu = 0; cpu < 16; cpu++)
        assert_int_equal(load(m, cpu, A), 0);
    assert_int_equal(store(m, 15, A), MEMORY);
    for (unsigned cpu = 0; cpu < 15; cpu++)
        assert_true(load(m, cpu, A) > 0);
    done(m);
}

static void own_store_leaves_own_instruction_cache(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    fetch(m, 0, A);
    store(m, 0, A);
    assert_int_equal(fetch(m, 0, A), 0);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_load_goes_to_memory),
        cmocka_unit_test(second_load_of_line_is_free),
        cmocka_unit_test(next_first_level_line_hits_second_level),
        cmocka_unit_test(fetches_are_charged_to_instructions),
        cmocka_unit_test(first_levels_are_split_second_is_unified),
        cmocka_unit_test(latencies_round_up_to_cycles),
        cmocka_unit_test(uncached_access_costs_a_memory_latency),
        cmocka_unit_test(two_ways_replace_least_recently_used),
        cmocka_unit_test(stores_count_as_use),
        cmocka_unit_test(second_level_order_follows_first_level_misses),
        cmocka_unit_test(inclusion_takes_first_level_victims),
        cmocka_unit_test(write_backs_are_of_modified_lines_only),
        cmocka_unit_test(first_level_writes_back_to_second),
        cmocka_unit_test(store_miss_allocates),
        cmocka_unit_test(one_cpu_upgrades_for_nothing),
        cmocka_unit_test(one_cpu_upgrades_if_asked),
        cmocka_unit_test(upgrade_costs_a_memory_latency_unless_said_otherwise),
        cmocka_unit_test(upgrade_invalidates_other_copies),
        cmocka_unit_test(store_that_misses_first_level_upgrades_in_one_go),
        cmocka_unit_test(dirty_line_is_supplied_to_a_reader),
        cmocka_unit_test(dirty_line_is_handed_to_a_writer),
        cmocka_unit_test(readers_share),
        cmocka_unit_test(own_store_leaves_own_instruction_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
