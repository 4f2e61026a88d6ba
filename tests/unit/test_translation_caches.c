/*
 * The second-level TLB and the page-walk cache: on random lookups against others that keep the time of each use; in
 * walks, where entries of page tables change; in checkpoints.
 *
 * Their replacement and what they hold: cpu/privileged/translation_caches.h.
 */
#include "tests/unit/core_fixture.h"
#include "tests/unit/tape.h"

#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/translation_caches.h"
#include "tests/diff/random.h"

enum { DIRECTORY = 16 << 20, TABLE = DIRECTORY + 0x1000, KSEG0 = 0x80000000u };
enum { MAX_ENTRIES = 64, ADDRESS = 0x00400123 };

/* What the walker asked of its model. */
static struct {
    unsigned loads;
    cycles waits;
} asked;

static void load_made(void *model, const struct page_walk_load *load)
{
    struct core *core = ((struct fake_model *)model)->core;
    if (walk_cache_hits(core, load))
        return;
    walk_cache_keep(core, load);
    asked.loads++;
}

static void wait_made(void *model, cycles duration)
{
    (void)model;
    asked.waits += duration;
}

static struct cpu_model_ops asking_ops;

static struct fixture *create(const struct translation_config *config)
{
    struct fixture *f = fixture_create_sized(32);
    asking_ops = fake_ops;
    asking_ops.walk_load = load_made;
    asking_ops.walk_wait = wait_made;
    f->core->has_page_walker = true;
    f->core->model_ops = &asking_ops;
    f->core->translation = translation_caches_create(config);
    core_reset(f->core, KSEG0);
    fixture_kernel_mode(f->core);
    return f;
}

static void destroy(struct fixture *f)
{
    void *state = f;
    fixture_teardown(&state);
}

/* A cache of entries with a tag and a value, each with the time of its last use. */
struct timed {
    uint64_t now, tag[MAX_ENTRIES], value[MAX_ENTRIES], used[MAX_ENTRIES];
};

static bool timed_look_up(struct timed *cache, unsigned first, unsigned count, uint64_t tag, uint64_t value)
{
    unsigned place = first;
    for (unsigned i = first; i < first + count; i++)
        if (cache->used[i] < cache->used[place])
            place = i;
    for (unsigned i = first; i < first + count; i++)
        if (cache->used[i] > 0 && cache->tag[i] == tag)
            place = i;
    const bool hit = cache->used[place] > 0 && cache->tag[place] == tag && cache->value[place] == value;
    cache->tag[place] = tag;
    cache->value[place] = value;
    cache->used[place] = ++cache->now;
    return hit;
}

static void test_tlb2_against_times(void **state)
{
    struct random random = random_seeded(1);
    (void)state;
    unsigned hits = 0, misses = 0;
    for (unsigned machine = 0; machine < 40; machine++) {
        static struct timed times;
        const unsigned ways = 1 + (unsigned)random_below(&random, 8), sets = 1 + (unsigned)random_below(&random, 8);
        struct fixture *f =
            create(&(struct translation_config){.tlb2_entries = sets * ways, .tlb2_ways = ways, .tlb2_latency = 1});
        memset(&times, 0, sizeof times);
        for (unsigned i = 0; i < 1000; i++) {
            const uint32_t pair = (uint32_t)random_below(&random, 2 * sets * ways),
                           asid = (uint32_t)random_below(&random, 2);
            const uint32_t lo = (uint32_t)random_below(&random, 8) == 0 ? 0x1002 : 0x2002;
            const bool global = pair % 5 == 0;
            const struct tlb_entry entry = {
                .vpn2 = pair << 13, .asid = (uint8_t)asid, .global = global, .lo = {0x3002, lo}};
            const uint64_t tag = pair << 2 | (global ? 2 : asid);
            const bool holds = tlb2_holds(f->core, &entry);
            const bool hit = timed_look_up(&times, pair % sets * ways, ways, tag, lo);
            assert_int_equal(holds, hit);
            assert_int_equal(tlb2_look_up(f->core, &entry), hit);
            hits += hit;
            misses += !hit;
        }
        destroy(f);
    }
    assert_true(hits > 4000 && misses > 4000);
}

static void test_walk_cache_against_times(void **state)
{
    struct random random = random_seeded(2);
    (void)state;
    unsigned hits = 0, misses = 0;
    for (unsigned machine = 0; machine < 40; machine++) {
        static struct timed times;
        const unsigned entries = 1 + (unsigned)random_below(&random, 32);
        struct fixture *f = create(&(struct translation_config){.walk_entries = entries, .tlb2_ways = 1});
        memset(&times, 0, sizeof times);
        for (unsigned i = 0; i < 1000; i++) {
            struct page_walk_load load = {.physical = (paddr)random_below(&random, 2 * entries) * 4,
                                          .value = random_below(&random, 8) == 0,
                                          .directory = random_below(&random, 8) != 0,
                                          .cached = random_below(&random, 8) != 0};
            const bool kept = load.directory && load.cached; /* PTEs and uncached loads never are */
            const bool hit = kept && timed_look_up(&times, 0, entries, load.physical, load.value);
            assert_int_equal(walk_cache_hits(f->core, &load), hit);
            if (!hit)
                walk_cache_keep(f->core, &load);
            hits += hit;
            misses += !hit;
        }
        destroy(f);
    }
    assert_true(hits > 4000 && misses > 4000);
}

/* A directory and a table, as Linux has them. */
static void set_tables(struct fixture *f, uint32_t frame)
{
    *(uint32_t *)(void *)physmem_host(f->mem, DIRECTORY + 4) = KSEG0 + TABLE;
    *(uint32_t *)(void *)physmem_host(f->mem, TABLE) = (frame << 6 | 0x1f) << 6;
    cp0_write(f->core, CP0_PWFIELD, 22u << 24 | 12 << 18 | 12 << 12 | 12 << 6 | 6);
    cp0_write(f->core, CP0_PWSIZE, 10u << 24 | 10 << 6);
    cp0_write(f->core, CP0_PWBASE, KSEG0 + DIRECTORY);
    cp0_write(f->core, CP0_PWCTL, 0x80000000u);
}

/* The access to ADDRESS misses the TLB: it has LOADS, waits for WAITS, and comes to FRAME. */
static void check_miss(struct fixture *f, unsigned loads, cycles waits, uint32_t frame)
{
    paddr pa;
    bool cached;
    tlb_reset(f->core);
    asked.loads = 0;
    asked.waits = 0;
    assert_int_equal(tlb_translate(f->core, ADDRESS, ACCESS_LOAD, &pa, &cached), 0);
    assert_int_equal(pa, frame << 12 | 0x123);
    assert_int_equal(asked.loads, loads);
    assert_int_equal(asked.waits, waits);
}

static const struct translation_config both = {.tlb2_entries = 8, .tlb2_ways = 2, .tlb2_latency = 9, .walk_entries = 2};

static void test_walks(void **state)
{
    (void)state;
    struct fixture *f = create(&both);
    set_tables(f, 0x100);
    check_miss(f, 3, 9, 0x100);
    check_miss(f, 0, 9, 0x100);
    assert_int_equal(f->core->counts.walks[0], 1); /* what the second-level TLB has is no walk */
    /* a PTE that has changed is not used; the directory still is */
    set_tables(f, 0x101);
    check_miss(f, 2, 9, 0x101);
    /* another address space has its own entries; the same directory here */
    cp0_write(f->core, CP0_ENTRYHI, 7);
    check_miss(f, 2, 9, 0x101);
    cp0_write(f->core, CP0_ENTRYHI, 0);
    check_miss(f, 0, 9, 0x101);
    /* nor is a directory's entry: the second table is elsewhere, and has the same PTE */
    *(uint32_t *)(void *)physmem_host(f->mem, TABLE + 0x1000) = (0x102u << 6 | 0x1f) << 6;
    *(uint32_t *)(void *)physmem_host(f->mem, DIRECTORY + 4) = KSEG0 + TABLE + 0x1000;
    check_miss(f, 3, 9, 0x102);
    assert_int_equal(f->core->counts.walks[0], 4);
    destroy(f);
    /* one without the other */
    f = create(&(struct translation_config){.tlb2_entries = 8, .tlb2_ways = 2, .tlb2_latency = 5});
    set_tables(f, 0x100);
    check_miss(f, 3, 5, 0x100);
    check_miss(f, 0, 5, 0x100);
    destroy(f);
    f = create(&(struct translation_config){.tlb2_ways = 2, .tlb2_latency = 5, .walk_entries = 1});
    set_tables(f, 0x100);
    check_miss(f, 3, 0, 0x100);
    check_miss(f, 2, 0, 0x100);
    destroy(f);
    f = create(&(struct translation_config){.tlb2_ways = 2, .tlb2_latency = 5});
    assert_null(f->core->translation);
    set_tables(f, 0x100);
    check_miss(f, 3, 0, 0x100);
    check_miss(f, 3, 0, 0x100);
    destroy(f);
}

/* A checkpoint has their contents, as state of a timing model: for the same machine only. */
static void test_saved(void **state)
{
    const struct saved_terms terms = {.same_machine = true, .clock_hz = 200000000};
    struct record_options tape = {0};
    struct saved_out out = {.put = tape_put, .opaque = &tape};
    struct saved_in in = {.get = tape_get, .opaque = &tape};
    struct err err = {""};
    unsigned timing = 0;
    (void)state;
    struct fixture *f = create(&both);
    set_tables(f, 0x100);
    check_miss(f, 3, 9, 0x100);
    struct saved *saved = saved_create(f->queue);
    core_register_saved(f->core, saved);
    for (size_t n = 0; saved_at(saved, n); n++) {
        saved_write(saved_at(saved, n), &out);
        timing += strcmp(saved_at(saved, n)->name, "cpu0.translation") == 0 && saved_at(saved, n)->timing;
    }
    assert_int_equal(timing, 1);
    saved_free(saved);
    destroy(f);
    f = create(&both);
    saved = saved_create(f->queue);
    core_register_saved(f->core, saved);
    saved_load_begin(saved);
    for (size_t n = 0; saved_at(saved, n); n++)
        assert_true(saved_read(saved, saved_at(saved, n), &in, &terms, &err));
    assert_true(saved_load_end(saved, &terms, &err));
    set_tables(f, 0x100);
    check_miss(f, 0, 9, 0x100);
    saved_free(saved);
    free(tape.bytes);
    destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tlb2_against_times),
        cmocka_unit_test(test_walk_cache_against_times),
        cmocka_unit_test(test_walks),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
