/* The frequent operations of classify.c as inline functions. Private to cache/. */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_INLINE_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_INLINE_H

#include "cache/classify/classify_private.h"
#include "cache/state/engine.h"

/* The context of a CPU as stored in a line's state. All kernel contexts are one. */
enum { OWNER_KERNEL = 0, OWNER_USER = 1 << LINE_STATE_BITS, PROCESS_SHIFT = LINE_STATE_BITS + 1 };

/* Timestamp of a use at time TICKS: strictly increasing, since an access may use several caches. */
static inline cycles time_of_use(struct classify_context *who, cycles ticks)
{
    return who->last_use = ticks > who->last_use ? ticks : who->last_use + 1;
}

/* CACHE uses LINE, which its reference cache does not hold: inserts it there and evicts another line. If the modelled
 * cache still holds the evicted line, clears its fast-path permission, because its next use must update the reference
 * cache. Returns MAY. */
enum memsys_permission classify_cache_insert(struct classify_cache *cache, uint32_t line, cycles time,
                                             enum memsys_permission may);

/* Updates the reference cache of CACHE for a use of LINE. */
static inline void use(struct classify_cache *cache, uint32_t line, cycles time)
{
    if (!fa_cache_touch(&cache->home->fa_cache, line, time))
        classify_cache_insert(cache, line, time, PERMIT_NONE);
}

/* Class of a miss by REQUEST of a line invalidated by another CPU's or a device's store: CLASS_COHERENCE, or the kind
 * of sharing. */
enum miss_class classify_cache_coherence(const struct classify *classify, const struct classify_cache *cache,
                                         const struct memsys_request *request);

/* Class of a miss of a line that was evicted (or is in the set of another virtual address), or back-invalidated. HELD:
 * the reference cache holds it. */
static inline enum miss_class class_of_evicted(const struct classify *classify, enum line_state state, bool held)
{
    if (state == BACK_INVALIDATED)
        return CLASS_INCLUSION;
    if (!classify->full)
        return CLASS_REPLACED;
    return held ? CLASS_CONFLICT : CLASS_CAPACITY;
}

/* Counts in the current mode of CACHE's CPU, by class and by evictor. */
static inline uint64_t *missed_of(struct classify_cache *cache, enum miss_kind kind)
{
    return (uint64_t *)(void *)((char *)cache->counts.miss + cache->context->counts_at.miss) + kind * CLASS_COUNT;
}
static inline uint64_t *evicted_of(struct classify_cache *cache, enum miss_kind kind)
{
    return (uint64_t *)(void *)((char *)cache->counts.evicted + cache->context->counts_at.evicted) +
           kind * MISS_EVICTORS;
}

/* Counts a miss of REQUEST and returns its class. STATE is the state of the line; HELD: the reference cache holds it.
 */
static ALWAYS_INLINE enum miss_class count_class(const struct classify *classify, struct classify_cache *cache,
                                                 const struct memsys_request *request, enum miss_kind kind,
                                                 uint32_t state, bool held)
{
    const enum line_state kept = state & LINE_STATE_MASK;
    enum miss_class class;
    if (SIM_LIKELY(kept == EVICTED || kept == BACK_INVALIDATED)) {
        class = class_of_evicted(classify, kept, held);
        if (SIM_UNLIKELY(cache->evictor != NULL) && kept == EVICTED &&
            cache->evictor[request->address >> cache->line_shift] != cache->cpu)
            class = CLASS_INTERFERENCE;
        const bool by_other = state - kept != cache->context->owner;
        evicted_of(cache, kind)[by_other ? EVICTED_BY_OTHER : EVICTED_BY_SELF]++;
        cache->counts.user_user[kind] += by_other && state & cache->context->owner & OWNER_USER;
    } else if (state == NEVER_HELD) {
        class = CLASS_COLD;
    } else if (kept == INVALIDATED) {
        class = classify_cache_coherence(classify, cache, request);
    } else if (state == classify->present) {
        class = class_of_evicted(classify, kept, held);
        evicted_of(cache, kind)[EVICTED_BY_SELF]++;
    } else if (kept ==
               SUPPLIED) { /* what was lost, was lost by an inner cache: by this CPU's, whose miss comes first */
        class = cache->evictor != NULL && cache->evictor[request->address >> cache->line_shift] != cache->cpu
                    ? CLASS_INTERFERENCE
                    : cache->context->inner;
    } else {
        class = CLASS_FLUSHED;
    }
    missed_of(cache, kind)[class]++;
    return class;
}

/* Fast-path permission for the line of REQUEST as far as sharing is concerned. ACCESS is that of REQUEST. */
static ALWAYS_INLINE enum memsys_permission may_do(struct classify *classify, unsigned cpu,
                                                   const struct memsys_request *request, enum memsys_access access)
{
    bool may_store = true;
    if (access == MEMSYS_WRITE && classify->tracks_words)
        may_store = sharing_store(&classify->sharing, cpu, request->address, request->size);
    else if (access == MEMSYS_READ && classify->tracks_words)
        may_store = sharing_may_store(&classify->sharing, cpu, request->address);
    return may_store ? PERMIT_READ_STORE : PERMIT_READ;
}

/*
 * The following two functions report an access to its end. Each returns the fast-path permission that the
 * classification allows, PERMIT_READ_STORE or PERMIT_READ.
 *
 * REQUEST hit FIRST, a first-level cache: classify_hit(), and classify_store() or classify_may_store().
 */
static ALWAYS_INLINE enum memsys_permission classify_first_hit(struct classify_cache *first,
                                                               const struct memsys_request *request)
{
    struct classify *classify = first->classify;
    const enum memsys_permission may = may_do(classify, first->cpu, request, request->access);
    if (!classify->full)
        return may;
    const uint32_t line = request->address >> first->line_shift;
    const cycles time = time_of_use(first->context, memsys_ticks_of(request->access, request->now));
    if (!fa_cache_touch(&first->fa_cache, line, time))
        return classify_cache_insert(first, line, time, may);
    return may;
}

/* REQUEST missed FIRST and hit SECOND of the same CPU; its line replaces that of VICTIM (an address in the line; 0:
 * none) in FIRST. Combines classify_miss(), classify_hit(), classify_removal(), classify_fill() and so on. ACCESS is
 * that of REQUEST. */
static ALWAYS_INLINE enum memsys_permission classify_refill(struct classify_cache *first, struct classify_cache *second,
                                                            const struct memsys_request *request, paddr victim,
                                                            enum memsys_access access)
{
    struct classify *const classify = first->classify;
    uint32_t *const states = first->state;
    const uint32_t shift = first->line_shift, line = request->address >> shift, state = states[line];
    const bool full = classify->full;
    const uint32_t held = full ? first->fa_cache.entry_of[line] : FA_CACHE_NO_ENTRY;
    count_class(classify, first, request, access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA, state,
                held != FA_CACHE_NO_ENTRY);
    if (SIM_UNLIKELY(state == INVALIDATED) && classify->tracks_words)
        sharing_refetch(&classify->sharing, first->cpu, first->number, line << shift, 1u << shift);
    if (victim)
        states[victim >> shift] = EVICTED | first->context->owner;
    states[line] = classify->present;
    const enum memsys_permission may = may_do(classify, first->cpu, request, access);
    if (!full)
        return may;
    const cycles time = time_of_use(first->context, memsys_ticks_of(access, request->now));
    use(second, request->address >> second->line_shift, time);
    if (!held)
        return classify_cache_insert(first, line, time, may);
    first->fa_cache.used[held] = time;
    return may;
}

#endif
