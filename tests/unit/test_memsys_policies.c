/* The memory system, one behaviour per test: configuration of the hierarchy. */
#include "tests/unit/memsys_fixture.h"

enum { L3_HIT = 40 };

static bool holds(struct machine *m, unsigned cpu, enum memsys_cache cache, paddr address)
{
    return memsys_look(m->memsys, cpu, cache, address).valid;
}
static bool is_dirty(struct machine *m, unsigned cpu, enum memsys_cache cache, paddr address)
{
    return memsys_look(m->memsys, cpu, cache, address).dirty;
}

/* Levels */

static void one_level_goes_to_memory(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=one-level");
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(load(m, 0, A + 15), 0);
    assert_int_equal(load(m, 0, A + 16), MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L1D], 2 * MEMORY);
    assert_int_equal(m->bucket[0].miss[MISS_L2_DATA], 0);
    store(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void three_levels_stall_by_where_the_line_is(void **state)
{
    (void)state;
    struct machine *m =
        machine(1, "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=4K cache.l2.line=32 "
                   "cache.l3.size=64K cache.l3.line=64");
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(load(m, 0, A + 16), L2_HIT);
    assert_int_equal(load(m, 0, A + 32), L3_HIT);
    assert_int_equal(load(m, 0, A + 64), MEMORY);
    assert_int_equal(m->bucket[0].stall[STALL_L1D], L2_HIT);
    assert_int_equal(m->bucket[0].stall[STALL_L2D], L3_HIT + 2 * MEMORY);
    assert_int_equal(value(m, "cpu0.l2.read_misses"), 3);
    assert_int_equal(value(m, "cpu0.l3.read_misses"), 2);
    fetch(m, 0, A + 128);
    store(m, 0, A + 192);
    const uint64_t misses[OUTER_COUNT] = {1, 3, 1, 1, 2, 1}; /* fetches, loads, stores of levels 2 and 3 */
    assert_memory_equal(m->bucket[0].outer, misses, sizeof misses);
    done(m);
}

static void unified_first_level_holds_both(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1.split=off");
    fetch(m, 0, A);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(value(m, "cpu0.l1d.insn_misses"), 1);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE);
    assert_true(fetch(m, 0, A) > 0);
    done(m);
}

static void split_second_level_has_two_copies(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.split=on");
    assert_int_equal(fetch(m, 0, A), MEMORY);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_true(holds(m, 0, MEMSYS_L2I, A) && holds(m, 0, MEMSYS_L2, A));
    load(m, 0, A + L2_STRIDE); /* evicts A's data, not its instructions */
    assert_int_equal(fetch(m, 0, A), 0);
    assert_true(load(m, 0, A) == MEMORY);
    done(m);
}

/* Looking at a line that is absent does not change what comes next, random replacement included. */
static void look_at_victim(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=one-level cache.l1d.replacement=random");
    const paddr second = A + L1_STRIDE, third = A + 2 * L1_STRIDE;
    assert_false(victim_of(m, 0, MEMSYS_L1D, A, A).valid);
    assert_false(victim_of(m, 0, MEMSYS_L2, A, A).valid);
    load(m, 0, A);
    store(m, 0, second);
    for (int i = 0; i < 20; i++) {
        const paddr absent = holds(m, 0, MEMSYS_L1D, A) ? holds(m, 0, MEMSYS_L1D, second) ? third : second : A;
        const struct memsys_entry victim = victim_of(m, 0, MEMSYS_L1D, absent, absent);
        assert_true(victim.valid && victim.dirty == is_dirty(m, 0, MEMSYS_L1D, victim.line));
        load(m, 0, absent);
        assert_false(holds(m, 0, MEMSYS_L1D, victim.line));
    }
    done(m);
}

static void look_at_victim_of_virtual_index(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=one-level cache.l1d.ways=1 cache.l1d.index=virtual");
    store(m, 0, A);
    assert_true(victim_of(m, 0, MEMSYS_L1D, 0x5000, A).dirty);
    assert_false(victim_of(m, 0, MEMSYS_L1D, A, A + 0x1000).valid);
    done(m);
}

/* Every index of a first-level cache: an index operation, and what a miss would replace, are of the set of the load
 * that has the same addresses; the physical address of the operation may be any with a virtual index, and the reverse.
 */
static void index_operations_are_in_the_set_of_a_load(void **state)
{
    static const char *const caches[] = {
        "cache.l1d.index=physical",
        "cache.l1d.index=virtual",
        "cache.l1d.size=12K cache.l1d.ways=3",
        "cache.l1d.size=12K cache.l1d.ways=3 cache.l1d.index=virtual",
        "cache.l1d.size=24096 cache.l1d.ways=3",
        "cache.l1d.size=24096 cache.l1d.ways=3 cache.l1d.index=virtual",
        "cache.l1d.hash=xor",
        "cache.l1d.hash=xor cache.l1d.index=virtual",
        "cache.l1d.hash=space cache.l1d.index=virtual",
        "cache.l1d.size=24192 cache.l1d.ways=3 cache.l1d.sector_lines=4 cache.l1d.index=virtual",
        "cache.l1d.size=24096 cache.l1d.ways=3 cache.l1d.index=virtual cache.l1d.assist=4"};
    (void)state;
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "cache.model=one-level cache.l1i.line=32 cache.l1d.line=32 %s", caches[i]);
        struct machine *m = machine(1, settings);
        const bool by_virtual = strstr(caches[i], "virtual") != NULL;
        for (unsigned n = 0; n < 100; n++) {
            const paddr address = A + n * 0x1235 * 32; /* the offset in the page is that of the virtual address */
            struct memsys_request request = {.access = MEMSYS_READ,
                                             .address = address,
                                             .virtual_address =
                                                 (n % 2 ? 0x80000000 : 0x7f000000) + n * 0x17000 + address % PAGE_SIZE,
                                             .space = n % 2 ? 0 : (uint8_t)(3 * n),
                                             .size = 4,
                                             .permission = &m->permission,
                                             .bucket = &m->bucket[0]};
            memsys_access(m->memsys, 0, &request);
            struct memsys_request operation = request, other = request;
            *(by_virtual ? &operation.address : &operation.virtual_address) ^= 0x01013000;
            other.address ^= 64 * 32;
            other.virtual_address ^= 64 * 32;
            memsys_cache_op(m->memsys, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, &other);
            assert_true(holds(m, 0, MEMSYS_L1D, request.address));
            memsys_cache_op(m->memsys, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, &operation);
            if (holds(m, 0, MEMSYS_L1D, request.address))
                fail_msg("%s: the line of 0x%08x is still there", caches[i], request.virtual_address);
        }
        done(m);
    }
}

/* With hash=space a page of a process and the same of another have other victims. */
static void look_at_victim_of_a_space(void **state)
{
    (void)state;
    struct machine *m =
        machine(1, "cache.model=one-level cache.l1d.ways=1 cache.l1d.index=virtual cache.l1d.hash=space");
    struct memsys_request request = {.access = MEMSYS_WRITE,
                                     .address = A,
                                     .virtual_address = 0x00400000,
                                     .space = 1,
                                     .size = 4,
                                     .permission = &m->permission,
                                     .bucket = &m->bucket[0]};
    memsys_access(m->memsys, 0, &request);
    assert_int_equal(memsys_look_victim(m->memsys, 0, MEMSYS_L1D, &request).line, A);
    request.space = 0;
    assert_false(memsys_look_victim(m->memsys, 0, MEMSYS_L1D, &request).valid);
    done(m);
}

/* Inclusion */

static void inclusive_third_level_takes_both_inner_ones(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=three-level cache.l3.ways=1 cache.l3.size=1M cache.l2.size=256K");
    store(m, 0, A);
    fetch(m, 0, A + 16);
    load(m, 0, A + L2_STRIDE); /* the same third-level set */
    assert_false(holds(m, 0, MEMSYS_L1D, A) || holds(m, 0, MEMSYS_L1I, A + 16) || holds(m, 0, MEMSYS_L2, A));
    assert_int_equal(value(m, "cpu0.l2.invalidations"), 1);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l3.write_backs"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void line_survives_eviction_from_a_level_that_is_not_inclusive(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.l2.inclusive=off");
    load(m, 0, A);
    load(m, 0, A + L2_STRIDE);
    assert_false(holds(m, 0, MEMSYS_L2, A));
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'S');
    assert_true(store(m, 1, A) > 0); /* and another CPU's store finds it there */
    assert_false(holds(m, 0, MEMSYS_L1D, A));
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 1);
    done(m);
}

static void write_back_passes_a_level_that_lacks_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.inclusive=off");
    store(m, 0, A);
    assert_false(is_dirty(m, 0, MEMSYS_L2, A)); /* the first level alone has the new data */
    /* the second level evicts its clean line; the first level keeps its modified one */
    load(m, 0, A + L2_STRIDE);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'M');
    load(m, 0, A + 2 * L2_STRIDE); /* the modified line is evicted from the first level */
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    done(m);
}

static void write_back_modifies_a_copy_that_is_there(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.inclusive=off cache.l2.ways=4");
    store(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE);
    assert_true(is_dirty(m, 0, MEMSYS_L2, A));
    assert_int_equal(value(m, "memory.write_backs"), 0);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    done(m);
}

/* A fill from the second level evicts a modified line of the same block, which no other cache holds. */
static void write_back_on_the_way_of_its_own_unit_is_noticed(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.model=three-level cache.l1i.size=1K cache.l1d.size=256 cache.l1d.ways=1 "
                                   "cache.l2.size=4K cache.l2.line=32 cache.l2.inclusive=off cache.l3.size=16K "
                                   "cache.l3.line=1K cache.l3.ways=1 cache.l3.inclusive=off");
    store(m, 0, A);
    load(m, 0, A + 256 + 16);          /* the second level holds A + 256 now, the first only its other half */
    load(m, 0, A + 4096 + 16);         /* A is evicted from the second level */
    load(m, 0, A + 0x4000 + 512 + 32); /* and the third */
    assert_true(is_dirty(m, 0, MEMSYS_L1D, A) && !holds(m, 0, MEMSYS_L2, A) && !holds(m, 0, MEMSYS_L3, A));
    assert_int_equal(memsys_state(m->memsys, 0, A), 'M');
    assert_int_equal(load(m, 0, A + 256), L2_HIT);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'S');
    done(m);
}

/* Stores */

static void write_through_store_does_not_wait(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.write=through");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A), 0);
    assert_false(is_dirty(m, 0, MEMSYS_L1D, A));
    assert_true(is_dirty(m, 0, MEMSYS_L2, A));
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 0);
    done(m);
}

static void write_through_to_memory_writes_each_store(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=one-level cache.l1d.write=through cache.l1d.write_allocate=off");
    assert_int_equal(store(m, 0, A), 0);
    assert_false(holds(m, 0, MEMSYS_L1D, A));
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(value(m, "memory.writes"), 3);
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    done(m);
}

static void write_through_with_allocation_fetches_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=one-level cache.l1d.write=through");
    assert_int_equal(store(m, 0, A), MEMORY);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(value(m, "memory.writes"), 1);
    done(m);
}

static void store_around_first_level_lands_in_second(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.write_allocate=off");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A + 16), 0);
    assert_false(holds(m, 0, MEMSYS_L1D, A + 16));
    assert_true(is_dirty(m, 0, MEMSYS_L2, A));
    assert_int_equal(store(m, 0, A), 0); /* hit: modified in place */
    assert_true(is_dirty(m, 0, MEMSYS_L1D, A));
    assert_int_equal(store(m, 0, A + 256), 0); /* the second level fills it while the CPU continues */
    assert_true(is_dirty(m, 0, MEMSYS_L2, A + 256));
    assert_int_equal(value(m, "cpu0.l2.write_misses"), 1);
    done(m);
}

/* Replacement */

static void fill_ways(struct machine *m, unsigned ways)
{
    for (unsigned i = 0; i < ways; i++)
        load(m, 0, A + i * 0x1000);
}
static unsigned missing(struct machine *m, unsigned ways)
{
    unsigned found = UINT32_MAX;
    for (unsigned i = 0; i < ways; i++)
        if (!holds(m, 0, MEMSYS_L1D, A + i * 0x1000))
            found = found == UINT32_MAX ? i : 99;
    return found;
}

/* The tree of four ways from their order of use: the half that is not MRU, and in it the way that is not MRU. */
static void pseudo_lru_follows_its_tree(void **state)
{
    (void)state;
    static const struct {
        unsigned used[6], count, victim;
    } cases[] = {{{0}, 0, 0},          {{0}, 1, 2},    {{0, 2}, 2, 1},
                 {{2, 0, 3, 1}, 4, 2}, {{1, 2}, 2, 0}, {{0, 1, 2, 3, 0}, 5, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine *m = machine(1, "cache.l1d.ways=4 cache.l1d.replacement=plru cache.l2.ways=16");
        fill_ways(m, 4); /* into ways 0 to 3: the next victim is 0 */
        for (unsigned j = 0; j < cases[i].count; j++)
            load(m, 0, A + cases[i].used[j] * 0x1000);
        load(m, 0, A + 4 * 0x1000);
        assert_int_equal(missing(m, 4), cases[i].victim);
        done(m);
    }
}

/* The documented generator: CPU 0's l1d. */
static void random_replacement_is_the_stated_sequence(void **state)
{
    (void)state;
    static const unsigned seeds[] = {0, 7};
    for (unsigned i = 0; i < 2; i++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "cache.l1d.ways=4 cache.l1d.replacement=random cache.l2.ways=16 cache.random_seed=%u", seeds[i]);
        struct machine *m = machine(1, settings);
        uint32_t x = 0x9e3779b9u ^ (0 * 8 + 1 + 1) * 0x85ebca6bu ^ seeds[i] * 0xc2b2ae35u;
        unsigned line[4] = {0, 1, 2, 3};
        fill_ways(m, 4);
        for (unsigned next = 4; next < 15; next++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            unsigned way = x >> 8 & 3;
            load(m, 0, A + line[way] * 0x1000); /* a hit does not change the next victim */
            load(m, 0, A + next * 0x1000);
            assert_false(holds(m, 0, MEMSYS_L1D, A + line[way] * 0x1000));
            line[way] = next;
        }
        done(m);
    }
}

static void emptied_way_is_filled_first(void **state)
{
    (void)state;
    static const char *const policies[] = {"lru", "plru", "random", "tree-plru", "fifo", "srrip"};
    for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
        char settings[96];
        snprintf(settings, sizeof settings, "cache.l1d.ways=4 cache.l2.ways=16 cache.l1d.replacement=%s", policies[i]);
        struct machine *m = machine(1, settings);
        fill_ways(m, 4);
        cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, A + 0x2000);
        load(m, 0, A + 0x5000);
        assert_int_equal(missing(m, 4), 2);
        done(m);
    }
}

/* Loads line after line of LINES, numbers in one set of four ways, and says which are not there then. */
static unsigned victims(const char *policy, const char *lines)
{
    char settings[96];
    unsigned absent = 0;
    snprintf(settings, sizeof settings, "cache.l1d.ways=4 cache.l2.ways=16 cache.l1d.replacement=%s", policy);
    struct machine *m = machine(1, settings);
    for (const char *line = lines; *line; line++)
        load(m, 0, A + (unsigned)(*line - '0') * 0x1000);
    for (const char *line = lines; *line; line++)
        if (!holds(m, 0, MEMSYS_L1D, A + (unsigned)(*line - '0') * 0x1000))
            absent |= 1u << (*line - '0');
    done(m);
    return absent;
}

static void fifo_forgets_hits(void **state)
{
    (void)state;
    assert_int_equal(victims("fifo", "01230004"), 1u << 0);
    assert_int_equal(victims("fifo", "0123045"), 1u << 0 | 1u << 1);
    assert_int_equal(victims("fifo", "01234056"), 1u << 1 | 1u << 2 | 1u << 3); /* 0 comes back as the last */
}

/* Predictions of the lines after each step; the victim is the first that reaches 3. */
static void srrip_prefers_lines_without_hits(void **state)
{
    (void)state;
    assert_int_equal(victims("srrip", "01234"), 1u << 0);              /* 2 2 2 2: all rise */
    assert_int_equal(victims("srrip", "0123004"), 1u << 1);            /* 0 2 2 2 */
    assert_int_equal(victims("srrip", "01230045"), 1u << 1 | 1u << 2); /* 1 2 3 3 after 4: 2 has 3 at once */
    /* 0 0 0 0 after a hit of each; three rises; then 2 3 3 3: 5 replaces line 1 and not 4, which was just filled */
    assert_int_equal(victims("srrip", "0123012345"), 1u << 0 | 1u << 1);
}

/* More ways than a word of an order has fields: the victim of 24 ways. */
static void orders_of_many_ways(void **state)
{
    (void)state;
    static const char *const policies[] = {"lru", "fifo"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "cache.l1d.size=12K cache.l1d.line=16 cache.l1d.ways=24 cache.l2.ways=32 cache.l1d.replacement=%s",
                 policies[i]);
        struct machine *m = machine(1, settings);
        fill_ways(m, 24);
        for (unsigned line = 0; line < 20; line++)
            load(m, 0, A + line * 0x1000);
        load(m, 0, A + 24 * 0x1000);
        assert_int_equal(missing(m, 24), i == 0 ? 20 : 0);
        cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, A + 0x9000);
        load(m, 0, A + 25 * 0x1000); /* into the empty way */
        load(m, 0, A + 26 * 0x1000);
        assert_false(holds(m, 0, MEMSYS_L1D, A + (i == 0 ? 21 : 1) * 0x1000));
        assert_true(holds(m, 0, MEMSYS_L1D, A + (i == 0 ? 22 : 2) * 0x1000));
        done(m);
    }
}

/* Index */

static unsigned load_at(struct machine *m, vaddr virtual_address, paddr address)
{
    const struct memsys_request request = {.access = MEMSYS_READ,
                                           .address = address,
                                           .virtual_address = virtual_address,
                                           .size = 4,
                                           .max_permission = PERMIT_READ_STORE,
                                           .permission = &m->permission,
                                           .bucket = &m->bucket[0]};
    return (unsigned)memsys_access(m->memsys, 0, &request);
}

static void virtual_address_selects_the_set(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.index=virtual cache.l1d.ways=1 cache.l2.ways=16");
    load_at(m, 0x1000, A);
    load_at(m, 0x2000, A + 0x4000); /* the same physical set, another virtual one */
    assert_int_equal(load_at(m, 0x1000, A), 0);
    load_at(m, 0x5000, A + 0x1000); /* 16K from the first: the same virtual set, another physical one */
    assert_int_equal(load_at(m, 0x1000, A), L2_HIT);
    done(m);
}

static void line_is_in_one_virtual_set_only(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.index=virtual cache.l1d.ways=1");
    load_at(m, 0x1000, A);
    assert_int_equal(load_at(m, 0x2000, A), L2_HIT); /* its other virtual address: another set */
    assert_int_equal(value(m, "cpu0.l1d.aliases"), 1);
    assert_int_equal(load_at(m, 0x2000, A), 0);
    assert_int_equal(load_at(m, 0x1000, A), L2_HIT);
    memsys_dma_write(m->memsys, A, 4, 0); /* found in any set */
    assert_int_equal(load_at(m, 0x1000, A), MEMORY);
    done(m);
}

static void hash_folds_upper_bits_into_the_set(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.hash=xor cache.l1d.ways=1 cache.l2.ways=16"); /* 1024 sets */
    load(m, 0, A);
    load(m, 0, A ^ 0x4000); /* the same index bits, but bit 0 of the next ten differs: set ^ 1 */
    assert_int_equal(load(m, 0, A), 0);
    load(m, 0, A ^ 0x4000 ^ 0x10); /* both differ: the same set as A */
    assert_int_equal(load(m, 0, A), L2_HIT);
    done(m);
}

/* A load or store with an address space. */
static unsigned access_in(struct machine *m, enum memsys_access kind, uint8_t space, vaddr virtual_address,
                          paddr address)
{
    const struct memsys_request request = {.access = kind,
                                           .address = address,
                                           .virtual_address = virtual_address,
                                           .space = space,
                                           .size = 4,
                                           .max_permission = PERMIT_READ_STORE,
                                           .permission = &m->permission,
                                           .bucket = &m->bucket[0]};
    return (unsigned)memsys_access(m->memsys, 0, &request);
}

/* The set of the first-level data cache (one way) that holds ADDRESS. */
static unsigned set_of(struct machine *m, paddr address)
{
    for (uint32_t set = 0; set < memsys_entries(m->memsys, MEMSYS_L1D, NULL); set++) {
        const struct memsys_entry entry = memsys_entry_at(m->memsys, 0, MEMSYS_L1D, set);
        if (entry.valid && entry.line == (address & ~15u))
            return set;
    }
    fail_msg("0x%08x is not in the cache", address);
    return 0;
}

/* 64 KB, one way, lines of 16 bytes: 4096 sets, 256 in a page; the page number selects bits 8 to 11 of the set. */
#define SPACES "cache.l1d.index=virtual cache.l1d.hash=space cache.l1d.ways=1 cache.l1d.size=64K "

static void address_space_is_hashed_into_the_set(void **state)
{
    (void)state;
    struct machine *m = machine(1, SPACES "cache.l2.ways=16");
    static const struct {
        uint8_t space;
        vaddr virtual_address;
        unsigned set;
    } cases[] = {
        {0x00, 0x00403120, 0x312},                            /* page 3, line 0x12 of it */
        {0x01, 0x00403120, 0x212},                            /* 3 ^ 1 */
        {0x25, 0x00403120, 0x612},                            /* 3 ^ 5: four bits of the space are in use */
        {0xf0, 0x00403120, 0x312}, {0x25, 0x00406ff0, 0x3ff}, /* 6 ^ 5; the place within the page is kept */
        {0x00, 0x80123450, 0x345},                            /* the kernel */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const paddr address = A + i * 0x10000 + (cases[i].virtual_address & 0xfff);
        access_in(m, MEMSYS_READ, cases[i].space, cases[i].virtual_address, address);
        assert_int_equal(set_of(m, address), cases[i].set);
        assert_int_equal(access_in(m, MEMSYS_READ, cases[i].space, cases[i].virtual_address, address), 0);
    }
    assert_int_equal(value(m, "cpu0.l1d.aliases"), 0);
    done(m);
}

/* The kernel stores to a page through kseg0, and a process reads it: another set, so the kernel's copy is evicted and
 * written back, once. */
static void kernel_and_user_copies_evict_each_other(void **state)
{
    (void)state;
    struct machine *m = machine(1, SPACES "cache.model=one-level");
    const paddr address = 0x00123450;
    access_in(m, MEMSYS_WRITE, 0, 0x80123450, address);
    assert_int_equal(set_of(m, address), 0x345);
    m->permission = PERMIT_READ_STORE; /* the kernel's */
    assert_int_equal(access_in(m, MEMSYS_READ, 7, 0x00403450, address), MEMORY);
    assert_int_equal(set_of(m, address), 0x445); /* 3 ^ 7 = 4 */
    assert_int_equal(value(m, "cpu0.l1d.aliases"), 1);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(access_in(m, MEMSYS_READ, 7, 0x00403450, address), 0);
    access_in(m, MEMSYS_READ, 9, 0x00403450, address); /* shared memory at the same address in another process */
    assert_int_equal(set_of(m, address), 0xa45);
    assert_int_equal(value(m, "cpu0.l1d.aliases"), 2);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    memsys_dma_write(m->memsys, address, 16, 0); /* found in any set */
    assert_false(memsys_look(m->memsys, 0, MEMSYS_L1D, address).valid);
    done(m);
}

static void alias_loses_its_permission(void **state)
{
    (void)state;
    struct machine *m = machine(1, SPACES);
    uint8_t kernel = 0, user = 0;
    struct memsys_request request = {.access = MEMSYS_WRITE,
                                     .address = 0x00123450,
                                     .virtual_address = 0x80123450,
                                     .size = 4,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &kernel,
                                     .bucket = &m->bucket[0]};
    memsys_access(m->memsys, 0, &request);
    assert_int_equal(kernel, PERMIT_READ_STORE);
    request.virtual_address = 0x00403450;
    request.space = 7;
    request.permission = &user;
    memsys_access(m->memsys, 0, &request);
    assert_int_equal(kernel, PERMIT_NONE);
    assert_int_equal(user, PERMIT_READ_STORE);
    done(m);
}

static void fast_path_tells_the_spaces(void **state)
{
    (void)state;
    struct machine *m = machine(1, SPACES "cache.l1i.index=virtual cache.l1i.hash=space cache.l1i.size=16K "
                                          "cache.l1i.ways=1");
    const struct memsys_fast_model model = {.records_use_stamps = true};
    struct memsys_fast_path path;
    assert_true(memsys_fast_path(m->memsys, 0, MEMSYS_L1I, &model, &path));
    assert_int_equal(path.by_vaddr, 0x3000);
    assert_true(path.by_space);
    assert_true(memsys_fast_path(m->memsys, 0, MEMSYS_L1D, &model, &path));
    assert_int_equal(path.by_vaddr, 0xf000);
    assert_true(path.by_space);
    done(m);
    m = machine(1, SPACES "cache.l1.split=off");
    assert_true(memsys_fast_path(m->memsys, 0, MEMSYS_L1I, &model, &path));
    assert_true(memsys_fast_path(m->memsys, 0, MEMSYS_L1D, &model, &path));
    done(m);
}

/* Parameters */

static void senseless_hierarchies_name_the_parameter(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *culprit;
    } cases[] = {
        {"cache.l1.split=off cache.l2.split=on", "cache.l2.split is on"},
        {"cache.model=three-level cache.l3.split=on", "cache.l3.split is on"},
        {"cache.l2.write=through", "cache.l2.write is through"},
        {"cache.l2.split=on cache.l2i.line=64", "cache.l2i.line is 64"},
        {"cache.model=three-level cache.l3.line=64", "cache.l2.line is 128"},
        {"cache.model=three-level cache.l3.size=512K", "cache.l2.size is 1048576"},
        {"cache.model=three-level memory.l3_hit_time=20", "memory.l3_hit_time is 20"},
        {"cache.model=three-level memory.l3_hit_time=600", "memory.miss_time is 500"},
        {"cache.l1d.hash=space", "cache.l1d.hash is space: needs a first-level cache with cache.l1d.index=virtual"},
        {"cache.l2.hash=space", "cache.l2.hash is space"},
        {"cache.l1i.hash=space cache.l1i.index=virtual cache.l1i.ways=4",
         "cache.l1i.hash is space: needs cache.l1i.size"},
        {"cache.update_pages=12", "cache.update_pages is \"12\""},
        {"cache.update_pages=0x2000-0x1000", "cache.update_pages is"},
        {"cache.update_pages=0-1",
         "cache.update_pages is \"0-1\": FIRST-LAST,FIRST-LAST,... needed; addresses are hexadecimal with 0x"},
        {"cache.update_pages=0-1fff", "cache.update_pages is \"0-1fff\""},
        {"cache.update_pages=0-0x1,", "cache.update_pages is"},
        {"cache.update_pages=-1-2", "cache.update_pages is"},
        {"cache.update_pages=0-0x100000000", "cache.update_pages is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params = make_params(cases[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, 1, 200 * MHZ, &err));
        if (strncmp(err.text, cases[i].culprit, strlen(cases[i].culprit)) != 0)
            fail_msg("%s: \"%s\"", cases[i].settings, err.text);
        params_free(params);
    }
}

static void what_is_not_built_is_not_checked(void **state)
{
    (void)state;
    done(machine(1, "cache.model=one-level cache.l2.size=4K cache.l1d.size=4M cache.l1d.line=256 cache.l1i.line=256 "
                    "memory.l2_hit_time=900"));
    done(machine(1, "cache.l3.line=4 cache.l2i.line=8 memory.l3_hit_time=900"));
    done(machine(1, "cache.l1.split=off cache.l1i.line=256 cache.l1i.size=4M"));
    done(machine(1, "cache.l2.inclusive=off cache.l1d.size=4M"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_level_goes_to_memory),
        cmocka_unit_test(three_levels_stall_by_where_the_line_is),
        cmocka_unit_test(unified_first_level_holds_both),
        cmocka_unit_test(split_second_level_has_two_copies),
        cmocka_unit_test(look_at_victim),
        cmocka_unit_test(look_at_victim_of_virtual_index),
        cmocka_unit_test(look_at_victim_of_a_space),
        cmocka_unit_test(index_operations_are_in_the_set_of_a_load),
        cmocka_unit_test(inclusive_third_level_takes_both_inner_ones),
        cmocka_unit_test(line_survives_eviction_from_a_level_that_is_not_inclusive),
        cmocka_unit_test(write_back_passes_a_level_that_lacks_the_line),
        cmocka_unit_test(write_back_modifies_a_copy_that_is_there),
        cmocka_unit_test(write_back_on_the_way_of_its_own_unit_is_noticed),
        cmocka_unit_test(write_through_store_does_not_wait),
        cmocka_unit_test(write_through_to_memory_writes_each_store),
        cmocka_unit_test(write_through_with_allocation_fetches_the_line),
        cmocka_unit_test(store_around_first_level_lands_in_second),
        cmocka_unit_test(pseudo_lru_follows_its_tree),
        cmocka_unit_test(random_replacement_is_the_stated_sequence),
        cmocka_unit_test(fifo_forgets_hits),
        cmocka_unit_test(srrip_prefers_lines_without_hits),
        cmocka_unit_test(orders_of_many_ways),
        cmocka_unit_test(emptied_way_is_filled_first),
        cmocka_unit_test(virtual_address_selects_the_set),
        cmocka_unit_test(line_is_in_one_virtual_set_only),
        cmocka_unit_test(hash_folds_upper_bits_into_the_set),
        cmocka_unit_test(address_space_is_hashed_into_the_set),
        cmocka_unit_test(kernel_and_user_copies_evict_each_other),
        cmocka_unit_test(alias_loses_its_permission),
        cmocka_unit_test(fast_path_tells_the_spaces),
        cmocka_unit_test(senseless_hierarchies_name_the_parameter),
        cmocka_unit_test(what_is_not_built_is_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
