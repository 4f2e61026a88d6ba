/* The shapes for which the text of an access (access_inline.h) is compiled, and the choice of one for a memory system.
 * All others are served by access_any(). */
#include "cache/hierarchy/access_inline.h"

/* ROW(name, ...): the fields of struct shape, all of them `simple`, for machines without contention (UNTIMED) and with
 * it (TIMED), whose CPUs share no cache, and for those that share some (SHARED). For a memory system the first that
 * holds is chosen. Each is compiled without and with observers, and with the classification as the only one, if
 * `classified` can hold. */
#ifndef SHAPES_FEW
#define CLASSIFIED_SHAPES(ROW)                                                                                         \
    ROW(two_ways_mru_direct, .ways = 2, .mru = true, .physical = true, .nested = true, .direct = true)                 \
    ROW(two_ways_mru, .ways = 2, .mru = true, .physical = true, .nested = true)                                        \
    ROW(one_way, .ways = 1, .physical = true, .nested = true)
#define UNTIMED_SHAPES(ROW)                                                                                            \
    ROW(two_ways, .ways = 2, .physical = true, .nested = true)                                                         \
    ROW(one_way_virtual, .ways = 1, .nested = true)                                                                    \
    ROW(two_ways_virtual, .ways = 2, .nested = true)                                                                   \
    ROW(any_ways, .physical = true)                                                                                    \
    ROW(any_ways_virtual, .ways = 0)
#define TIMED_SHAPES(ROW)                                                                                              \
    ROW(one_way_timed, .ways = 1, .physical = true, .nested = true)                                                    \
    ROW(only_level_timed, .ways = 1, .physical = true, .only = true)                                                   \
    ROW(only_level_virtual_timed, .ways = 1, .only = true)                                                             \
    ROW(any_ways_timed, .physical = true)
#define SHARED_UNTIMED_SHAPES(ROW)                                                                                     \
    ROW(shared_two_ways_mru, .ways = 2, .mru = true, .physical = true)                                                 \
    ROW(shared_any_ways, .physical = true)
#define SHARED_TIMED_SHAPES(ROW) ROW(shared_any_ways_timed, .physical = true)
#else
#define CLASSIFIED_SHAPES(ROW) ROW(two_ways_mru, .ways = 2, .mru = true, .physical = true, .nested = true)
#define UNTIMED_SHAPES(ROW)    ROW(any_ways, .physical = true)
#define TIMED_SHAPES(ROW)      ROW(any_ways_timed, .physical = true)
#define SHARED_UNTIMED_SHAPES(ROW)
#define SHARED_TIMED_SHAPES(ROW)
#endif

/* The functions of one shape, for fetches, reads and writes. */
#define FUNCTIONS(NAME, ...)                                                                                           \
    static const struct shape NAME##_shape = {__VA_ARGS__};                                                            \
    static struct fill NAME##_deeper(struct memsys *memsys, unsigned cpu, struct array *cache,                         \
                                     const struct wanted *wanted)                                                      \
    {                                                                                                                  \
        return bring_line(memsys, cpu, cache, wanted, wanted->request->access, false, false, NAME##_deeper,            \
                          &NAME##_shape);                                                                              \
    }                                                                                                                  \
    static cycles NAME##_fetch(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)              \
    {                                                                                                                  \
        return access_in_shape(memsys, cpu, request, MEMSYS_FETCH, NAME##_deeper, &NAME##_shape);                      \
    }                                                                                                                  \
    static cycles NAME##_read(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)               \
    {                                                                                                                  \
        return access_in_shape(memsys, cpu, request, MEMSYS_READ, NAME##_deeper, &NAME##_shape);                       \
    }                                                                                                                  \
    static cycles NAME##_write(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)              \
    {                                                                                                                  \
        return access_in_shape(memsys, cpu, request, MEMSYS_WRITE, NAME##_deeper, &NAME##_shape);                      \
    }

static ALWAYS_INLINE cycles access_in_shape(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                            enum memsys_access access, bring_function *deeper, const struct shape *as)
{
    cycles stall = 0;
    if (access == MEMSYS_WRITE && !as->classified && store_through(memsys, cpu, request, &stall, as))
        return stall;
    if (as->untimed)
        return access_as(memsys, cpu, request, access, deeper, as);
    struct memsys_response response;
    access_begin_timed(memsys, cpu, request, &response);
    response.stall = access_as(memsys, cpu, request, access, deeper, as);
    return access_end_timed(memsys, cpu, request, &response);
}

#define COMPILE_OBSERVED(NAME, ...)                                                                                    \
    FUNCTIONS(NAME, .simple = true, .unobserved = true, __VA_ARGS__)                                                   \
    FUNCTIONS(NAME##_observed, .simple = true, __VA_ARGS__)
#define COMPILE_TIMED(NAME, ...)          COMPILE_OBSERVED(NAME, .alone = true, __VA_ARGS__)
#define COMPILE_UNTIMED(NAME, ...)        COMPILE_OBSERVED(NAME, .alone = true, .untimed = true, __VA_ARGS__)
#define COMPILE_SHARED_UNTIMED(NAME, ...) COMPILE_OBSERVED(NAME, .untimed = true, __VA_ARGS__)
#define COMPILE_CLASSIFIED(NAME, ...)                                                                                  \
    COMPILE_UNTIMED(NAME, __VA_ARGS__)                                                                                 \
    FUNCTIONS(NAME##_classified, .simple = true, .alone = true, .untimed = true, .classified = true, __VA_ARGS__)
CLASSIFIED_SHAPES(COMPILE_CLASSIFIED)
UNTIMED_SHAPES(COMPILE_UNTIMED)
TIMED_SHAPES(COMPILE_TIMED)
SHARED_UNTIMED_SHAPES(COMPILE_SHARED_UNTIMED)
SHARED_TIMED_SHAPES(COMPILE_OBSERVED)

struct compiled {
    const char *name;
    const struct shape *shape;
    access_function *access[3];
};

#define COMPILED(TEXT, NAME) {TEXT, &NAME##_shape, {NAME##_fetch, NAME##_read, NAME##_write}},
#define ROWS(NAME, ...)      COMPILED(#NAME, NAME) COMPILED(#NAME, NAME##_observed)
#define ROWS_CLASSIFIED(NAME, ...)                                                                                     \
    COMPILED(#NAME, NAME) COMPILED(#NAME, NAME##_classified) COMPILED(#NAME, NAME##_observed)
static const struct compiled compiled[] = {CLASSIFIED_SHAPES(ROWS_CLASSIFIED) UNTIMED_SHAPES(ROWS) TIMED_SHAPES(ROWS)
                                               SHARED_UNTIMED_SHAPES(ROWS) SHARED_TIMED_SHAPES(ROWS)};

/* Whether `simple` of struct shape holds for MEMSYS and accesses of kind ACCESS. */
static bool is_simple(const struct memsys *memsys, enum memsys_access access)
{
    const struct node *node = &memsys->node[0];
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        const struct array *cache = node->cache[id];
        const bool outer = cache->level > 1;
        if (cache->word != NULL &&
            (!cache->policy->exact_lru || cache->partition || cache->modulo || cache->sector_shift || cache->assist ||
             cache->invalid || cache->validate || cache->exclusive ||
             (outer && (cache->hashed || cache->by_virtual || !cache->allocate))))
            return false;
    }
    return !(memsys->prefetch && prefetch_consults_streams(memsys, access));
}

/* Whether `classified` of struct shape holds for MEMSYS and accesses of kind ACCESS. */
static bool is_classified(const struct memsys *memsys)
{
    const struct node *node = &memsys->node[0];
    return memsys->observers == 1 && memsys->classify && !memsys->check_interval && !memsys->timing &&
           !memsys->prefetch && !memsys->block && classify_memsys_is_inline_only(memsys->classify) &&
           memsys->levels == 2 && memsys->tier[0].inclusive && node->cache[MEMSYS_L1I]->word &&
           !node->cache[MEMSYS_L1D]->through && node->cache[MEMSYS_L1D]->allocate;
}

/* Whether SHAPE's promises about the caches hold for those of CPU and ACCESS. */
static bool path_is(const struct memsys *memsys, unsigned cpu, enum memsys_access access, const struct shape *shape)
{
    const struct array *first = memsys->first[access != MEMSYS_FETCH][cpu];
    if ((shape->mru && !first->mru) || (shape->ways && shape->ways != first->ways) ||
        (shape->physical && (first->mapped || first->hashed)))
        return false;
    for (const struct array *outer = first->next; outer; outer = outer->next)
        if (shape->direct && outer->ways != 1)
            return false;
    if (shape->only && memsys->levels != 1)
        return false;
    return !shape->nested || (memsys->tier[0].inclusive && first->next && first->next->inclusive);
}

static const struct compiled *find(const struct memsys *memsys, enum memsys_access access)
{
    const bool observed = memsys->observers > 0;
    if (memsys_is_flat(memsys) || !is_simple(memsys, access))
        return NULL;
    for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++) {
        const struct shape *shape = compiled[i].shape;
        bool holds = shape->untimed == !memsys->timing && shape->alone == (memsys->tiers == 1);
        for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
            holds &= path_is(memsys, cpu, access, shape);
        if (holds && (shape->classified ? is_classified(memsys) : shape->unobserved == !observed))
            return &compiled[i];
    }
    return NULL;
}

access_function *access_of_shape(const struct memsys *memsys, enum memsys_access access, bool *reports_end)
{
    const struct compiled *chosen = find(memsys, access);
    *reports_end = chosen && chosen->shape->classified;
    return chosen ? chosen->access[access] : memsys->timing ? access_timed : access_any;
}

const char *memsys_shape(const struct memsys *memsys, enum memsys_access access)
{
    const struct compiled *chosen = find(memsys, access);
    return chosen ? chosen->name : NULL;
}
