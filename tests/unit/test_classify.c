/* One class of miss a test, as docs/reference/miss-classes.md defines it: SOSP'95 sections 2.1.1, 4.4, 5.2; Hill and
 * Smith 1989; Eggers and Jeremiassen 1991. */
#include "cache/classify/classify.h"

#include <stdlib.h>
#include "tests/unit/test.h"

enum { L1I, L1D, L2, A = 0x10000, B = 0x20000, C = 0x30000, D = 0x40000, E = 0x50000 };

struct fixture {
    struct classify *classify;
    cycles now;
    unsigned forgotten;
    paddr forgotten_line;
};

static void withdraw_permission(void *opaque, unsigned cpu, unsigned cache, paddr line)
{
    struct fixture *f = opaque;
    (void)cpu;
    (void)cache;
    if (f == NULL) /* this test does not look at withdrawn permissions */
        return;
    f->forgotten++;
    f->forgotten_line = line;
}

/* Two CPUs; first levels of 4 lines of 16 bytes, a second level of 64 lines of 128 bytes. */
static struct fixture make(enum classify_mode mode)
{
    struct classify_config config = {.cpus = 2,
                                     .caches = 3,
                                     .cache = {{.name = "l1i", .size = 64, .line = 16, .insn = true, .first = true},
                                               {.name = "l1d", .size = 64, .line = 16, .data = true, .first = true},
                                               {.name = "l2", .size = 8192, .line = 128, .insn = true, .data = true}},
                                     .block = 128,
                                     .mode = mode,
                                     .by_pc = true,
                                     .by_address = true,
                                     .withdraw_permission = withdraw_permission};
    return (struct fixture){.classify = classify_create(&config), .now = 100};
}

static struct memsys_request request_at(struct fixture *f, enum memsys_access access, paddr address, uint8_t size)
{
    return (struct memsys_request){.access = access,
                                   .address = address,
                                   .virtual_address = address + 0x80000000,
                                   .pc = 0x80001000,
                                   .size = size,
                                   .now = ++f->now};
}

static enum miss_class miss(struct fixture *f, unsigned cpu, unsigned cache, paddr address)
{
    struct memsys_request request = request_at(f, cache == L1I ? MEMSYS_FETCH : MEMSYS_READ, address, 4);
    return classify_miss(f->classify, cpu, cache, &request);
}

static void fill(struct fixture *f, unsigned cpu, unsigned cache, paddr line)
{
    classify_fill(f->classify, cpu, cache, line, f->now);
}

static enum miss_class miss_and_fill(struct fixture *f, unsigned cpu, unsigned cache, paddr address)
{
    enum miss_class class = miss(f, cpu, cache, address);
    fill(f, cpu, cache, address);
    return class;
}

static void off_is_nothing(void **state)
{
    (void)state;
    struct classify_config config = {.mode = CLASSIFY_OFF};
    assert_null(classify_create(&config));
    classify_free(NULL);
}

static void first_miss_of_each_cache_is_cold(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    assert_int_equal(miss_and_fill(&f, 0, L1D, A), CLASS_COLD);
    assert_int_equal(miss_and_fill(&f, 0, L2, A), CLASS_COLD);
    assert_int_equal(miss_and_fill(&f, 0, L1I, A), CLASS_COLD);
    assert_int_equal(miss_and_fill(&f, 1, L1D, A), CLASS_COLD);
    assert_int_equal(miss_and_fill(&f, 0, L1D, A + 16), CLASS_COLD);
    classify_free(f.classify);
}

/* A miss without a fill does not change the line's history. */
static void miss_without_fill_stays_cold(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_COLD);
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_COLD);
    classify_free(f.classify);
}

/* The set is full but the cache is not: a fully associative cache would still hold the line. */
static void conflict(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    miss_and_fill(&f, 0, L1D, A);
    miss(&f, 0, L1D, B);
    classify_removal(f.classify, 0, L1D, A, REMOVED_EVICTION, 0);
    fill(&f, 0, L1D, B);
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_CONFLICT);
    classify_free(f.classify);
}

/* Capacity of four lines: with three other lines in between it is a conflict miss, with four a capacity miss. */
static void capacity_is_the_number_of_other_lines(void **state)
{
    (void)state;
    static const paddr others[] = {B, C, D, E};
    for (unsigned n = 3; n <= 4; n++) {
        struct fixture f = make(CLASSIFY_FULL);
        miss_and_fill(&f, 0, L1D, A);
        classify_removal(f.classify, 0, L1D, A, REMOVED_EVICTION, 0);
        for (unsigned i = 0; i < n; i++)
            miss_and_fill(&f, 0, L1D, others[i]);
        assert_int_equal(miss(&f, 0, L1D, A), n == 3 ? CLASS_CONFLICT : CLASS_CAPACITY);
        classify_free(f.classify);
    }
}

/* The reference cache's own misses, also where the cache hits: four lines, of which LRU has lost the first. */
static void misses_of_the_reference_cache(void **state)
{
    (void)state;
    static const paddr lines[] = {A, B, C, D, E};
    struct fixture f = make(CLASSIFY_FULL);
    const struct classify_counts *counts = classify_counts(f.classify, 0, L1D);
    for (unsigned i = 0; i < 5; i++)
        miss_and_fill(&f, 0, L1D, lines[i]);
    assert_int_equal(counts->reference[MODE_KERNEL], 5);
    const struct memsys_request held = {.access = MEMSYS_READ, .address = E, .size = 4, .now = ++f.now};
    classify_hit(f.classify, 0, L1D, &held);
    assert_int_equal(counts->reference[MODE_KERNEL], 5);
    classify_set_context(f.classify, 0, MODE_USER, 1);
    const struct memsys_request lost = {.access = MEMSYS_READ, .address = A, .size = 4, .now = ++f.now};
    classify_hit(f.classify, 0, L1D, &lost);
    assert_int_equal(counts->reference[MODE_KERNEL], 5);
    assert_int_equal(counts->reference[MODE_USER], 1);
    classify_free(f.classify);
}

/* Fast-path hits count as uses like reported ones. */
static void unchecked_use_keeps_a_line(void **state)
{
    (void)state;
    for (unsigned used = 0; used < 2; used++) {
        struct fixture f = make(CLASSIFY_FULL);
        static const paddr lines[] = {A, B, C, D};
        for (unsigned i = 0; i < 4; i++)
            miss_and_fill(&f, 0, L1D, lines[i]);
        const struct memsys_uses uses = classify_uses(f.classify, 0, L1D);
        if (used)
            memsys_record_use(&uses, A / 16, MEMSYS_READ, ++f.now);
        classify_removal(f.classify, 0, L1D, A, REMOVED_EVICTION, 0);
        miss_and_fill(&f, 0, L1D, E);
        assert_int_equal(miss(&f, 0, L1D, A), used ? CLASS_CONFLICT : CLASS_CAPACITY);
        classify_free(f.classify);
    }
}

/* The reference cache evicted a line that the cache keeps: its next use must not take the fast path. */
static void line_that_the_shadow_lost_is_not_used_unseen(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    struct classify_config config = {.cpus = 1,
                                     .caches = 1,
                                     .cache = {{.name = "l1d", .size = 32, .line = 16, .data = true, .first = true}},
                                     .block = 16,
                                     .mode = CLASSIFY_FULL,
                                     .withdraw_permission = withdraw_permission,
                                     .opaque = &f};
    struct classify *classify = classify_create(&config);
    classify_fill(classify, 0, 0, A, 1);
    classify_fill(classify, 0, 0, B + 16, 2);
    classify_removal(classify, 0, 0, B + 16, REMOVED_EVICTION, 0);
    assert_int_equal(f.forgotten, 0);
    classify_fill(classify, 0, 0, C + 16, 3); /* A is the LRU line, in a set of its own */
    assert_int_equal(f.forgotten, 1);
    assert_int_equal(f.forgotten_line, A);
    struct memsys_request request = {.access = MEMSYS_READ, .address = A, .size = 4, .now = 4};
    classify_hit(classify, 0, 0, &request); /* present again: the reference cache now evicts B */
    request = (struct memsys_request){.access = MEMSYS_READ, .address = B + 16, .size = 4, .now = 5};
    assert_int_equal(classify_miss(classify, 0, 0, &request), CLASS_CAPACITY);
    classify_free(classify);
    classify_free(f.classify);
}

/* In a cache for both, the fetch of an instruction is an earlier use than the access to its data. */
static void fetch_comes_before_its_data(void **state)
{
    (void)state;
    enum { TIME = 10 };
    for (unsigned fast = 0; fast < 2; fast++) {
        struct classify_config config = {
            .cpus = 1,
            .caches = 1,
            .cache = {{.name = "l1d", .size = 32, .line = 16, .insn = true, .data = true, .first = true}},
            .block = 16,
            .mode = CLASSIFY_FULL,
            .withdraw_permission = withdraw_permission};
        struct classify *classify = classify_create(&config);
        const struct memsys_uses uses = classify_uses(classify, 0, 0);
        classify_fill(classify, 0, 0, A, 1);
        classify_fill(classify, 0, 0, B, 2);
        memsys_record_use(&uses, A / 16, MEMSYS_FETCH, TIME);
        struct memsys_request request = {.access = MEMSYS_READ, .address = B, .size = 4, .now = TIME};
        if (fast)
            memsys_record_use(&uses, B / 16, MEMSYS_READ, TIME);
        else
            classify_hit(classify, 0, 0, &request);
        classify_removal(classify, 0, 0, A, REMOVED_EVICTION, 0);
        request = (struct memsys_request){.access = MEMSYS_READ, .address = C, .size = 4, .now = TIME + 1};
        classify_miss(classify, 0, 0, &request);
        classify_fill(classify, 0, 0, C, TIME + 1);
        classify_removal(classify, 0, 0, B, REMOVED_EVICTION, 0);
        request.address = B;
        assert_int_equal(classify_miss(classify, 0, 0, &request), CLASS_CONFLICT);
        request.address = A;
        assert_int_equal(classify_miss(classify, 0, 0, &request), CLASS_CAPACITY);
        classify_free(classify);
    }
}

static void only_full_tells_capacity_from_conflict(void **state)
{
    (void)state;
    for (enum classify_mode mode = CLASSIFY_REPLACEMENT; mode <= CLASSIFY_SHARING; mode++) {
        struct fixture f = make(mode);
        assert_null(classify_uses(f.classify, 0, L1D).time);
        miss_and_fill(&f, 0, L1D, A);
        classify_removal(f.classify, 0, L1D, A, REMOVED_EVICTION, 0);
        assert_int_equal(miss(&f, 0, L1D, A), CLASS_REPLACED);
        classify_free(f.classify);
    }
}

static void inclusion(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    miss_and_fill(&f, 0, L1D, A);
    classify_removal(f.classify, 0, L1D, A, REMOVED_BACK_INVALIDATION, 0);
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_INCLUSION);
    classify_free(f.classify);
}

static void flushed(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    miss_and_fill(&f, 0, L1D, A);
    classify_removal(f.classify, 0, L1D, A, REMOVED_CACHE_OP, 0);
    assert_int_equal(miss_and_fill(&f, 0, L1D, A), CLASS_FLUSHED);
    miss_and_fill(&f, 0, L1D, B);
    classify_removal(f.classify, 0, L1D, B, REMOVED_EVICTION, 0);
    classify_flush(f.classify);
    assert_int_equal(miss_and_fill(&f, 0, L1D, A), CLASS_FLUSHED);
    /* B was evicted before the flush, which emptied the reference cache as well */
    assert_int_equal(miss(&f, 0, L1D, B), CLASS_CAPACITY);
    classify_free(f.classify);
}

/* CPU 1 stores to a word of the line that CPU 0 holds, invalidating it. */
static void lose(struct fixture *f, paddr word)
{
    classify_removal(f->classify, 0, L1D, word, REMOVED_INVALIDATION, 0);
    classify_removal(f->classify, 0, L2, word, REMOVED_INVALIDATION, 0);
    classify_store(f->classify, 1, word, 4);
}

static void true_sharing_is_the_word_that_was_written(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_SHARING);
    miss_and_fill(&f, 0, L1D, A);
    miss_and_fill(&f, 0, L2, A);
    lose(&f, A + 4);
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_FALSE_SHARING);
    assert_int_equal(miss(&f, 0, L1D, A + 4), CLASS_TRUE_SHARING);
    assert_int_equal(miss(&f, 0, L1D, A + 6), CLASS_TRUE_SHARING);
    assert_int_equal(miss(&f, 0, L1D, A + 8), CLASS_FALSE_SHARING);
    assert_int_equal(miss(&f, 0, L2, A + 100), CLASS_FALSE_SHARING);
    struct memsys_request request = request_at(&f, MEMSYS_READ, A, 8); /* one of its two words */
    assert_int_equal(classify_miss(f.classify, 0, L2, &request), CLASS_TRUE_SHARING);
    classify_free(f.classify);
}

/* Stores after the invalidating one count as well, until the line is refetched. */
static void later_stores_count(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_SHARING);
    miss_and_fill(&f, 0, L1D, A);
    miss_and_fill(&f, 0, L2, A);
    lose(&f, A);
    classify_store(f.classify, 1, A + 8, 4);
    assert_int_equal(miss_and_fill(&f, 0, L1D, A + 8), CLASS_TRUE_SHARING);
    fill(&f, 0, L2, A);
    lose(&f, A + 4);
    assert_int_equal(miss(&f, 0, L1D, A + 8), CLASS_FALSE_SHARING);
    classify_free(f.classify);
}

/* A first-level line remains lost after the second level has refetched the block. */
static void each_cache_remembers_its_own_losses(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_SHARING);
    miss_and_fill(&f, 0, L2, A);
    miss_and_fill(&f, 0, L1D, A);
    miss_and_fill(&f, 0, L1D, A + 16);
    classify_removal(f.classify, 0, L1D, A + 16, REMOVED_INVALIDATION, 0);
    lose(&f, A);
    assert_int_equal(miss_and_fill(&f, 0, L2, A + 16), CLASS_FALSE_SHARING);
    assert_int_equal(miss_and_fill(&f, 0, L1D, A + 16), CLASS_FALSE_SHARING);
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_TRUE_SHARING);
    classify_free(f.classify);
}

static void own_stores_are_no_sharing(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_SHARING);
    miss_and_fill(&f, 0, L1I, A);
    classify_removal(f.classify, 0, L1I, A, REMOVED_INVALIDATION, 0);
    classify_store(f.classify, 1, A + 4, 4);
    classify_store(f.classify, 0, A, 4);
    assert_int_equal(miss(&f, 0, L1I, A), CLASS_FALSE_SHARING);
    assert_int_equal(miss(&f, 0, L1I, A + 4), CLASS_TRUE_SHARING);
    classify_free(f.classify);
}

static void device_writes_are_sharing(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_SHARING);
    miss_and_fill(&f, 0, L2, A);
    miss_and_fill(&f, 0, L2, A + 128);
    classify_removal(f.classify, 0, L2, A, REMOVED_INVALIDATION, 0);
    classify_removal(f.classify, 0, L2, A + 128, REMOVED_INVALIDATION, 0);
    classify_device_store(f.classify, A + 120, 16);
    assert_int_equal(miss(&f, 0, L2, A + 116), CLASS_FALSE_SHARING);
    assert_int_equal(miss(&f, 0, L2, A + 120), CLASS_TRUE_SHARING);
    assert_int_equal(miss(&f, 0, L2, A + 128 + 4), CLASS_TRUE_SHARING);
    assert_int_equal(miss(&f, 0, L2, A + 128 + 8), CLASS_FALSE_SHARING);
    classify_device_store(f.classify, 0xfffffff8, 64); /* beyond the end: ignored */
    classify_free(f.classify);
}

/* A CPU's stores must be observed until the other CPUs have seen every word of the line written. */
static void stores_are_seen_as_long_as_it_matters(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_SHARING);
    assert_true(classify_store(f.classify, 1, A, 4));
    miss_and_fill(&f, 0, L1D, A);
    miss_and_fill(&f, 0, L2, A);
    classify_removal(f.classify, 0, L1D, A, REMOVED_INVALIDATION, 0);
    classify_removal(f.classify, 0, L2, A, REMOVED_INVALIDATION, 0);
    assert_false(classify_store(f.classify, 1, A, 4));
    assert_false(classify_store(f.classify, 1, A + 4, 8));
    assert_false(classify_may_store(f.classify, 1, A));
    assert_true(classify_store(f.classify, 1, A + 12, 4)); /* all four words of the first-level line */
    assert_true(classify_may_store(f.classify, 1, A));
    assert_false(classify_may_store(f.classify, 1, A + 16)); /* a word of the second level's */
    assert_true(classify_may_store(f.classify, 0, A + 16));  /* CPU 0's own stores are irrelevant to it */
    fill(&f, 0, L2, A);
    assert_true(classify_may_store(f.classify, 1, A + 16));
    classify_free(f.classify);
}

static void replacement_does_not_look_at_words(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_REPLACEMENT);
    miss_and_fill(&f, 0, L1D, A);
    lose(&f, A);
    assert_true(classify_store(f.classify, 1, A, 4));
    assert_true(classify_may_store(f.classify, 1, A));
    assert_int_equal(miss(&f, 0, L1D, A), CLASS_COHERENCE);
    classify_free(f.classify);
}

/* Section 4.4: KERN-self, KERN-other, USER-self, USER-other. */
static void who_evicted(void **state)
{
    (void)state;
    static const struct {
        enum mode evicting;
        uint32_t evicting_process;
        enum mode missing;
        uint32_t missing_process;
        enum miss_evictor who;
    } cases[] = {
        {MODE_KERNEL, 1, MODE_KERNEL, 2, EVICTED_BY_SELF}, {MODE_IDLE, 1, MODE_KERNEL, 2, EVICTED_BY_SELF},
        {MODE_KERNEL, 1, MODE_IDLE, 1, EVICTED_BY_SELF},   {MODE_USER, 1, MODE_KERNEL, 1, EVICTED_BY_OTHER},
        {MODE_USER, 1, MODE_IDLE, 1, EVICTED_BY_OTHER},    {MODE_USER, 1, MODE_USER, 1, EVICTED_BY_SELF},
        {MODE_USER, 0, MODE_USER, 0, EVICTED_BY_SELF},     {MODE_USER, 1, MODE_USER, 2, EVICTED_BY_OTHER},
        {MODE_KERNEL, 1, MODE_USER, 1, EVICTED_BY_OTHER},  {MODE_IDLE, 0, MODE_USER, 0, EVICTED_BY_OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (enum memsys_removal why = REMOVED_EVICTION; why <= REMOVED_ALIAS; why++) {
            struct fixture f = make(CLASSIFY_FULL);
            miss_and_fill(&f, 0, L1D, A);
            classify_set_context(f.classify, 0, cases[i].evicting, cases[i].evicting_process);
            classify_removal(f.classify, 0, L1D, A, why, 0);
            classify_set_context(f.classify, 0, cases[i].missing, cases[i].missing_process);
            miss(&f, 0, L1D, A);
            const struct classify_counts *counts = classify_counts(f.classify, 0, L1D);
            bool evicted = why == REMOVED_EVICTION || why == REMOVED_BACK_INVALIDATION || why == REMOVED_ALIAS;
            for (unsigned who = 0; who < MISS_EVICTORS; who++)
                assert_int_equal(counts->evicted[cases[i].missing][MISS_DATA][who], evicted && who == cases[i].who);
            const bool users = cases[i].missing == MODE_USER && cases[i].evicting == MODE_USER;
            assert_int_equal(counts->user_user[MISS_DATA], evicted && users && cases[i].who == EVICTED_BY_OTHER);
            classify_free(f.classify);
        }
}

static void counts_by_mode_and_kind(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    struct memsys_request fetch = request_at(&f, MEMSYS_FETCH, A, 4), store = request_at(&f, MEMSYS_WRITE, A, 4);
    classify_set_context(f.classify, 1, MODE_USER, 3);
    classify_miss(f.classify, 1, L2, &fetch);
    classify_set_context(f.classify, 1, MODE_IDLE, 0);
    classify_miss(f.classify, 1, L2, &store);
    classify_upgrade(f.classify, 1, L2, &store);
    const struct classify_counts *counts = classify_counts(f.classify, 1, L2);
    assert_int_equal(counts->miss[MODE_USER][MISS_INSN][CLASS_COLD], 1);
    assert_int_equal(counts->miss[MODE_IDLE][MISS_DATA][CLASS_COLD], 1);
    assert_int_equal(counts->miss[MODE_IDLE][MISS_DATA][CLASS_UPGRADE], 1);
    assert_int_equal(counts->miss[MODE_KERNEL][MISS_DATA][CLASS_COLD], 0);
    classify_free(f.classify);
}

static void statistics_have_names(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    struct stats *stats = stats_create();
    double value;
    classify_register_stats(f.classify, stats);
    classify_set_context(f.classify, 1, MODE_IDLE, 0);
    miss_and_fill(&f, 1, L1D, A);
    classify_removal(f.classify, 1, L1D, A, REMOVED_EVICTION, 1);
    miss(&f, 1, L1D, A);
    assert_true(stats_value(stats, "cpu1.l1d.miss.idle.conflict", &value));
    assert_true(value == 1);
    assert_true(stats_value(stats, "cpu1.l1d.evicted.kern_self", &value));
    assert_true(value == 1);
    assert_true(stats_value(stats, "cpu0.l2.miss.insn.kernel.true_sharing", &value));
    assert_true(stats_value(stats, "cpu0.l2.evicted.data.user_other", &value));
    assert_true(stats_value(stats, "cpu0.l2.evicted.data.user_kernel", &value));
    assert_true(stats_value(stats, "cpu0.l2.evicted.insn.user_user", &value));
    /* this mode of classification does not count it */
    assert_false(stats_value(stats, "cpu0.l1d.miss.user.replaced", &value));
    assert_false(stats_value(stats, "cpu0.l1i.miss.user.upgrade", &value));
    stats_free(stats);
    classify_free(f.classify);
}

/* Section 2.1.1: misses and stall time by the pc and by the virtual address. */
static void profiles(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    struct memsys_request request = request_at(&f, MEMSYS_READ, A + 8, 4);
    size_t count;
    assert_null(classify_profile(f.classify, CLASSIFY_BY_PC, &count));
    assert_int_equal(count, 0);
    classify_miss(f.classify, 0, L1D, &request);
    classify_miss(f.classify, 0, L2, &request);
    classify_stall(f.classify, 0, &request, 100);
    classify_set_context(f.classify, 1, MODE_USER, 6);
    request.virtual_address = 0x400000;
    classify_upgrade(f.classify, 1, L2, &request);
    classify_stall(f.classify, 1, &request, 50);
    classify_stall(f.classify, 1, &request, 0); /* a hit: nothing */
    struct classify_profile_entry *entries = classify_profile(f.classify, CLASSIFY_BY_ADDRESS, &count);
    assert_int_equal(count, 2);
    assert_int_equal(entries[0].key, 0x80000000 + A);
    assert_int_equal(entries[0].stall, 100);
    assert_int_equal(entries[0].miss[L1D], 1);
    assert_int_equal(entries[0].miss[L2], 1);
    assert_int_equal(entries[0].class[CLASS_COLD], 1);
    assert_int_equal(entries[1].key, UINT64_C(7) << 32 | 0x400000);
    assert_int_equal(entries[1].class[CLASS_UPGRADE], 1);
    assert_int_equal(entries[1].stall, 50);
    free(entries);
    entries = classify_profile(f.classify, CLASSIFY_BY_PC, &count);
    assert_int_equal(count, 2);
    assert_int_equal(entries[0].key, 0x80001000);
    assert_int_equal(entries[1].key, UINT64_C(7) << 32 | 0x80001000);
    free(entries);
    /* after growth the table is still ordered by key */
    for (unsigned i = 0; i < 5000; i++) {
        request.pc = 0x80000000 + i * 7919 % 5000 * 4;
        classify_stall(f.classify, 0, &request, 1);
    }
    entries = classify_profile(f.classify, CLASSIFY_BY_PC, &count);
    assert_int_equal(count, 5001);
    for (size_t i = 1; i < count; i++)
        assert_true(entries[i - 1].key < entries[i].key);
    free(entries);
    classify_free(f.classify);
}

/* A name provider may replace the key of a miss at the time of the miss: the sums are the same under other keys;
 * earlier entries stay, and checkpoints keep entries by address. */
static uint64_t name_by_page(void *opaque, unsigned cpu, enum classify_profile which, vaddr address,
                             const paddr *physical)
{
    assert_ptr_equal(opaque, &name_by_page);
    assert_int_equal(cpu, 0);
    assert_true(which == CLASSIFY_BY_PC || *physical == A);
    return CLASSIFY_NAMED | address >> 12;
}

static void naming(void **state)
{
    (void)state;
    struct fixture f = make(CLASSIFY_FULL);
    struct memsys_request request = request_at(&f, MEMSYS_READ, A, 4);
    size_t count;
    classify_miss(f.classify, 0, L1D, &request);
    classify_stall(f.classify, 0, &request, 100);
    classify_set_naming(f.classify, name_by_page, &name_by_page);
    for (unsigned i = 0; i < 8; i++) { /* two pages */
        request.virtual_address = 0x80400000 + i * 1024;
        classify_miss(f.classify, 0, L1D, &request);
        classify_stall(f.classify, 0, &request, 10);
    }
    struct classify_profile_entry *entries = classify_profile(f.classify, CLASSIFY_BY_ADDRESS, &count);
    assert_int_equal(count, 3);
    assert_int_equal(entries[0].key, 0x80000000 + A);
    assert_int_equal(entries[0].stall, 100);
    assert_int_equal(entries[1].key, CLASSIFY_NAMED | 0x80400);
    assert_int_equal(entries[1].stall, 40);
    assert_int_equal(entries[2].miss[L1D], 4);
    free(entries);
    classify_set_naming(f.classify, NULL, NULL);
    entries = classify_profile(f.classify, CLASSIFY_BY_ADDRESS, &count);
    assert_int_equal(count, 9);
    free(entries);
    classify_free(f.classify);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_is_nothing),
        cmocka_unit_test(first_miss_of_each_cache_is_cold),
        cmocka_unit_test(miss_without_fill_stays_cold),
        cmocka_unit_test(conflict),
        cmocka_unit_test(misses_of_the_reference_cache),
        cmocka_unit_test(capacity_is_the_number_of_other_lines),
        cmocka_unit_test(unchecked_use_keeps_a_line),
        cmocka_unit_test(line_that_the_shadow_lost_is_not_used_unseen),
        cmocka_unit_test(fetch_comes_before_its_data),
        cmocka_unit_test(only_full_tells_capacity_from_conflict),
        cmocka_unit_test(inclusion),
        cmocka_unit_test(flushed),
        cmocka_unit_test(true_sharing_is_the_word_that_was_written),
        cmocka_unit_test(later_stores_count),
        cmocka_unit_test(each_cache_remembers_its_own_losses),
        cmocka_unit_test(own_stores_are_no_sharing),
        cmocka_unit_test(device_writes_are_sharing),
        cmocka_unit_test(stores_are_seen_as_long_as_it_matters),
        cmocka_unit_test(replacement_does_not_look_at_words),
        cmocka_unit_test(who_evicted),
        cmocka_unit_test(counts_by_mode_and_kind),
        cmocka_unit_test(statistics_have_names),
        cmocka_unit_test(profiles),
        cmocka_unit_test(naming),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
