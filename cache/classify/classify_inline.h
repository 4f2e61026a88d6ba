/*
 * What happens most in classify.c, inline for where it happens. Private to cache/.
 */
#ifndef SIMOS_CACHE_CLASSIFY_INLINE_H
#define SIMOS_CACHE_CLASSIFY_INLINE_H

#include "cache/classify/classify_private.h"
#include "cache/state/engine.h"

/* What is known of a line in a cache: PRESENT, an enum classify_cause, or 0 (never held). In the bits above, who the
 * CPU ran when the line was replaced; of a PRESENT line, how many flushes there had been (modulo 2^29), so that a flush
 * needs to visit no line. */
enum { NEVER_HELD, PRESENT, CAUSE_BITS = 3, CAUSE_MASK = (1 << CAUSE_BITS) - 1 };
_Static_assert((int)LEFT_REPLACED > (int)PRESENT && (int)LEFT_FLUSHED <= (int)CAUSE_MASK, "causes are states");

/* Who a CPU runs, as it is kept in a line's state: all kernels are one. */
enum { OWNER_KERNEL = 0, OWNER_USER = 1 << CAUSE_BITS, PROCESS_SHIFT = CAUSE_BITS + 1 };

/* The time of a use at TIME. Several accesses may be made at one time: they are in order, too. */
static inline cycles time_of_use(struct classified_cpu *who, cycles time)
{
    const cycles ticks = time * MEMSYS_TICKS;
    return who->last_use = ticks > who->last_use ? ticks : who->last_use + 1;
}

/* CACHE uses LINE, which its shadow does not hold and which may make it drop another. The use of one that the cache
 * itself still holds will be news to the shadow: it must not go unseen. Returns MAY. */
enum memsys_quick classified_bring_in(struct classified *cache, uint32_t line, cycles time, enum memsys_quick may);

/* CACHE uses LINE. */
static inline void use(struct classified *cache, uint32_t line, cycles time)
{
    if (shadow_holds(&cache->shadow, line))
        cache->shadow.used[line] = time;
    else
        classified_bring_in(cache, line, time, QUICK_NONE);
}

/* The line of REQUEST was lost to a store of somebody else: CLASS_COHERENCE, or which kind of sharing. */
enum miss_class classified_coherence(const struct classify *classify, const struct classified *cache,
                                     const struct memsys_request *request);

/* The line was replaced (or is in a set that another virtual address selects), or taken along by an outer line; the
 * shadow has it if HELD. */
static inline enum miss_class class_of_evicted(const struct classify *classify, uint32_t cause, bool held)
{
    if (cause == LEFT_INCLUSION)
        return CLASS_INCLUSION;
    if (!classify->full)
        return CLASS_REPLACED;
    return held ? CLASS_CONFLICT : CLASS_CAPACITY;
}

/* Counts of the mode that CACHE's CPU is in, by class, by evictor. */
static inline uint64_t *missed_of(struct classified *cache, enum miss_kind kind)
{
    return (uint64_t *)(void *)((char *)cache->counts.miss + cache->who->counts_at.missed) + kind * CLASS_COUNT;
}
static inline uint64_t *evicted_of(struct classified *cache, enum miss_kind kind)
{
    return (uint64_t *)(void *)((char *)cache->counts.evicted + cache->who->counts_at.evicted) + kind * MISS_EVICTORS;
}

/* Why the line of an access is not there, HELD by the shadow or not: STATE is its state. Counts that. */
static ALWAYS_INLINE enum miss_class count_miss(const struct classify *classify, struct classified *cache,
                                                const struct memsys_request *request, enum miss_kind kind,
                                                uint32_t state, bool held)
{
    const uint32_t cause = state & CAUSE_MASK;
    enum miss_class class;
    if (SIM_LIKELY(cause == LEFT_REPLACED || cause == LEFT_INCLUSION)) {
        class = class_of_evicted(classify, cause, held);
        evicted_of(cache, kind)[state - cause != cache->who->owner ? EVICTED_BY_OTHER : EVICTED_BY_SELF]++;
    } else if (state == NEVER_HELD) {
        class = CLASS_COLD;
    } else if (cause == LEFT_COHERENCE) {
        class = classified_coherence(classify, cache, request);
    } else if (state == classify->present) {
        class = class_of_evicted(classify, cause, held);
        evicted_of(cache, kind)[EVICTED_BY_SELF]++;
    } else {
        class = CLASS_FLUSHED;
    }
    missed_of(cache, kind)[class]++;
    return class;
}

/* What ACCESS, which is that of REQUEST, may do to the line unseen from now on, as far as sharing goes. */
static ALWAYS_INLINE enum memsys_quick may_do(struct classify *classify, unsigned cpu,
                                              const struct memsys_request *request, enum memsys_access access)
{
    bool may_store = true;
    if (access == MEMSYS_WRITE && classify->sees_words)
        may_store = sharing_store(&classify->sharing, cpu, request->address, request->size);
    else if (access == MEMSYS_READ && classify->sees_words)
        may_store = sharing_may_store(&classify->sharing, cpu, request->address);
    return may_store ? QUICK_WRITE : QUICK_READ;
}

/* What happens most, at once, to the end of the access. Each returns what may be done to the line unseen: QUICK_WRITE
 * or QUICK_READ. REQUEST hit FIRST, of the first level: classify_hit(), and classify_store() or classify_may_store().
 */
static ALWAYS_INLINE enum memsys_quick classify_first_hit(struct classified *first,
                                                          const struct memsys_request *request)
{
    struct classify *classify = first->all;
    const enum memsys_quick may = may_do(classify, first->cpu, request, request->access);
    if (!classify->full)
        return may;
    const uint32_t line = request->address >> first->line_shift;
    const cycles time = time_of_use(first->who, request->now);
    if (!shadow_holds(&first->shadow, line))
        return classified_bring_in(first, line, time, may);
    first->shadow.used[line] = time;
    return may;
}

/* It missed FIRST, hit SECOND of the same CPU, and its line takes the place of VICTIM's (any address in it but 0, which
 * says: of none): classify_miss(), classify_hit(), classify_leave(), classify_fill(), and so on. ACCESS is REQUEST's.
 */
static ALWAYS_INLINE enum memsys_quick classify_exchange(struct classified *first, struct classified *second,
                                                         const struct memsys_request *request, paddr victim,
                                                         enum memsys_access access)
{
    struct classify *const classify = first->all;
    uint32_t *const states = first->state;
    const uint32_t shift = first->line_shift, line = request->address >> shift, state = states[line];
    const bool full = classify->full, held = full && shadow_holds(&first->shadow, line);
    count_miss(classify, first, request, access == MEMSYS_FETCH ? MISS_INSN : MISS_DATA, state, held);
    if (SIM_UNLIKELY(state == LEFT_COHERENCE) && classify->sees_words)
        sharing_regain(&classify->sharing, first->cpu, first->number, line << shift, 1u << shift);
    if (victim)
        states[victim >> shift] = LEFT_REPLACED | first->who->owner;
    states[line] = classify->present;
    const enum memsys_quick may = may_do(classify, first->cpu, request, access);
    if (!full)
        return may;
    const cycles time = time_of_use(first->who, request->now);
    use(second, request->address >> second->line_shift, time);
    if (!held)
        return classified_bring_in(first, line, time, may);
    first->shadow.used[line] = time;
    return may;
}

#endif
