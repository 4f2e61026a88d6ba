/* Random streams of several CPUs through small caches, each miss classified twice: by the module, which does not
 * observe fast-path hits, and by the reference model, which observes every access. All classes, evictors and counts
 * must agree (docs/reference/miss-classes.md). */
#include "tests/unit/classify_reference.h"

enum { CPUS = 3, L1I = 0, L1D, L2, CACHES };
enum { L1_LINE = 16, L1_SETS = 8, L1_WAYS = 2, L2_LINE = 64, L2_SETS = 32 };

/* Small caches that generate the events for both. */
struct l1_line {
    bool valid, dirty;
    paddr line;
    unsigned used;
    enum memsys_permission permission;
};
struct l2_line {
    bool valid, dirty;
    paddr line;
};

struct world {
    struct classify *classify;
    struct slow slow;
    unsigned clock, unchecked, forgotten, withheld;
    struct l1_line l1[CPUS][2][L1_SETS][L1_WAYS];
    struct l2_line l2[CPUS][L2_SETS];
    paddr recent[CPUS][8];
};

static uint32_t line_size(unsigned cache)
{
    return cache == L2 ? L2_LINE : L1_LINE;
}

/* Events, reported to both */

static void report_miss(struct world *w, unsigned cpu, unsigned number, const struct memsys_request *request)
{
    enum miss_class class = classify_miss(w->classify, cpu, number, request);
    assert_int_equal(class, slow_miss(&w->slow, cpu, number, request));
}

static void report_fill(struct world *w, unsigned cpu, unsigned number, paddr line)
{
    classify_fill(w->classify, cpu, number, line, w->clock);
    slow_fill(&w->slow, cpu, number, line);
}

static void report_leave(struct world *w, unsigned cpu, unsigned number, paddr line, enum memsys_removal cause)
{
    static const enum slow_state states[] = {[REMOVED_EVICTION] = SLOW_REPLACED,
                                             [REMOVED_BACK_INVALIDATION] = SLOW_INCLUSION,
                                             [REMOVED_INVALIDATION] = SLOW_COHERENCE,
                                             [REMOVED_CACHE_OP] = SLOW_FLUSHED};
    classify_removal(w->classify, cpu, number, line, cause, cpu);
    slow_leave(&w->slow, cpu, number, line, states[cause]);
}

/* The small caches */

static void withdraw_permission(void *opaque, unsigned cpu, unsigned number, paddr line)
{
    struct world *w = opaque;
    for (unsigned way = 0; way < L1_WAYS; way++) {
        struct l1_line *l = &w->l1[cpu][number][line / L1_LINE % L1_SETS][way];
        if (l->valid && l->line == line && l->permission != PERMIT_NONE) {
            l->permission = PERMIT_NONE;
            w->forgotten++;
        }
    }
}

static struct l1_line *find_l1(struct world *w, unsigned cpu, unsigned number, paddr address)
{
    for (unsigned way = 0; way < L1_WAYS; way++) {
        struct l1_line *l = &w->l1[cpu][number][address / L1_LINE % L1_SETS][way];
        if (l->valid && l->line == address / L1_LINE * L1_LINE)
            return l;
    }
    return NULL;
}

static struct l2_line *find_l2(struct world *w, unsigned cpu, paddr address)
{
    struct l2_line *l = &w->l2[cpu][address / L2_LINE % L2_SETS];
    return l->valid && l->line == address / L2_LINE * L2_LINE ? l : NULL;
}

static void drop_l1_inside(struct world *w, unsigned cpu, paddr block, enum memsys_removal cause)
{
    for (unsigned number = L1I; number <= L1D; number++)
        for (paddr line = block; line < block + L2_LINE; line += L1_LINE) {
            struct l1_line *l = find_l1(w, cpu, number, line);
            if (l) {
                l->valid = false;
                l->permission = PERMIT_NONE;
                report_leave(w, cpu, number, line, cause);
            }
        }
}

static void drop_l2(struct world *w, unsigned cpu, paddr block, enum memsys_removal inner, enum memsys_removal cause)
{
    drop_l1_inside(w, cpu, block, inner);
    find_l2(w, cpu, block)->valid = false;
    report_leave(w, cpu, L2, block, cause);
}

static void take_from_others(struct world *w, unsigned cpu, paddr block)
{
    for (unsigned other = 0; other < CPUS; other++)
        if (other != cpu && find_l2(w, other, block))
            drop_l2(w, other, block, REMOVED_INVALIDATION, REMOVED_INVALIDATION);
}

static void clean_others(struct world *w, unsigned cpu, paddr block)
{
    for (unsigned other = 0; other < CPUS; other++) {
        struct l2_line *l = find_l2(w, other, block);
        if (other == cpu || !l)
            continue;
        l->dirty = false;
        for (paddr line = block; line < block + L2_LINE; line += L1_LINE) {
            struct l1_line *inner = find_l1(w, other, L1D, line);
            if (inner) {
                inner->dirty = false;
                if (inner->permission == PERMIT_READ_STORE)
                    inner->permission = PERMIT_READ;
            }
        }
    }
}

static struct l2_line *second_level(struct world *w, unsigned cpu, const struct memsys_request *request)
{
    paddr block = request->address / L2_LINE * L2_LINE;
    struct l2_line *l = find_l2(w, cpu, block);
    if (l) {
        classify_hit(w->classify, cpu, L2, request);
        slow_use(&w->slow, cpu, L2, block);
        return l;
    }
    if (request->access == MEMSYS_WRITE)
        take_from_others(w, cpu, block);
    else
        clean_others(w, cpu, block);
    l = &w->l2[cpu][block / L2_LINE % L2_SETS];
    if (l->valid)
        drop_l2(w, cpu, l->line, REMOVED_BACK_INVALIDATION, REMOVED_EVICTION);
    *l = (struct l2_line){.valid = true, .line = block, .dirty = request->access == MEMSYS_WRITE};
    report_fill(w, cpu, L2, block);
    return l;
}

static struct l1_line *fill_l1(struct world *w, unsigned cpu, unsigned number, paddr address)
{
    struct l1_line *set = w->l1[cpu][number][address / L1_LINE % L1_SETS], *victim = set;
    for (unsigned way = 0; way < L1_WAYS; way++)
        if (!set[way].valid || (victim->valid && set[way].used < victim->used))
            victim = &set[way];
    if (victim->valid)
        report_leave(w, cpu, number, victim->line, REMOVED_EVICTION);
    *victim = (struct l1_line){.valid = true, .line = address / L1_LINE * L1_LINE};
    report_fill(w, cpu, number, victim->line);
    return victim;
}

static void finish_store(struct world *w, unsigned cpu, const struct memsys_request *request, struct l1_line *l)
{
    struct l2_line *outer = find_l2(w, cpu, request->address);
    if (!outer->dirty) {
        take_from_others(w, cpu, outer->line);
        classify_upgrade(w->classify, cpu, L2, request);
        w->slow.cache[cpu][L2].miss[w->slow.context[cpu].mode][MISS_DATA][CLASS_UPGRADE]++;
        outer->dirty = true;
    }
    l->dirty = true;
    slow_log_store(&w->slow, cpu, request->address, request->size);
    l->permission = PERMIT_READ_STORE;
    if (!classify_store(w->classify, cpu, request->address, request->size)) {
        l->permission = PERMIT_READ;
        w->withheld++;
    }
}

static void make_access(struct world *w, unsigned cpu, enum memsys_access access, paddr address, uint32_t size)
{
    unsigned number = access == MEMSYS_FETCH ? L1I : L1D;
    struct memsys_request request = {.address = address, .access = access, .size = (uint8_t)size, .now = ++w->clock};
    struct l1_line *l = find_l1(w, cpu, number, address);
    const struct memsys_uses uses = classify_uses(w->classify, cpu, number);
    if (l && l->permission >= (access == MEMSYS_WRITE ? PERMIT_READ_STORE : PERMIT_READ)) {
        if (uses.time)
            memsys_record_use(&uses, address / L1_LINE, access, w->clock);
        slow_use(&w->slow, cpu, number, address);
        if (access == MEMSYS_WRITE)
            slow_log_store(&w->slow, cpu, address, size);
        l->used = w->clock;
        w->unchecked++;
        return;
    }
    if (l) {
        classify_hit(w->classify, cpu, number, &request);
        slow_use(&w->slow, cpu, number, address);
    } else {
        report_miss(w, cpu, number, &request);
        if (!find_l2(w, cpu, address))
            report_miss(w, cpu, L2, &request);
        second_level(w, cpu, &request);
        l = fill_l1(w, cpu, number, address);
    }
    for (unsigned way = 0; way < L1_WAYS; way++) /* the other line of the set is not the MRU line any more */
        w->l1[cpu][number][address / L1_LINE % L1_SETS][way].permission = PERMIT_NONE;
    l->used = w->clock;
    l->permission = l->dirty ? PERMIT_READ_STORE : PERMIT_READ;
    if (access == MEMSYS_WRITE)
        finish_store(w, cpu, &request, l);
    else if (l->dirty && !classify_may_store(w->classify, cpu, address))
        l->permission = PERMIT_READ;
    classify_stall(w->classify, cpu, &request, 0);
}

static void device_writes(struct world *w, paddr address, uint32_t size)
{
    for (paddr block = address / L2_LINE * L2_LINE; block < address + size; block += L2_LINE)
        take_from_others(w, CPUS, block);
    slow_log_store(&w->slow, CPUS, address, size);
    classify_device_store(w->classify, address, size);
}

static struct world *make_world(enum classify_mode mode)
{
    struct world *w = calloc(1, sizeof *w);
    struct classify_config config = {.cpus = CPUS,
                                     .caches = CACHES,
                                     .cache = {{.name = "l1i", .insn = true, .first = true},
                                               {.name = "l1d", .data = true, .first = true},
                                               {.name = "l2", .insn = true, .data = true}},
                                     .block = L2_LINE,
                                     .mode = mode,
                                     .withdraw_permission = withdraw_permission,
                                     .opaque = w};
    for (unsigned number = 0; number < CACHES; number++) {
        config.cache[number].line = line_size(number);
        config.cache[number].size = number == L2 ? L2_LINE * L2_SETS : L1_LINE * L1_SETS * L1_WAYS;
        for (unsigned cpu = 0; cpu < CPUS; cpu++)
            w->slow.cache[cpu][number].capacity = config.cache[number].size / line_size(number);
        for (unsigned cpu = 0; cpu < CPUS; cpu++)
            w->slow.cache[cpu][number].line_size = line_size(number);
    }
    w->slow.mode = mode;
    w->slow.caches = CACHES;
    w->slow.word = 4;
    w->classify = classify_create(&config);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        w->slow.context[cpu].mode = MODE_KERNEL;
    return w;
}

static void step(struct world *w, uint32_t *seed)
{
    uint32_t random = slow_random(seed);
    unsigned cpu = random % CPUS, what = random / CPUS % 1000;
    paddr address = slow_random_address(seed);
    paddr *recent = &w->recent[cpu][slow_random(seed) % 8];
    if (*recent != 0 && slow_random(seed) % 4 != 0)
        address = *recent ^ (slow_random(seed) & 8);
    *recent = address;
    if (what < 2) {
        device_writes(w, address, 4 + slow_random(seed) % 200 / 4 * 4);
    } else if (what < 6) {
        struct l2_line *l = find_l2(w, cpu, address);
        if (l)
            drop_l2(w, cpu, l->line, REMOVED_CACHE_OP, REMOVED_CACHE_OP);
    } else if (what < 20) {
        enum mode mode = slow_random(seed) % MODE_COUNT;
        uint32_t process = slow_random(seed) % 3;
        w->slow.context[cpu] = (struct slow_context){mode, process};
        classify_set_context(w->classify, cpu, mode, process);
    } else {
        enum memsys_access access = what < 350 ? MEMSYS_FETCH : what < 700 ? MEMSYS_READ : MEMSYS_WRITE;
        static const uint32_t sizes[] = {1, 2, 4, 8};
        uint32_t size = access == MEMSYS_FETCH ? 4 : sizes[slow_random(seed) % 4];
        make_access(w, cpu, access, address + (size == 8 ? 0 : slow_random(seed) % (8 / size) * size), size);
    }
}

static void run(enum classify_mode mode, uint32_t seed, unsigned steps)
{
    struct world *w = make_world(mode);
    for (unsigned i = 0; i < steps; i++)
        step(w, &seed);
    slow_compare(&w->slow, w->classify, CPUS);
    for (unsigned class = 0; class < CLASS_COUNT; class ++) /* the stream has covered all classes */
        if (classify_mode_distinguishes(mode, class) && class != CLASS_INTERFERENCE) /* nothing is shared */
            assert_true(slow_seen(&w->slow, CPUS, class) > 100);
    assert_true(w->unchecked > steps / 20);
    assert_true(mode != CLASSIFY_FULL || w->forgotten > 100);
    assert_true((mode != CLASSIFY_REPLACEMENT) == (w->withheld > 0));
    classify_free(w->classify);
    free(w);
}

static void replacement_agrees(void **state)
{
    (void)state;
    run(CLASSIFY_REPLACEMENT, 1, 300000);
}

static void sharing_agrees(void **state)
{
    (void)state;
    run(CLASSIFY_SHARING, 2, 300000);
}

static void full_agrees(void **state)
{
    (void)state;
    for (uint32_t seed = 3; seed < 8; seed++)
        run(CLASSIFY_FULL, seed, 300000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replacement_agrees),
        cmocka_unit_test(sharing_agrees),
        cmocka_unit_test(full_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
