/*
 * An access through the levels of one CPU: lookup, refill and fill, as text that is compiled for each shape (shape.h).
 * Private to cache/hierarchy.
 *
 * A line is brought into a cache by bring_line(): it looks up the next level, or, if that misses too, lets the function
 * `deeper` of the same shape bring the line there first. So all levels that miss record it from the first outwards,
 * then the transaction takes place, and then they are filled from the last inwards.
 */
#ifndef SIMOS_CACHE_HIERARCHY_ACCESS_INLINE_H
#define SIMOS_CACHE_HIERARCHY_ACCESS_INLINE_H

#include "cache/classify/classify_memsys.h"
#include "cache/classify/classify_inline.h"
#include "cache/hierarchy/access.h"
#include "cache/hierarchy/node_inline.h"
#include "cache/hierarchy/numa.h"
#include "cache/hierarchy/protocol.h"
#include "cache/prefetch/prefetch.h"

/* What a line is brought for. UNREAD: it is allocated without a read. */
enum purpose { TO_READ, TO_STORE, UNREAD };

/* Result of bringing a line into a cache. */
struct fill {
    struct transaction transaction;
    struct array *supplier; /* source of the data, or of the ownership; NULL: memory, or another CPU */
    uint32_t entry;         /* entry that holds the line */
    uint32_t victim;        /* what that entry held, as struct array stores it */
    bool unread;            /* allocated without a read */
    bool completed;         /* the cache had the line already, partly valid */
    bool dirty;             /* an exclusive cache has given it up modified, and no cache has been filled with it yet */
};

/* A line to bring, into FROM first of all. The misses of QUIET are recorded; it is the request, or one without a
 * bucket. PARTIAL: an inner level has the line, but words of it are not valid. */
struct wanted {
    const struct array *from;
    const struct memsys_request *request, *quiet;
    enum purpose purpose;
    bool partial;
    const struct transaction *supplied; /* a cache inside the one to be filled has supplied the line; NULL: none has */
};
typedef struct fill bring_function(struct memsys *memsys, unsigned cpu, struct array *cache,
                                   const struct wanted *wanted);

static ALWAYS_INLINE void record_miss(struct memsys *memsys, unsigned cpu, struct array *cache,
                                      const struct memsys_request *request, enum memsys_access access, bool first,
                                      const struct shape *as)
{
    static const enum miss misses[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    static const enum outer_miss outer[][3] = {{OUTER_L2_INSN, OUTER_L2_READ, OUTER_L2_WRITE},
                                               {OUTER_L3_INSN, OUTER_L3_READ, OUTER_L3_WRITE}};
    if (!as->simple && !request->bucket)
        return; /* a prefetch */
    memsys->node[cpu].events[cache->id].misses[access]++;
    if (first || cache->level == 1)
        request->bucket->miss[misses[access]]++;
    else if (cache->level == 2)
        request->bucket->miss[access == MEMSYS_FETCH ? MISS_L2_INSN : MISS_L2_DATA]++;
    if (cache->level > 1)
        request->bucket->outer[outer[cache->level - 2][access]]++;
    TELL_AS(as, memsys, miss, cpu, cache->id, request, request->address & cache->line_mask);
}

/* A virtually indexed CACHE holds a line in one set only: evicts the line if it is in another set than that of the
 * request. */
static ALWAYS_INLINE void evict_alias(struct memsys *memsys, unsigned cpu, struct array *cache,
                                      const struct memsys_request *request, const struct shape *as)
{
    if (as->simple && as->physical)
        return;
    if (SIM_LIKELY(!cache->by_virtual))
        return;
    const paddr line = request->address & cache->line_mask;
    uint32_t entry = array_find_mapped(cache, line);
    if (entry == NO_ENTRY || (!as->simple && entry == array_find_in(cache, array_first_of(cache, request), line)))
        return; /* it is not there; or it is in its set, and a word missed that is not valid */
    const struct removal removal = {.why = REMOVED_ALIAS, .by_cpu = cpu};
    memsys->node[cpu].events[cache->id].aliases++;
    node_evict(memsys, cpu, cache, entry, &removal);
}

/* The entry of CACHE, an outer level, that has the line of INNER, which missed; with WANTED's purpose UNREAD its tag is
 * enough. NO_ENTRY: none. */
static ALWAYS_INLINE uint32_t look_in_outer(const struct array *inner, const struct array *cache,
                                            const struct wanted *wanted, const struct shape *as)
{
    const uint32_t entry = node_find_outer(cache, wanted->request->address, as);
    if (as->simple || entry == NO_ENTRY || wanted->purpose == UNREAD || SIM_LIKELY(!cache->invalid))
        return entry;
    const paddr line = wanted->request->address & inner->line_mask;
    return array_holds(cache, entry, line, 1u << inner->line_shift) ? entry : NO_ENTRY;
}

/* ENTRY of CACHE supplies the line WANTED. */
static ALWAYS_INLINE struct transaction read_outer_level(struct memsys *memsys, unsigned cpu, struct array *cache,
                                                         uint32_t entry, const struct wanted *wanted,
                                                         const struct shape *as)
{
    struct transaction result = {0};
    cycles hit_time = cache->hit_time;
    node_touch(cache, entry, false, as);
    TELL_AS(as, memsys, hit, cpu, cache->id, wanted->quiet, entry_line(cache, entry));
    if (wanted->purpose == UNREAD)
        return coherence_allocate(memsys, cpu, wanted->request);
    if (!as->simple && SIM_UNLIKELY(memsys->prefetch) &&
        prefetch_stream_lookup(memsys, cpu, wanted->from, cache, wanted->request, &hit_time))
        note_source(memsys, prefetch_stream_level(memsys)); /* the stream buffer ends the access */
    else if (!as->untimed)
        note_source(memsys, cache->level);
    if (!as->alone && SIM_UNLIKELY(cache->home_of != NULL)) {
        if (wanted->purpose == TO_STORE)
            result = coherence_own_home(memsys, cache->home_of, cpu, wanted->request);
        else
            result.time = coherence_read_home(memsys, cache->home_of, cpu, wanted->request->address);
    } else if (wanted->purpose == TO_STORE && cache->inclusive && entry_is_dirty(cache, entry)) {
        result.owned = true;
    } else if (wanted->purpose == TO_STORE) {
        result = coherence_upgrade(memsys, as->alone ? &memsys->tier[0] : cache->tier, cpu, wanted->request);
    }
    /* One transaction fetches the line and obtains ownership, so its latency is the stall; but at least the hit time.
     */
    if (result.time < hit_time)
        result.time = hit_time;
    return result;
}

/* No level has the line WANTED. */
static ALWAYS_INLINE struct transaction read_beyond_last_level(struct memsys *memsys, unsigned cpu,
                                                               const struct wanted *wanted, bool partial,
                                                               const struct shape *as)
{
    const struct memsys_request *request = wanted->request;
    if (wanted->purpose == UNREAD)
        return coherence_allocate(memsys, cpu, request);
    if (!as->simple && SIM_UNLIKELY(memsys->prefetch))
        prefetch_stream_lookup(memsys, cpu, wanted->from, NULL, request, NULL);
    if (!as->simple && partial)
        return (struct transaction){.owned = wanted->purpose == TO_STORE,
                                    .time = coherence_read_rest(memsys, cpu, request->address)};
    if (wanted->purpose == TO_STORE)
        return coherence_read_exclusive(memsys, cpu, request);
    struct directory_record *record = directory_at(&memsys->tier[0].directory, request->address);
    if (record->sharers != 0)
        return (struct transaction){.time = coherence_read(memsys, cpu, request->address)};
    /* nobody has the block */
    *record = protocol_sole_sharer(protocol_at(memsys, request->address),
                                   as->alone ? cpu : tier_member(&memsys->tier[0], cpu));
    memsys->fills++;
    if (!as->untimed)
        note_source(memsys, SOURCE_MEMORY);
    return (struct transaction){.time = engine_response_time(memsys, memory_time(memsys, cpu, request->address))};
}

/* The line of REQUEST arrives in CACHE, which may have it partly valid. FILL->entry is the parent as for node_fill(),
 * and becomes the entry of the line. */
static ALWAYS_INLINE void fill_or_complete(struct memsys *memsys, unsigned cpu, struct array *cache,
                                           const struct memsys_request *request, struct fill *fill, bool first,
                                           const struct shape *as)
{
    if (!as->simple && SIM_UNLIKELY(cache->invalid != NULL)) {
        const uint32_t entry = array_find(cache, request->address & cache->line_mask);
        if (entry != NO_ENTRY) {
            array_validate_all(cache, entry);
            array_touch(cache, entry);
            fill->entry = entry;
            fill->completed = true;
            return;
        }
    }
    const enum entry_state state = !as->simple && fill->dirty ? ENTRY_DIRTY : ENTRY_CLEAN;
    fill->entry = node_fill(memsys, cpu, cache, request, state, fill->entry, &fill->victim, first, as);
    fill->dirty = false;
}

/* The line WANTED passes CACHE, which is exclusive and an outer one: it is not kept there. */
static ALWAYS_INLINE bool passes(struct memsys *memsys, unsigned cpu, const struct array *cache,
                                 const struct wanted *wanted, struct fill *fill, const struct shape *as)
{
    if (as->simple || SIM_LIKELY(!cache->exclusive) || cache == wanted->from)
        return false;
    const paddr address = wanted->request->address;
    if (fill->entry != NO_ENTRY && cache->next->inner)
        cache->next->inner[fill->entry] |= array_inner_bit(cache->next, address, cache->insn_inside);
    fill->entry = NO_ENTRY;
    TELL_AS(as, memsys, removal, cpu, cache->id, address & cache->line_mask, REMOVED_SUPPLIED, cpu);
    return true;
}

/* The line of REQUEST has arrived: caches will be filled with it, up to end_fills(). */
static ALWAYS_INLINE void begin_fills(struct memsys *memsys, const struct memsys_request *request,
                                      const struct shape *as)
{
    if (!as->nested)
        memsys->current = request->address;
}

static ALWAYS_INLINE void end_fills(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                    const struct shape *as)
{
    if (as->nested)
        return;
    memsys->current = NO_ADDRESS;
    for (unsigned tier = memsys->tiers; SIM_UNLIKELY(memsys->pending != 0) && tier-- > 0;) /* from inside */
        if (memsys->pending & 1u << tier) {
            memsys->pending &= ~(1u << tier);
            node_update_state_as(memsys, &memsys->tier[tier], cpu,
                                 coherence_block_of(&memsys->tier[tier], request->address), as);
        }
}

/* Brings the line WANTED into CACHE, which missed, and into all outer levels that miss it too. */
static ALWAYS_INLINE struct fill bring_line(struct memsys *memsys, unsigned cpu, struct array *cache,
                                            const struct wanted *wanted, enum memsys_access access, bool innermost,
                                            bool first, bring_function *deeper, const struct shape *as)
{
    const struct memsys_request *request = wanted->request;
    struct array *outer = cache->next;
    struct fill fill = {.entry = NO_ENTRY};
    bool partial = wanted->partial;
    record_miss(memsys, cpu, cache, wanted->quiet, access, first, as);
    if (innermost)
        evict_alias(memsys, cpu, cache, wanted->quiet, as);
    if (!as->simple && cache->invalid)
        partial |= array_find(cache, request->address & cache->line_mask) != NO_ENTRY;
    if ((first && as->nested) || outer)
        fill.entry = look_in_outer(cache, outer, wanted, as);
    if (as->classified && !(first && fill.entry != NO_ENTRY))
        classify_cache_miss(cache->classify, request);
    if (!as->alone && SIM_UNLIKELY(wanted->supplied != NULL)) {
        fill.supplier = cache; /* by way of it */
        fill.transaction = *wanted->supplied;
        begin_fills(memsys, request, as);
    } else if (fill.entry != NO_ENTRY) {
        fill.supplier = outer;
        fill.transaction = read_outer_level(memsys, cpu, outer, fill.entry, wanted, as);
        if (!as->simple && SIM_UNLIKELY(outer->exclusive)) {
            const struct array *inner = cache->exclusive ? wanted->from : cache;
            fill.dirty = node_give_up(memsys, cpu, outer, fill.entry, inner, wanted->purpose == TO_STORE);
            fill.entry = NO_ENTRY;
        }
        begin_fills(memsys, request, as);
    } else if ((first && as->nested) || outer) {
        struct wanted outside = {wanted->from, request, wanted->quiet, wanted->purpose, partial, NULL};
        struct transaction beside;
        if (!as->alone && SIM_UNLIKELY(outer->home_of != NULL) && !outer->inclusive &&
            coherence_supply(memsys, outer->home_of, cpu, request, wanted->purpose == TO_STORE, &beside)) {
            if (!as->untimed)
                note_source(memsys, outer->level);
            outside.supplied = &beside;
        }
        const struct fill outer_fill = deeper(memsys, cpu, outer, &outside);
        fill.supplier = outer_fill.supplier;
        fill.transaction = outer_fill.transaction;
        fill.entry = outer_fill.entry;
        fill.dirty = outer_fill.dirty;
        if (!as->alone && SIM_UNLIKELY(outer->home_of != NULL) && !outside.supplied)
            coherence_enter(memsys, outer->home_of, cpu, request->address, fill.transaction.owned);
    } else {
        fill.transaction = read_beyond_last_level(memsys, cpu, wanted, partial, as);
        begin_fills(memsys, request, as);
    }
    if (!as->alone && SIM_UNLIKELY(outer && outer->home_of && outer->home_of->sparse.ways) && !wanted->supplied)
        coherence_hold(memsys, outer->home_of, cpu, request->address);
    if (passes(memsys, cpu, cache, wanted, &fill, as))
        return fill;
    fill_or_complete(memsys, cpu, cache, request, &fill, first, as);
    if (!as->simple && wanted->purpose == UNREAD) {
        memsys->node[cpu].events[cache->id].allocations++;
        if (cache->invalid)
            array_validate_none(cache, fill.entry);
    }
    return fill;
}

/* Brings the line WANTED into CACHE, which missed; the innermost to be filled. */
static ALWAYS_INLINE struct fill bring_wanted(struct memsys *memsys, unsigned cpu, struct array *cache,
                                              const struct wanted *wanted, enum memsys_access access, bool first,
                                              bring_function *deeper, const struct shape *as)
{
    const struct fill fill = !first && as->simple
                                 ? deeper(memsys, cpu, cache, wanted) /* an outer level: it has no aliases */
                                 : bring_line(memsys, cpu, cache, wanted, access, true, first, deeper, as);
    if (wanted->purpose == UNREAD || (wanted->purpose == TO_STORE && fill.transaction.owned))
        node_mark_dirty(cache, fill.entry, as);
    end_fills(memsys, cpu, wanted->request, as);
    return fill;
}

/* Whether the SIZE bytes at ADDRESS are whole words. */
static inline bool is_whole_words(paddr address, uint32_t size)
{
    return ((address | size) & (ARRAY_WORD - 1)) == 0;
}

/* Whether the store REQUEST, which missed CACHE, allocates its line without reading it: it writes whole words, and all
 * caches that do not have the line do so (write_allocate=validate). */
static ALWAYS_INLINE bool allocates_unread(const struct memsys *memsys, const struct array *cache,
                                           const struct memsys_request *request, const struct shape *as)
{
    if (as->simple || SIM_LIKELY(!cache->validate) || !is_whole_words(request->address, request->size) ||
        !coherence_owns_unread(memsys, request->address))
        return false;
    for (const struct array *outer = cache->next; outer; outer = outer->next) {
        if (array_find(outer, request->address & outer->line_mask) != NO_ENTRY)
            return true;
        if (!outer->validate)
            return false;
    }
    return true;
}

/* Brings the line of REQUEST into CACHE, which missed; STORES: for a store that is kept there. */
static ALWAYS_INLINE struct fill bring(struct memsys *memsys, unsigned cpu, struct array *cache,
                                       const struct memsys_request *request, enum memsys_access access, bool stores,
                                       bool first, bring_function *deeper, const struct shape *as)
{
    const bool unread = stores && allocates_unread(memsys, cache, request, as);
    const struct wanted wanted = {cache, request, request, unread ? UNREAD : stores ? TO_STORE : TO_READ, false, NULL};
    struct fill fill = bring_wanted(memsys, cpu, cache, &wanted, access, first, deeper, as);
    fill.unread = unread;
    if (unread)
        node_validate(cache, fill.entry, request->address, request->size);
    return fill;
}

/* Charges the stall of a fill of the first level: to the first level if the second level had the line or there is only
 * one level. Returns the stall. */
static ALWAYS_INLINE cycles charge_fill(const struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                        const struct array *cache, enum memsys_access access, const struct fill *fill,
                                        const struct shape *as)
{
    const bool fetch = access == MEMSYS_FETCH, unread = !as->simple && fill->unread;
    const bool near = as->nested ? fill->supplier == cache->next
                                 : memsys->levels == 1 || (fill->supplier && fill->supplier == cache->next);
    enum stall stall = near ? fetch ? STALL_L1I : STALL_L1D : fetch ? STALL_L2I : STALL_L2D;
    if (access == MEMSYS_WRITE && (fill->supplier || unread) && fill->transaction.sent)
        stall = STALL_UPGRADE;
    const bool beyond = !fill->supplier || (!as->alone && fill->supplier->level > memsys->innermost->level);
    if (!as->unobserved && beyond && !unread && stall != STALL_UPGRADE)
        classify_memsys_add_wait(memsys->classify, cpu, request, fill->transaction.time);
    return charge(request->bucket, stall, fill->transaction.time);
}

/* Whether the store REQUEST, of the line in ENTRY of CACHE, hits: it needs no word that is not valid. */
static ALWAYS_INLINE bool store_hits(const struct array *cache, uint32_t entry, const struct memsys_request *request,
                                     const struct shape *as)
{
    return as->simple || SIM_LIKELY(!cache->invalid) || is_whole_words(request->address, request->size) ||
           array_holds(cache, entry, request->address, request->size);
}

/* CACHE passes a store outwards, to the next level that keeps it or to memory. The CPU does not wait. */
static ALWAYS_INLINE void post_from(struct memsys *memsys, unsigned cpu, struct array *cache,
                                    const struct memsys_request *request, bring_function *deeper,
                                    const struct shape *as)
{
    for (;;) {
        TELL_AS(as, memsys, write, cpu, cache->id, request->address, request->size);
        if (!as->untimed)
            note_store_passed(memsys, cpu, cache, request);
        cache = cache->next;
        if (!cache)
            break;
        if (!as->alone && SIM_UNLIKELY(cache->home_of != NULL))
            coherence_write_within(memsys, cache->home_of, cpu, request->address);
        const uint32_t entry = node_find_outer(cache, request->address, as);
        const bool hits = entry != NO_ENTRY && store_hits(cache, entry, request, as);
        if (!hits && !as->simple && !cache->allocate) {
            record_miss(memsys, cpu, cache, request, request->access, false, as);
        } else if (!hits) {
            bring(memsys, cpu, cache, request, request->access, !cache->through, false, deeper, as);
            if (!as->untimed)
                note_fetch_is_posted(memsys);
        } else {
            node_touch(cache, entry, false, as);
            TELL_AS(as, memsys, hit, cpu, cache->id, request, entry_line(cache, entry));
            if (!as->simple && cache->invalid)
                node_validate(cache, entry, request->address, request->size);
            if (!cache->through && !entry_is_dirty(cache, entry) &&
                coherence_upgrade(memsys, as->alone ? &memsys->tier[0] : cache->tier, cpu, request).owned)
                node_mark_dirty(cache, entry, as);
        }
        if (!cache->through && (hits || as->simple || cache->allocate))
            return;
    }
    if (!as->untimed)
        note_reached_memory(memsys, cpu);
    coherence_write_around(memsys, cpu, request->address);
}

/* Whether every inclusive level outside CACHE, a first level for data, has the line of ADDRESS, which CACHE is about to
 * get; the levels outside note that it may. *PARENT: the entry of the next level, or NO_ENTRY. */
static ALWAYS_INLINE bool note_inside(const struct array *cache, paddr address, uint32_t *parent,
                                      const struct shape *as)
{
    *parent = NO_ENTRY;
    for (struct array *outer = cache->next; outer; outer = outer->next) {
        const uint32_t entry = node_find_outer(outer, address, as);
        if (entry == NO_ENTRY && outer->inclusive)
            return false;
        if (outer == cache->next)
            *parent = entry;
        if (entry != NO_ENTRY && outer->inner)
            outer->inner[entry] |= array_inner_bit(outer, address, false);
    }
    return true;
}

/* REQUEST, a store that missed CACHE, its first level, was passed on. If it writes a whole word and CACHE allocates
 * those, the word becomes a line there without a read: unless an inclusive outer level did not keep it. Returns the
 * fill; its entry is NO_ENTRY if there is none. */
static ALWAYS_INLINE struct fill allocate_word(struct memsys *memsys, unsigned cpu, struct array *cache,
                                               const struct memsys_request *request, const struct shape *as)
{
    struct fill fill = {.entry = NO_ENTRY, .unread = true};
    uint32_t parent;
    if (SIM_LIKELY(!cache->allocates_words) || !is_whole_words(request->address, request->size) ||
        !note_inside(cache, request->address, &parent, as))
        return fill;
    coherence_keep(memsys, cpu, request->address);
    begin_fills(memsys, request, as);
    fill.entry = node_fill(memsys, cpu, cache, request, ENTRY_CLEAN, parent, &fill.victim, true, as);
    end_fills(memsys, cpu, request, as);
    memsys->node[cpu].events[cache->id].allocations++;
    return fill;
}

/* Grants permission MAY, such as the state of the line, for the line in ENTRY, as far as REQUEST allows it. A line that
 * is partly valid gets none, because every use has to look at the words; nor does one of the assist cache, so that its
 * hits are counted. */
static ALWAYS_INLINE void grant(struct array *cache, uint32_t entry, const struct memsys_request *request, unsigned may,
                                const struct shape *as)
{
    if (!as->simple && array_is_assist(cache, entry)) {
        *request->permission = PERMIT_NONE;
        return;
    }
    if (!as->simple && array_is_partial(cache, entry))
        may = PERMIT_NONE;
    may &= request->max_permission;
    const bool mru = as->mru || (as->ways != 1 && cache->mru);
    uint8_t **slot = &cache->permission[as->mru || as->ways == 1 ? entry : entry >> cache->slot_shift];
    **slot = PERMIT_NONE;
    *slot = request->permission;
    *request->permission = (uint8_t)(may && mru ? may | (entry & 1) * PERMIT_WAY : may);
}

/* The classification of a hit in CACHE, a first level. Returns the permission that it allows. */
static ALWAYS_INLINE unsigned classify_hit_as(const struct array *cache, const struct memsys_request *request,
                                              const struct shape *as)
{
    return as->classified ? classify_first_hit(cache->classify, request) : PERMIT_READ_STORE;
}

/* The permission that the replacement policy of CACHE, a first level, allows after FILL: none if the next hit changes
 * the order. */
static ALWAYS_INLINE unsigned permits_after_fill(const struct array *cache, const struct fill *fill,
                                                 const struct shape *as)
{
    return as->simple || cache->fill_is_use || fill->completed || array_shares_sector(cache, fill->entry)
               ? PERMIT_READ_STORE
               : PERMIT_NONE;
}

/* The classification of a fill of CACHE, a first level. Returns the permission that it allows. */
static ALWAYS_INLINE unsigned classify_fill_as(const struct array *cache, const struct memsys_request *request,
                                               enum memsys_access access, const struct fill *fill,
                                               const struct shape *as)
{
    if (!as->classified)
        return PERMIT_READ_STORE;
    if (fill->supplier)
        return classify_refill(cache->classify, fill->supplier->classify, request, fill->victim, access);
    return classify_replace(cache->classify, request, fill->victim);
}

/* A store to ENTRY of CACHE, a first level, which is clean and up to date in the replacement order. Returns the stall
 * in cycles. */
static ALWAYS_INLINE cycles store_to_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                           struct array *cache, uint32_t entry, const struct shape *as)
{
    const struct array *outer = cache->next;
    struct transaction upgrade = {.owned = true};
    if (!(outer && outer->inclusive && (as->alone || !outer->home_of) &&
          entry_is_dirty(outer, node_find_outer(outer, request->address, as))))
        upgrade = coherence_upgrade(memsys, as->alone ? &memsys->tier[0] : cache->tier, cpu, request);
    if (upgrade.owned)
        node_mark_dirty(cache, entry, as);
    grant(cache, entry, request, entry_state(cache, entry) & classify_hit_as(cache, request, as), as);
    return upgrade.sent ? charge(request->bucket, STALL_UPGRADE, upgrade.time) : 0;
}

/* REQUEST missed CACHE, its first level, which keeps the line. Returns the stall in cycles. */
static ALWAYS_INLINE cycles access_missed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                          struct array *cache, enum memsys_access access, bring_function *deeper,
                                          const struct shape *as)
{
    const bool write = access == MEMSYS_WRITE;
    const struct fill fill = bring(memsys, cpu, cache, request, access, write, true, deeper, as);
    const cycles stall = charge_fill(memsys, cpu, request, cache, access, &fill, as);
    grant(cache, fill.entry, request,
          entry_state(cache, fill.entry) & classify_fill_as(cache, request, access, &fill, as) &
              permits_after_fill(cache, &fill, as),
          as);
    return stall;
}

/* The store REQUEST hit ENTRY of CACHE, its first level, or missed it (NO_ENTRY), and is passed on. Returns the stall
 * in cycles. */
static ALWAYS_INLINE cycles store_passed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                         struct array *cache, uint32_t entry, bring_function *deeper,
                                         const struct shape *as)
{
    cycles stall = 0;
    unsigned may = PERMIT_READ_STORE;
    if (entry != NO_ENTRY) {
        node_touch(cache, entry, true, as);
        TELL_AS(as, memsys, hit, cpu, cache->id, request, entry_line(cache, entry));
    } else if (cache->allocate) {
        const struct fill fill = bring(memsys, cpu, cache, request, MEMSYS_WRITE, false, true, deeper, as);
        stall = charge_fill(memsys, cpu, request, cache, MEMSYS_WRITE, &fill, as);
        entry = fill.entry;
        may = permits_after_fill(cache, &fill, as);
    } else {
        record_miss(memsys, cpu, cache, request, MEMSYS_WRITE, true, as);
        evict_alias(memsys, cpu, cache, request, as);
    }
    post_from(memsys, cpu, cache, request, deeper, as);
    if (entry == NO_ENTRY) {
        const struct fill fill = allocate_word(memsys, cpu, cache, request, as);
        entry = fill.entry;
        may = entry == NO_ENTRY ? PERMIT_NONE : permits_after_fill(cache, &fill, as);
    }
    if (entry != NO_ENTRY)
        grant(cache, entry, request, entry_state(cache, entry) & may, as);
    return stall;
}

/* The permission of a line of FIRST, a write-through first level, that was just stored to. Further stores do as little
 * if the next level has no replacement order and the line there stays modified, up to which permission is withdrawn
 * (see node.c), or if they go to memory and there is no other CPU: nothing, or with contention a write buffer entry. */
static ALWAYS_INLINE unsigned permits_stores(const struct memsys *memsys, const struct array *first,
                                             const struct shape *as)
{
    const struct array *next = first->next;
    if (!as->unobserved || (next ? !next->inclusive || !(as->direct || next->ways == 1) : memsys->cpus != 1))
        return PERMIT_READ;
    if (!as->untimed && memsys->timing)
        return memsys->queues_stores ? PERMIT_READ | PERMIT_QUEUE : PERMIT_READ;
    return next ? PERMIT_READ_STORE : PERMIT_READ; /* memory counts its writes */
}

/* A store in ENTRY of FIRST, a write-through first level, which passes it on; NO_ENTRY: it missed, and no line is
 * read. */
static ALWAYS_INLINE void record_or_use(struct memsys *memsys, unsigned cpu, struct array *first,
                                        const struct memsys_request *request, uint32_t entry, const struct shape *as)
{
    if (entry == NO_ENTRY) {
        record_miss(memsys, cpu, first, request, MEMSYS_WRITE, true, as);
        evict_alias(memsys, cpu, first, request, as);
    } else {
        node_touch(first, entry, true, as);
        TELL_AS(as, memsys, hit, cpu, first->id, request, entry_line(first, entry));
        grant(first, entry, request, permits_stores(memsys, first, as), as);
    }
    TELL_AS(as, memsys, write, cpu, first->id, request->address, request->size);
}

/* A store of a write-through first level that the next level or memory takes as it is, without any other work: that
 * level has the line modified, or memory's block is in no other CPU. Adds the wait for a write buffer entry to *STALL,
 * if buffers are modelled. Returns false, without effects, if REQUEST is no such store. */
static ALWAYS_INLINE bool store_through(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                        cycles *stall, const struct shape *as)
{
    struct array *first = memsys->first[1][cpu], *next = first->next;
    if (!first->through || (!as->simple && (first->invalid || first->assist || (next && next->invalid))) ||
        (!as->alone && next && next->home_of))
        return false;
    const uint32_t entry =
        node_find_in(first, node_set(first, request, true, as), request->address & first->line_mask, true, as);
    if (entry == NO_ENTRY && first->allocate)
        return false;
    if (next) {
        const uint32_t outer = node_find_outer(next, request->address, as);
        if (outer == NO_ENTRY || !entry_is_dirty(next, outer))
            return false;
        record_or_use(memsys, cpu, first, request, entry, as);
        node_touch(next, outer, false, as);
        TELL_AS(as, memsys, hit, cpu, next->id, request, entry_line(next, outer));
    } else {
        if (memsys->cpus != 1 &&
            directory_read(&memsys->tier[0].directory, request->address).sharers & ~directory_bit(cpu))
            return false;
        record_or_use(memsys, cpu, first, request, entry, as);
        memsys->writes++;
    }
    if (entry == NO_ENTRY) {
        const struct fill fill = allocate_word(memsys, cpu, first, request, as);
        if (fill.entry != NO_ENTRY)
            grant(first, fill.entry, request,
                  permits_after_fill(first, &fill, as) ? permits_stores(memsys, first, as) : PERMIT_NONE, as);
    }
    if (!as->untimed && memsys->timing)
        *stall += charge(request->bucket, STALL_WRITE_BUFFER,
                         timing_store(memsys->timing, cpu, request->address, request->size, request->now));
    return true;
}

/* The access REQUEST. ACCESS is request->access, perhaps a constant. Returns the stall in cycles. */
static ALWAYS_INLINE cycles access_as(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                      enum memsys_access access, bring_function *deeper, const struct shape *as)
{
    struct array *cache = memsys->first[access != MEMSYS_FETCH][cpu];
    const uint32_t entry = as->simple ? node_find_in(cache, node_set(cache, request, true, as),
                                                     request->address & cache->line_mask, true, as)
                                      : array_find_of(cache, request);
    if (!as->simple && entry != NO_ENTRY && array_is_assist(cache, entry))
        cache->assist->hits++;
    if (!as->simple && entry != NO_ENTRY && array_is_partial(cache, entry))
        return access_partial(memsys, cpu, request, entry);
    if (access == MEMSYS_WRITE && !as->classified && (cache->through || (entry == NO_ENTRY && !cache->allocate)))
        return store_passed(memsys, cpu, request, cache, entry, deeper, as);
    if (entry == NO_ENTRY)
        return access_missed(memsys, cpu, request, cache, access, deeper, as);
    node_touch(cache, entry, true, as);
    TELL_AS(as, memsys, hit, cpu, cache->id, request, entry_line(cache, entry));
    if (access == MEMSYS_WRITE && !entry_is_dirty(cache, entry))
        return store_to_clean(memsys, cpu, request, cache, entry, as);
    grant(cache, entry, request, entry_state(cache, entry) & classify_hit_as(cache, request, as), as);
    return 0;
}

#endif
