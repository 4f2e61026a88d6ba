/* The memory system, one behaviour a test: what an access costs, where it is charged, what it does to other caches. */
#include "cache/memsys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MHZ UINT64_C(1000000)

/* Addresses that meet in one set of the 1994 caches: 8 KB apart in L1 (16 KB, 2-way), 1 MB apart in L2. */
enum { A = 0x00100000, L1_STRIDE = 0x2000, L2_STRIDE = 0x100000, L2_HIT = 10, MEMORY = 100 };

struct machine {
    struct memsys *memsys;
    struct stats *stats;
    struct bucket bucket[16];
};

/* SETTINGS: "name=value name=value", or "". */
static struct params *make_params(const char *settings)
{
    struct params *params = params_create();
    params_define(params, memsys_param_defs, memsys_param_count);
    char *text = strdup(settings);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        struct err err = {""};
        if (!params_set_assignment(params, word, &err))
            fail_msg("%s", err.text);
    }
    free(text);
    return params;
}

static struct machine *machine_at(uint64_t clock_hz, unsigned cpus, const char *settings)
{
    struct params *params = make_params(settings);
    struct err err = {""};
    struct machine *m = calloc(1, sizeof *m);
    m->memsys = memsys_create(params, cpus, clock_hz, &err);
    if (!m->memsys)
        fail_msg("%s", err.text);
    params_free(params); /* nothing is read from it later */
    m->stats = stats_create();
    memsys_register_stats(m->memsys, m->stats);
    return m;
}

static struct machine *machine(unsigned cpus, const char *settings)
{
    return machine_at(200 * MHZ, cpus, settings);
}

static void done(struct machine *m)
{
    struct err err = {""};
    if (!memsys_check(m->memsys, &err))
        fail_msg("%s", err.text);
    stats_free(m->stats);
    memsys_free(m->memsys);
    free(m);
}

/* An access as a CPU model makes it. */
static unsigned access_as(struct machine *m, unsigned cpu, enum memsys_access kind, paddr address)
{
    struct l1_cache *l1 = kind == MEMSYS_FETCH ? memsys_l1i(m->memsys, cpu) : memsys_l1d(m->memsys, cpu);
    bool hit = kind == MEMSYS_WRITE ? l1_write_hit(l1, address) : l1_read_hit(l1, address);
    return hit ? 0 : (unsigned)memsys_miss(m->memsys, cpu, kind, address, &m->bucket[cpu]);
}
static unsigned fetch(struct machine *m, unsigned cpu, paddr address)
{
    return access_as(m, cpu, MEMSYS_FETCH, address);
}
static unsigned load(struct machine *m, unsigned cpu, paddr address)
{
    return access_as(m, cpu, MEMSYS_READ, address);
}
static unsigned store(struct machine *m, unsigned cpu, paddr address)
{
    return access_as(m, cpu, MEMSYS_WRITE, address);
}
static unsigned value(struct machine *m, const char *name)
{
    double result = -1;
    if (!stats_value(m->stats, name, &result))
        fail_msg("no statistic %s", name);
    return (unsigned)result;
}

/* Latencies */

static void first_load_goes_to_memory(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L2D], MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L1D],
                     0); /* the whole stall of a second-level miss is the second level's */
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

static void miss_call_for_a_hit_is_free(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    struct bucket unused = {0};
    load(m, 0, A);
    store(m, 0, A + 128);
    assert_int_equal(memsys_miss(m->memsys, 0, MEMSYS_READ, A, &unused), 0);
    assert_int_equal(memsys_miss(m->memsys, 0, MEMSYS_WRITE, A + 128, &unused), 0);
    struct bucket zero = {0};
    assert_memory_equal(&unused, &zero, sizeof zero);
    done(m);
}

static void uncached_access_costs_a_memory_latency(void **state)
{
    (void)state;
    struct machine *m = machine(1, "memory.miss_time=250");
    assert_int_equal(memsys_uncached(m->memsys, 0, MEMSYS_READ, 0x18000000, &m->bucket[0]), 50);
    assert_int_equal(m->bucket[0].stall[STALL_UNCACHED], 50);
    assert_int_equal(value(m, "cpu0.uncached"), 1);
    done(m);
    m = machine(1, "memory.uncached_latency=1000");
    assert_int_equal(memsys_uncached(m->memsys, 0, MEMSYS_WRITE, 0x18000000, &m->bucket[0]), 200);
    done(m);
}

/* Replacement and inclusion */

static void two_ways_replace_least_recently_used(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.ways=4");
    load(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A);                 /* order now A, A + S */
    load(m, 0, A + 2 * L1_STRIDE); /* drives out A + S */
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 0, A + L1_STRIDE), L2_HIT);     /* drives out A + 2S */
    assert_int_equal(load(m, 0, A + 2 * L1_STRIDE), L2_HIT); /* drives out A */
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
    load(m, 0, A); /* a first-level hit: the second level does not see it, A stays its oldest */
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
    load(m, 0, A + 2 * L1_STRIDE); /* A leaves the first level */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 0);
    load(m, 0, A); /* back, clean here although dirty in the second level */
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE); /* A leaves again, unmodified */
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
    assert_int_equal(store(m, 0, A + 16), 0); /* the second-level line is owned already */
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
    assert_int_equal(store(m, 0, A + 16), L2_HIT); /* never less than the second level takes */
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
        assert_false(l1_read_hit(memsys_l1d(m->memsys, cpu), A));
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

/* Devices */

static void device_write_invalidates(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    load(m, 0, A);
    fetch(m, 1, A);
    load(m, 0, A + 128);
    memsys_dma_write(m->memsys, A + 100, 1); /* any byte of the second-level line */
    assert_int_equal(load(m, 0, A + 128), 0);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(fetch(m, 1, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.dma_invalidations"), 1);
    assert_int_equal(value(m, "cpu1.l2.dma_invalidations"), 1);
    assert_int_equal(value(m, "memory.dma_writes"), 1);
    done(m);
}

static void device_write_covers_all_its_lines(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    for (unsigned i = 0; i < 4; i++)
        load(m, 0, A + i * 128);
    memsys_dma_write(m->memsys, A + 127, 130); /* last byte of line 0 .. first byte of line 2 */
    assert_int_equal(load(m, 0, A + 3 * 128), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(load(m, 0, A + i * 128), MEMORY);
    done(m);
}

static void device_write_of_part_of_a_dirty_line_writes_it_back(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    store(m, 0, A);
    store(m, 0, A + 128);
    memsys_dma_write(m->memsys, A, 256);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    store(m, 0, A);
    store(m, 0, A + 128);
    memsys_dma_write(m->memsys, A, 255);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void device_read_cleans(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    load(m, 1, A + 128);
    memsys_dma_read(m->memsys, A, 256);
    assert_int_equal(value(m, "cpu0.l2.coherence_write_backs"), 1);
    assert_int_equal(value(m, "cpu1.l2.coherence_write_backs"), 0);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 1, A + 128), 0);
    assert_int_equal(store(m, 0, A), MEMORY); /* an upgrade */
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 1);
    done(m);
}

static void device_ranges_stay_in_the_address_space(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    load(m, 0, 0xffffffff);
    load(m, 0, 0);
    memsys_dma_write(m->memsys, 0xffffff80, 0);
    memsys_dma_read(m->memsys, 0xffffff80, UINT32_MAX);
    assert_int_equal(load(m, 0, 0xffffffff), 0);
    memsys_dma_write(m->memsys, 0xffffff90, UINT32_MAX);
    assert_int_equal(load(m, 0, 0), 0);
    assert_int_equal(load(m, 0, 0xffffffff), MEMORY);
    done(m);
}

/* The CACHE instruction */

static void hit_operations_act_on_one_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    load(m, 0, A + 16);
    fetch(m, 0, A);
    memsys_cache_op(m->memsys, 0, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, A + 12);
    assert_int_equal(load(m, 0, A + 16), 0);
    assert_int_equal(fetch(m, 0, A), 0);
    assert_int_equal(load(m, 0, A), L2_HIT);
    memsys_cache_op(m->memsys, 0, MEMSYS_L1I, MEMSYS_HIT_INVALIDATE, A);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(fetch(m, 0, A), L2_HIT);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_HIT_INVALIDATE, A + 127);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(fetch(m, 0, A), L2_HIT);
    done(m);
}

static void write_back_keeps_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    store(m, 0, A);
    memsys_cache_op(m->memsys, 0, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, A);
    memsys_cache_op(m->memsys, 0, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, A); /* clean by now */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 0);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK, A);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK, A);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(load(m, 0, A), 0);
    load(m, 0, A + L2_STRIDE); /* nothing left to write back */
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void write_back_invalidate_removes_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    load(m, 1, A + 128);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK_INVALIDATE, A);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK_INVALIDATE, A + 128); /* the other CPU's line */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(load(m, 1, A + 128), 0);
    done(m);
}

static void index_operation_empties_the_set(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.ways=2");
    store(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 16);
    memsys_cache_op(m->memsys, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, A & (L1_STRIDE - 1));
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(load(m, 0, A + 16), 0);
    assert_int_equal(load(m, 0, A), L2_HIT);
    assert_int_equal(load(m, 0, A + L1_STRIDE), L2_HIT);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_INDEX_INVALIDATE, A & 0x7ffff);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(load(m, 0, A + L1_STRIDE), 0);
    assert_int_equal(load(m, 0, A), MEMORY);
    done(m);
}

static void flush_empties_everything(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    fetch(m, 1, A + 128);
    memsys_flush(m->memsys);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    assert_int_equal(load(m, 1, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.interventions"), 0);
    assert_int_equal(fetch(m, 1, A + 128), MEMORY);
    done(m);
}

/* Parameters */

static void no_caches_no_time(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.model=none");
    assert_true(memsys_is_flat(m->memsys));
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(store(m, 1, A), 0);
    assert_int_equal(memsys_uncached(m->memsys, 0, MEMSYS_READ, A, &m->bucket[0]), 0);
    memsys_dma_write(m->memsys, 0, UINT32_MAX);
    memsys_cache_op(m->memsys, 0, MEMSYS_L2, MEMSYS_INDEX_INVALIDATE, A);
    memsys_flush(m->memsys);
    struct bucket zero = {0};
    assert_memory_equal(&m->bucket[0], &zero, sizeof zero);
    done(m);
    m = machine(1, "");
    assert_false(memsys_is_flat(m->memsys));
    done(m);
}

static void senseless_combinations_name_the_parameter(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *culprit;
    } cases[] = {
        {"cache.l1i.line=64 cache.l2.line=32", "cache.l1i.line is 64"},
        {"cache.l1d.line=64 cache.l1i.line=8 cache.l2.line=32", "cache.l1d.line is 64"},
        {"cache.l1d.size=16K cache.l2.size=8K cache.l1i.size=8K", "cache.l1d.size is 16384"},
        {"cache.l1i.size=16K cache.l2.size=8K cache.l1d.size=8K", "cache.l1i.size is 16384"},
        {"cache.l2.size=4K cache.l2.line=1K cache.l2.ways=8 cache.l1i.size=4K cache.l1d.size=4K",
         "cache.l2.size is 4096"},
        {"memory.miss_time=10", "memory.miss_time is 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params = make_params(cases[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, 1, 200 * MHZ, &err));
        if (!strstr(err.text, cases[i].culprit))
            fail_msg("%s: \"%s\"", cases[i].settings, err.text);
        params_free(params);
    }
}

static void out_of_range_values_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"cache.l1d.ways=3",  "cache.l1d.ways=16",  "cache.l1i.line=4",
                                        "cache.l1i.line=24", "cache.l1i.line=256", "cache.l1i.size=512",
                                        "cache.l2.size=3M",  "cache.l2.line=2048", "cache.model=three-level"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params = make_params("");
        struct err err = {""};
        if (params_set_assignment(params, cases[i], &err))
            fail_msg("%s was accepted", cases[i]);
        params_free(params);
    }
}

static void description_says_what_is_modelled(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    memsys_describe(m->memsys, out);
    fclose(out);
    assert_string_equal(text, "L1-I  16K 2-way LRU, 16-byte lines, write-back\n"
                              "L1-D  16K 2-way LRU, 16-byte lines, write-back\n"
                              "L2    1M direct-mapped, 128-byte lines, write-back\n"
                              "stalls: L2 hit 10 cycles, memory 100, upgrade 100, uncached 100\n");
    free(text);
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
        cmocka_unit_test(miss_call_for_a_hit_is_free),
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
        cmocka_unit_test(device_write_invalidates),
        cmocka_unit_test(device_write_covers_all_its_lines),
        cmocka_unit_test(device_write_of_part_of_a_dirty_line_writes_it_back),
        cmocka_unit_test(device_read_cleans),
        cmocka_unit_test(device_ranges_stay_in_the_address_space),
        cmocka_unit_test(hit_operations_act_on_one_line),
        cmocka_unit_test(write_back_keeps_the_line),
        cmocka_unit_test(write_back_invalidate_removes_the_line),
        cmocka_unit_test(index_operation_empties_the_set),
        cmocka_unit_test(flush_empties_everything),
        cmocka_unit_test(no_caches_no_time),
        cmocka_unit_test(senseless_combinations_name_the_parameter),
        cmocka_unit_test(out_of_range_values_are_refused),
        cmocka_unit_test(description_says_what_is_modelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
