#include "src/run/compare.h"

#include "cache/memsys.h"
#include "cpu/privileged/state_compare.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A statistic of both machines: its index in each registry. */
struct pair {
    size_t index[2];
};

struct compare {
    struct machine *machine[2];
    struct pair *statistics;
    size_t statistic_count;
};

/* Statistics */

static size_t statistic_count(const struct machine *machine)
{
    size_t count = 0;
    while (stats_name_at(machine->stats, count))
        count++;
    return count;
}

/* Pair the statistics of equal names. Both machines register them in the same order, except those of one CPU model. */
static void pair_statistics(struct compare *compare)
{
    const struct stats *first = compare->machine[0]->stats, *second = compare->machine[1]->stats;
    size_t count[2] = {statistic_count(compare->machine[0]), statistic_count(compare->machine[1])};
    size_t from = 0;
    compare->statistics = checked_memory(calloc(count[0] + 1, sizeof *compare->statistics));
    for (size_t i = 0; i < count[0]; i++) {
        const char *name = stats_name_at(first, i);
        if (machine_statistic_is_of_models(name))
            continue;
        for (size_t j = 0; j < count[1]; j++) {
            size_t there = (from + j) % count[1];
            if (strcmp(name, stats_name_at(second, there)) != 0)
                continue;
            compare->statistics[compare->statistic_count++] = (struct pair){{i, there}};
            from = there + 1;
            break;
        }
    }
}

struct compare *compare_create(struct machine *first, struct machine *second)
{
    struct compare *compare = checked_memory(calloc(1, sizeof *compare));
    if (first->cpus != second->cpus || first->mem->ram_bytes != second->mem->ram_bytes)
        log_bug("machines of different size are compared");
    compare->machine[0] = first;
    compare->machine[1] = second;
    pair_statistics(compare);
    return compare;
}

void compare_free(struct compare *compare)
{
    if (!compare)
        return;
    free(compare->statistics);
    free(compare);
}

static double statistic(const struct compare *compare, const struct pair *pair, unsigned side)
{
    return stats_settled_at(compare->machine[side]->stats, pair->index[side]);
}

static bool statistic_differs(const struct compare *compare, const struct pair *pair)
{
    double a = statistic(compare, pair, 0), b = statistic(compare, pair, 1);
    return memcmp(&a, &b, sizeof a) != 0; /* NaN equals NaN */
}

static void settle_statistics(const struct compare *compare)
{
    for (unsigned side = 0; side < 2; side++)
        stats_settle(compare->machine[side]->stats);
}

bool compare_statistics(const struct compare *compare)
{
    settle_statistics(compare);
    for (size_t i = 0; i < compare->statistic_count; i++)
        if (statistic_differs(compare, &compare->statistics[i]))
            return false;
    return true;
}

/* ---- visiting values ---- */

struct visitor {
    compare_visit *visit;
    void *opaque;
    const char *prefix;
};

static void name_figure(struct compare_figure *figure, const struct visitor *v, const char *format, va_list arguments)
{
    int length = snprintf(figure->name, sizeof figure->name, "%s", v->prefix);
    vsnprintf(figure->name + length, sizeof figure->name - (size_t)length, format, arguments);
}

static void show(const struct visitor *v, enum compare_form form, uint64_t a, uint64_t b, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static void show(const struct visitor *v, enum compare_form form, uint64_t a, uint64_t b, const char *format, ...)
{
    struct compare_figure figure = {.form = form, .value = {a, b}, .differs = a != b};
    va_list arguments;
    va_start(arguments, format);
    name_figure(&figure, v, format, arguments);
    va_end(arguments);
    v->visit(v->opaque, &figure);
}

#define HEX(a, b, ...)     show(v, COMPARE_HEX, (a), (b), __VA_ARGS__)
#define DECIMAL(a, b, ...) show(v, COMPARE_DECIMAL, (a), (b), __VA_ARGS__)
#define FLAG(a, b, ...)    show(v, COMPARE_FLAG, (a), (b), __VA_ARGS__)

static void show_state(void *opaque, const char *name, bool is_flag, uint64_t a, uint64_t b)
{
    const struct visitor *v = opaque;
    show(v, is_flag ? COMPARE_FLAG : COMPARE_HEX, a, b, "%s", name);
}

/* The attribution bucket as a number: a mode's bucket by mode, all other buckets as one. */
static uint64_t bucket_number(const struct core *core)
{
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (core->bucket == &core->mode_buckets[mode])
            return mode;
    return MODE_COUNT;
}

static void show_words(const struct visitor *v, const uint64_t *a, const uint64_t *b, size_t size, const char *name)
{
    for (size_t i = 0; i < size / sizeof *a; i++)
        if (a[i] != b[i])
            DECIMAL(a[i], b[i], "%s[%zu]", name, i);
}

static void show_bucket(const struct visitor *v, const struct bucket *a, const struct bucket *b, unsigned mode)
{
    char name[32];
    if (memcmp(a, b, sizeof *a) == 0)
        return;
    DECIMAL(a->cycles, b->cycles, "mode[%u].cycles", mode);
    DECIMAL(a->insns, b->insns, "mode[%u].insns", mode);
    DECIMAL(a->wait, b->wait, "mode[%u].wait", mode);
    snprintf(name, sizeof name, "mode[%u].stall", mode);
    show_words(v, a->stall, b->stall, sizeof a->stall, name);
    snprintf(name, sizeof name, "mode[%u].miss", mode);
    show_words(v, a->miss, b->miss, sizeof a->miss, name);
    snprintf(name, sizeof name, "mode[%u].pipeline", mode);
    show_words(v, a->pipeline, b->pipeline, sizeof a->pipeline, name);
    snprintf(name, sizeof name, "mode[%u].interlock", mode);
    show_words(v, a->interlock, b->interlock, sizeof a->interlock, name);
}

static void show_accounts(const struct visitor *v, const struct core *a, const struct core *b)
{
    DECIMAL(a->s.cycle, b->s.cycle, "cycle");
    DECIMAL(a->s.insns, b->s.insns, "insns");
    DECIMAL(a->charged_cycle, b->charged_cycle, "charged_cycle");
    DECIMAL(a->charged_insns, b->charged_insns, "charged_insns");
    DECIMAL(a->mode, b->mode, "mode");
    DECIMAL(bucket_number(a), bucket_number(b), "bucket");
    FLAG(a->in_idle_loop, b->in_idle_loop, "in_idle_loop");
    FLAG(a->idle_interrupted, b->idle_interrupted, "idle_interrupted");
    if (a->idle_interrupted && b->idle_interrupted)
        HEX(a->idle_stack, b->idle_stack, "idle_stack");
    FLAG(a->perf_in_use, b->perf_in_use, "perf_in_use");
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        show_bucket(v, &a->mode_buckets[mode], &b->mode_buckets[mode], mode);
    show_words(v, (const uint64_t *)&a->counts, (const uint64_t *)&b->counts, sizeof a->counts, "counts");
}
_Static_assert(sizeof(struct core_counts) % sizeof(uint64_t) == 0 && sizeof(struct bucket) % sizeof(uint64_t) == 0,
               "counters are words of 64 bits");

static void show_entry(const struct visitor *v, const struct memsys *const memsys[2], unsigned cpu,
                       enum memsys_cache cache, uint32_t entry, uint32_t ways)
{
    const struct memsys_entry a = memsys_entry_at(memsys[0], cpu, cache, entry);
    const struct memsys_entry b = memsys_entry_at(memsys[1], cpu, cache, entry);
    static const char *const names[MEMSYS_CACHES] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};
    const char *name = names[cache];
    unsigned set = entry / ways, way = entry % ways;
    if (a.valid != b.valid)
        FLAG(a.valid, b.valid, "%s[%u, %u].valid", name, set, way);
    if (a.line != b.line)
        HEX(a.line, b.line, "%s[%u, %u].line", name, set, way);
    if (a.dirty != b.dirty)
        FLAG(a.dirty, b.dirty, "%s[%u, %u].dirty", name, set, way);
    if (a.order != b.order)
        DECIMAL(a.order, b.order, "%s[%u, %u].order", name, set, way);
    if (a.valid && b.valid && a.line == b.line &&
        memsys_state(memsys[0], cpu, a.line) != memsys_state(memsys[1], cpu, a.line))
        DECIMAL((uint64_t)memsys_state(memsys[0], cpu, a.line), (uint64_t)memsys_state(memsys[1], cpu, a.line),
                "%s[%u, %u].state", name, set, way);
}

static void show_caches(const struct visitor *v, const struct memsys *const memsys[2], unsigned cpu)
{
    if (memsys_is_same(memsys[0], memsys[1], cpu))
        return;
    FLAG(true, false, "caches are the same"); /* replacement state and random generators, which cannot all be shown */
    for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
        uint32_t ways, entries = memsys_entries(memsys[0], cache, &ways);
        if (memsys_first_sharer(memsys[0], cpu, cache) != cpu)
            continue;
        for (uint32_t entry = 0; entry < entries; entry++)
            show_entry(v, memsys, cpu, cache, entry, ways);
    }
}

static bool have_caches(const struct compare *compare)
{
    return !memsys_is_flat(compare->machine[0]->memsys) && !memsys_is_flat(compare->machine[1]->memsys);
}

void compare_visit_cpu(const struct compare *compare, unsigned cpu, compare_visit *visit, void *opaque)
{
    char prefix[16];
    const struct visitor visitor = {visit, opaque, prefix}, *v = &visitor;
    const struct core *a = compare->machine[0]->cores[cpu], *b = compare->machine[1]->cores[cpu];
    snprintf(prefix, sizeof prefix, "cpu%u.", cpu);
    state_visit(a->architecture, &a->s, &b->s, show_state, (void *)(uintptr_t)v);
    FLAG(a->s.waiting, b->s.waiting, "waiting");
    FLAG(a->s.running, b->s.running, "running");
    show_accounts(v, a, b);
    if (have_caches(compare)) {
        const struct memsys *const memsys[2] = {compare->machine[0]->memsys, compare->machine[1]->memsys};
        show_caches(v, memsys, cpu);
    }
}

/* Events */

static int order_events(const void *a, const void *b)
{
    const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct event **sorted_events(const struct event_queue *queue)
{
    struct event **events = checked_memory(calloc((size_t)queue->count + 1, sizeof(struct event *)));
    if (queue->count > 0)
        memcpy(events, queue->heap, (size_t)queue->count * sizeof(struct event *));
    qsort(events, (size_t)queue->count, sizeof(struct event *), order_events);
    return events;
}

static void show_events(const struct visitor *v, const struct event_queue *a, const struct event_queue *b)
{
    struct event **x = sorted_events(a), **y = sorted_events(b);
    int count = a->count < b->count ? a->count : b->count;
    DECIMAL((uint64_t)a->count, (uint64_t)b->count, "events");
    for (int i = 0; i < count; i++) {
        struct compare_figure name = {
            .form = COMPARE_NAME, .text = {x[i]->name, y[i]->name}, .differs = strcmp(x[i]->name, y[i]->name) != 0};
        DECIMAL(x[i]->when, y[i]->when, "event %d", i);
        snprintf(name.name, sizeof name.name, "event %d is", i);
        v->visit(v->opaque, &name);
    }
    free(x);
    free(y);
}

void compare_visit_machine(const struct compare *compare, compare_visit *visit, void *opaque)
{
    const struct visitor visitor = {visit, opaque, ""}, *v = &visitor;
    const struct machine *a = compare->machine[0], *b = compare->machine[1];
    DECIMAL(machine_insns(a), machine_insns(b), "instructions");
    DECIMAL(a->now, b->now, "time");
    DECIMAL(a->queue->now, b->queue->now, "queue time");
    DECIMAL(a->exit_status, b->exit_status, "exit status");
    FLAG(a->userland_up, b->userland_up, "userland_up");
    for (unsigned i = 0; i < a->cpus; i++)
        if (a->off_time[i] != b->off_time[i])
            DECIMAL(a->off_time[i], b->off_time[i], "cpu%u.off", i);
    show_events(v, a->queue, b->queue);
}

void compare_visit_statistics(const struct compare *compare, compare_visit *visit, void *opaque)
{
    settle_statistics(compare);
    for (size_t i = 0; i < compare->statistic_count; i++) {
        const struct pair *pair = &compare->statistics[i];
        if (!statistic_differs(compare, pair))
            continue;
        struct compare_figure figure = {.form = COMPARE_NUMBER, .differs = true};
        snprintf(figure.name, sizeof figure.name, "%s", stats_name_at(compare->machine[0]->stats, pair->index[0]));
        for (unsigned side = 0; side < 2; side++)
            figure.number[side] = statistic(compare, pair, side);
        visit(opaque, &figure);
    }
}

void compare_text(const struct compare_figure *figure, unsigned side, char *text, size_t size)
{
    uint64_t value = figure->value[side];
    switch (figure->form) {
    case COMPARE_HEX:
        snprintf(text, size, "%0*" PRIx64, figure->value[0] >> 32 || figure->value[1] >> 32 ? 16 : 8, value);
        break;
    case COMPARE_DECIMAL: snprintf(text, size, "%" PRIu64, value); break;
    case COMPARE_FLAG: snprintf(text, size, "%s", value ? "yes" : "no"); break;
    case COMPARE_NAME: snprintf(text, size, "%s", figure->text[side]); break;
    case COMPARE_NUMBER: snprintf(text, size, "%.17g", figure->number[side]); break;
    }
}

/* ---- fast comparison ---- */

static void note_difference(void *opaque, const struct compare_figure *figure)
{
    *(bool *)opaque |= figure->differs;
}

/* Conservative: also true if only insignificant bytes differ. */
static bool cpu_may_differ(const struct compare *compare, unsigned cpu)
{
    const struct core *a = compare->machine[0]->cores[cpu], *b = compare->machine[1]->cores[cpu];
    if (state_may_differ(&a->s, &b->s))
        return true;
    if (a->charged_cycle != b->charged_cycle || a->charged_insns != b->charged_insns || a->mode != b->mode ||
        bucket_number(a) != bucket_number(b) || a->in_idle_loop != b->in_idle_loop ||
        a->idle_interrupted != b->idle_interrupted || a->idle_stack != b->idle_stack ||
        a->perf_in_use != b->perf_in_use)
        return true;
    if (memcmp(a->mode_buckets, b->mode_buckets, sizeof a->mode_buckets) != 0 ||
        memcmp(&a->counts, &b->counts, sizeof a->counts) != 0)
        return true;
    if (!have_caches(compare))
        return false;
    return !memsys_is_same(compare->machine[0]->memsys, compare->machine[1]->memsys, cpu);
}

/* Conservative: also true if equal events are in different heap order. */
static bool machine_may_differ(const struct machine *a, const struct machine *b)
{
    if (a->now != b->now || a->queue->now != b->queue->now || a->exit_status != b->exit_status ||
        a->userland_up != b->userland_up || memcmp(a->off_time, b->off_time, sizeof a->off_time) != 0 ||
        a->queue->count != b->queue->count)
        return true;
    for (int i = 0; i < a->queue->count; i++)
        if (a->queue->heap[i]->when != b->queue->heap[i]->when || a->queue->heap[i]->name != b->queue->heap[i]->name)
            return true;
    return false;
}

bool compare_state(const struct compare *compare)
{
    bool differs = false;
    for (unsigned cpu = 0; cpu < compare->machine[0]->cpus; cpu++)
        if (cpu_may_differ(compare, cpu))
            compare_visit_cpu(compare, cpu, note_difference, &differs);
    if (machine_may_differ(compare->machine[0], compare->machine[1]))
        compare_visit_machine(compare, note_difference, &differs);
    return !differs;
}

/* ---- RAM ---- */

static const uint8_t *page_of(const struct compare *compare, unsigned side, uint32_t page)
{
    return physmem_host(compare->machine[side]->mem, page << PAGE_SHIFT);
}

static bool page_differs(const struct compare *compare, uint32_t page)
{
    return memcmp(page_of(compare, 0, page), page_of(compare, 1, page), PAGE_SIZE) != 0;
}

/* Find the first run of consecutive RAM pages at or after *FIRST. Returns its length in pages; 0 at the end of the
 * address space. */
static uint32_t next_ram(const struct physmem *mem, uint32_t *first)
{
    const uint32_t end = 1u << (32 - PAGE_SHIFT);
    while (*first < end && !(mem->page_flags[*first] & PAGE_IS_RAM))
        ++*first;
    uint32_t page = *first;
    while (page < end && mem->page_flags[page] & PAGE_IS_RAM)
        page++;
    return page - *first;
}

unsigned compare_memory(const struct compare *compare, uint32_t *pages, unsigned limit)
{
    unsigned found = 0;
    uint32_t page = 0, length;
    while ((length = next_ram(compare->machine[0]->mem, &page)) > 0) {
        uint32_t end = page + length;
        if (memcmp(page_of(compare, 0, page), page_of(compare, 1, page), (size_t)length << PAGE_SHIFT) == 0)
            page = end;
        for (; page < end && found < limit; page++)
            if (page_differs(compare, page))
                pages[found++] = page;
        page = end;
    }
    return found;
}

bool compare_pages(const struct compare *compare, const uint32_t *pages, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (page_differs(compare, pages[i]))
            return false;
    return true;
}

void compare_visit_pages(const struct compare *compare, const uint32_t *pages, unsigned count, compare_visit *visit,
                         void *opaque)
{
    const struct visitor visitor = {visit, opaque, "RAM "}, *v = &visitor;
    for (unsigned i = 0; i < count; i++)
        for (uint32_t at = 0; at < PAGE_SIZE; at += 4) {
            uint32_t a, b;
            memcpy(&a, page_of(compare, 0, pages[i]) + at, sizeof a);
            memcpy(&b, page_of(compare, 1, pages[i]) + at, sizeof b);
            if (a != b)
                HEX(a, b, "%08" PRIx32, (pages[i] << PAGE_SHIFT) + at);
        }
}
