/* Who evicted whom (cache/classify/evictors.h): random accesses to small caches, against caches and a table that are
 * kept here; and what is no pair. */
#include "cache/classify/classify.h"
#include "cache/classify/evictors.h"
#include "cache/state/hooks.h"
#include "src/base/saved.h"
#include "src/base/splitmix.h"
#include "src/memory/physmem.h"
#include "tests/unit/memsys_fixture.h"
#include "tests/unit/tape.h"

enum { LINE = 16, OUTER_LINE = 64, LINES = 1024, STEPS = 200000, WAYS_MOST = 4, KERNEL = 0x80000000u };

/* One cache, by hand: the lines of each set, the last used one first; and who took the place of each line. */
struct slow {
    uint32_t line, sets, ways;
    uint32_t held[LINES][WAYS_MOST], count[LINES]; /* numbers of lines, by set */
    uint32_t by[LINES];                            /* 1 + the line accessed then; 0: not evicted */
    uint32_t pairs[LINES][LINES];                  /* of lines of LINE bytes: missed, evicted by */
    uint64_t misses;                               /* of evicted lines */
};

static bool slow_take(struct slow *cache, uint32_t number)
{
    uint32_t *held = cache->held[number % cache->sets], *count = &cache->count[number % cache->sets];
    for (uint32_t way = 0; way < *count; way++)
        if (held[way] == number) {
            memmove(&held[way], &held[way + 1], (*count - way - 1) * sizeof *held);
            (*count)--;
            return true;
        }
    return false;
}

static void slow_put(struct slow *cache, uint32_t number)
{
    uint32_t *held = cache->held[number % cache->sets], *count = &cache->count[number % cache->sets];
    memmove(&held[1], &held[0], *count * sizeof *held);
    held[0] = number;
    (*count)++;
}

/* The access to AT misses: a line goes, for which AT is to blame. Returns it; UINT32_MAX: none. */
static uint32_t slow_make_room(struct slow *cache, paddr at)
{
    const uint32_t set = at / cache->line % cache->sets;
    if (cache->count[set] < cache->ways)
        return UINT32_MAX;
    const uint32_t victim = cache->held[set][--cache->count[set]];
    cache->by[victim] = 1 + at / LINE;
    return victim;
}

/* An access to AT; whether it hits. */
static bool slow_access(struct slow *cache, paddr at)
{
    const uint32_t number = at / cache->line;
    if (slow_take(cache, number)) {
        slow_put(cache, number);
        return true;
    }
    if (cache->by[number]) {
        cache->pairs[at / LINE][cache->by[number] - 1]++;
        cache->misses++;
    }
    cache->by[number] = 0;
    return false;
}

static struct slow *slow_create(uint32_t size, uint32_t line, uint32_t ways)
{
    struct slow *cache = calloc(1, sizeof *cache);
    cache->line = line;
    cache->ways = ways;
    cache->sets = size / line / ways;
    return cache;
}

/* An access to AT by the kernel's address of it. */
static void access_at(struct machine *m, enum memsys_access kind, paddr at)
{
    struct memsys_request request = {.access = kind,
                                     .address = at,
                                     .virtual_address = KERNEL + at,
                                     .pc = KERNEL + at,
                                     .size = 4,
                                     .now = ++m->bucket[0].cycles,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &m->permission,
                                     .bucket = &m->bucket[0]};
    memsys_access(m->memsys, 0, &request);
}

/* The pairs of CACHE are those of SLOW. MARK: of the keys. */
static void compare(const struct machine *m, enum memsys_cache cache, const struct slow *slow, uint64_t mark)
{
    size_t count;
    const struct evictors *evictors = memsys_evictors(m->memsys);
    const struct evictor_pair *pair = evictors_pairs(evictors, 0, cache, &count);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pair[i].missed & ~(uint64_t)UINT32_MAX, mark);
        assert_int_equal(pair[i].evicted_by & ~(uint64_t)UINT32_MAX, mark);
        const paddr missed = (uint32_t)pair[i].missed - KERNEL, by = (uint32_t)pair[i].evicted_by - KERNEL;
        assert_int_equal(pair[i].set, missed / slow->line % slow->sets);
        assert_int_equal(pair[i].misses, slow->pairs[missed / LINE][by / LINE]);
        sum += pair[i].misses;
    }
    assert_true(sum > 1000);
    assert_int_equal(sum, slow->misses);
    assert_int_equal(evictors_unknown(evictors, 0, cache), 0);
}

#define SMALL                                                                                                          \
    "cache.l1i.line=16 cache.l1d.line=16 cache.l1i.size=1K cache.l1d.size=1K cache.classify=full cache.evictors=on "

/* A first level of WAYS under an L2 that holds everything. */
static void test_one_level(const char *ways, unsigned number, enum memsys_access kind, enum memsys_cache id)
{
    char settings[300];
    uint64_t state = 7 + number;
    snprintf(settings, sizeof settings, SMALL "cache.l1i.ways=%s cache.l1d.ways=%s cache.l2.size=1M", ways, ways);
    struct machine *m = machine(1, settings);
    struct slow *slow = slow_create(1024, LINE, number);
    for (unsigned i = 0; i < STEPS; i++) {
        const paddr at = (paddr)(splitmix_next(&state) % LINES) * LINE;
        access_at(m, kind, at);
        if (!slow_access(slow, at)) {
            slow_make_room(slow, at);
            slow_put(slow, at / LINE);
        }
    }
    compare(m, id, slow, kind == MEMSYS_FETCH ? EVICTORS_CODE : 0);
    free(slow);
    done(m);
}

static void test_direct_mapped(void **state)
{
    (void)state;
    test_one_level("1", 1, MEMSYS_READ, MEMSYS_L1D);
    test_one_level("1", 1, MEMSYS_FETCH, MEMSYS_L1I);
}

static void test_two_ways(void **state)
{
    (void)state;
    test_one_level("2", 2, MEMSYS_WRITE, MEMSYS_L1D);
}

/* A line of L2 that goes takes those of the first level along: for the same access. */
static void test_inclusion(void **state)
{
    (void)state;
    uint64_t random = 11;
    struct machine *m =
        machine(1, SMALL "cache.l1i.ways=2 cache.l1d.ways=2 cache.l2.size=4K cache.l2.ways=1 cache.l2.line=64");
    struct slow *first = slow_create(1024, LINE, 2), *second = slow_create(4096, OUTER_LINE, 1);
    for (unsigned i = 0; i < STEPS; i++) {
        const paddr at = (paddr)(splitmix_next(&random) % LINES) * LINE;
        access_at(m, MEMSYS_READ, at);
        if (slow_access(first, at))
            continue;
        if (!slow_access(second, at)) {
            const uint32_t victim = slow_make_room(second, at);
            for (uint32_t n = victim * (OUTER_LINE / LINE);
                 victim != UINT32_MAX && n < (victim + 1) * (OUTER_LINE / LINE); n++)
                if (slow_take(first, n))
                    first->by[n] = 1 + at / LINE;
            slow_put(second, at / OUTER_LINE);
        }
        slow_make_room(first, at);
        slow_put(first, at / LINE);
    }
    compare(m, MEMSYS_L1D, first, 0);
    compare(m, MEMSYS_L2, second, 0);
    assert_true(value(m, "cpu0.l1d.miss.kernel.inclusion") > 1000);
    free(first);
    free(second);
    done(m);
}

static size_t pairs_of(const struct machine *m, const struct evictor_pair **pair)
{
    size_t count;
    *pair = evictors_pairs(memsys_evictors(m->memsys), 0, MEMSYS_L1D, &count);
    return count;
}

/* Two lines of one set of a direct-mapped cache, and what is between their misses. */
static void test_what_is_no_pair(void **state)
{
    (void)state;
    const paddr a = 0x4000, b = 0x4400;
    const struct evictor_pair *pair;
    struct machine *m = machine(1, SMALL "cache.l1i.ways=1 cache.l1d.ways=1 cache.l2.size=1M");
    access_at(m, MEMSYS_READ, a);
    access_at(m, MEMSYS_READ, b);
    assert_int_equal(pairs_of(m, &pair), 0); /* cold misses */
    access_at(m, MEMSYS_READ, a);
    assert_int_equal(pairs_of(m, &pair), 1);
    memsys_dma_write(m->memsys, a, LINE, 0);
    access_at(m, MEMSYS_READ, a); /* of an invalidated line */
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, a);
    access_at(m, MEMSYS_READ, a); /* of a flushed one */
    assert_int_equal(pairs_of(m, &pair), 1);
    assert_int_equal(pair[0].missed, KERNEL + a);
    assert_int_equal(pair[0].evicted_by, KERNEL + b);
    assert_int_equal(pair[0].misses, 1);
    memsys_begin_evictors(m->memsys);
    assert_int_equal(pairs_of(m, &pair), 0);
    access_at(m, MEMSYS_READ, b); /* evicted before counting began, missed after it */
    assert_int_equal(pairs_of(m, &pair), 1);
    assert_int_equal(pair[0].missed, KERNEL + b);
    assert_int_equal(evictors_unknown(memsys_evictors(m->memsys), 0, MEMSYS_L1D), 0);
    done(m);
}

static void prefetch_at(struct machine *m, paddr at)
{
    const struct memsys_request hint = {
        .access = MEMSYS_READ, .address = at, .virtual_address = KERNEL + at, .size = 4, .now = m->bucket[0].cycles};
    memsys_prefetch(m->memsys, 0, &hint);
    m->bucket[0].cycles += 1000;
}

/* A prefetched line evicts, too: under its own address until something accesses it. */
static void test_prefetched(void **state)
{
    (void)state;
    const paddr a = 0x4000, b = 0x4400, c = 0x4800;
    const struct evictor_pair *pair;
    struct machine *m = machine(1, SMALL "cache.l1i.ways=1 cache.l1d.ways=1 cache.l2.size=1M prefetch.data=on");
    access_at(m, MEMSYS_READ, a);
    prefetch_at(m, b);
    access_at(m, MEMSYS_READ, a);
    assert_int_equal(pairs_of(m, &pair), 1);
    assert_int_equal(pair[0].evicted_by, EVICTORS_LINE | b);
    prefetch_at(m, c);
    access_at(m, MEMSYS_READ, c);
    assert_int_equal(pairs_of(m, &pair), 1); /* it was there */
    access_at(m, MEMSYS_READ, a);
    assert_int_equal(pairs_of(m, &pair), 2);
    assert_int_equal(pair[1].evicted_by, KERNEL + c);
    done(m);
}

/* Saves M's caches and loads them into M again, as of the same machine. */
static void save_and_load(struct machine *m)
{
    struct event_queue *queue = event_queue_create(200 * MHZ);
    struct saved *saved = saved_create(queue);
    struct record_options tape = {0};
    struct saved_out out = {.put = tape_put, .opaque = &tape};
    struct saved_in in = {.get = tape_get, .opaque = &tape};
    const struct saved_terms terms = {.same_machine = true, .clock_hz = 200 * MHZ};
    struct err err = {""};
    struct physmem *ram = physmem_create(NULL, &err);
    assert_true(ram && physmem_add_ram(ram, 0, 0x10000, &err));
    memsys_register_saved(m->memsys, ram, saved);
    for (size_t i = 1; saved_at(saved, i); i++)
        saved_write(saved_at(saved, i), &out);
    saved_load_begin(saved);
    for (size_t i = 1; saved_at(saved, i); i++)
        if (!saved_read(saved, saved_at(saved, i), &in, &terms, &err))
            fail_msg("%s", err.text);
    assert_true(saved_load_end(saved, &terms, &err));
    saved_free(saved);
    physmem_free(ram);
    event_queue_free(queue);
    tape_release(&tape);
}

/* After a restore nothing is known of lines lost before it, and the counts of the caches go on. */
static void test_restored(void **state)
{
    (void)state;
    const paddr a = 0x4000, b = 0x4400;
    const struct evictor_pair *pair;
    struct machine *m = machine(1, SMALL "cache.l1i.ways=1 cache.l1d.ways=1 cache.l2.size=1M");
    access_at(m, MEMSYS_READ, a);
    access_at(m, MEMSYS_READ, b);
    access_at(m, MEMSYS_READ, a); /* a pair, which is forgotten */
    save_and_load(m);
    assert_int_equal(pairs_of(m, &pair), 0);
    access_at(m, MEMSYS_READ, b);
    assert_int_equal(pairs_of(m, &pair), 0);
    access_at(m, MEMSYS_READ, a);
    assert_int_equal(pairs_of(m, &pair), 1);
    assert_int_equal(pair[0].missed, KERNEL + a);
    assert_int_equal(evictors_unknown(memsys_evictors(m->memsys), 0, MEMSYS_L1D), 2);
    assert_int_equal(value(m, "cpu0.l1d.evicted.kern_self"), 3);
    done(m);
}

static void test_needs_classes(void **state)
{
    (void)state;
    struct err err = {""};
    struct params *params = make_params("cache.evictors=on");
    assert_null(memsys_create(params, 1, 200 * MHZ, &err));
    assert_string_equal(err.text,
                        "cache.evictors: needs cache.classify, which says which misses are of replaced lines");
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_direct_mapped), cmocka_unit_test(test_two_ways),
                                       cmocka_unit_test(test_inclusion),     cmocka_unit_test(test_what_is_no_pair),
                                       cmocka_unit_test(test_prefetched),    cmocka_unit_test(test_restored),
                                       cmocka_unit_test(test_needs_classes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
