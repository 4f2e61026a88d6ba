#include "cache/hierarchy/access.h"

#include "cache/classify/classification.h"
#include "cache/hierarchy/block.h"
#include "cache/hierarchy/coherence.h"
#include "cache/hierarchy/protocol.h"
#include "cache/state/response.h"
#include "cache/prefetch/prefetch.h"

static void record_miss(struct memsys *memsys, unsigned cpu, struct array *cache, const struct memsys_request *request)
{
    static const enum miss first[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    if (!request->bucket)
        return; /* a prefetch */
    cache->counts.misses[request->access]++;
    if (cache->level == 1)
        request->bucket->miss[first[request->access]]++;
    else if (cache->level == 2)
        request->bucket->miss[request->access == MEMSYS_FETCH ? MISS_L2_INSN : MISS_L2_DATA]++;
    TELL(memsys, miss, cpu, cache->id, request, request->address & cache->line_mask);
}

static void note_hit(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                     const struct memsys_request *request)
{
    array_touch(cache, entry);
    TELL(memsys, hit, cpu, cache->id, request, entry_line(cache, entry));
}

/* A virtually indexed CACHE holds a line in one set only: evicts the line if it is in another set than that of the
 * request. */
static void evict_alias(struct memsys *memsys, unsigned cpu, struct array *cache, const struct memsys_request *request)
{
    if (SIM_LIKELY(!cache->by_virtual))
        return;
    const paddr line = request->address & cache->line_mask;
    uint32_t entry = array_find_mapped(cache, line);
    if (entry == NO_ENTRY)
        return;
    if (entry == array_find_in(cache, array_first_of(cache, request), line))
        return; /* a miss of a word that is not valid */
    const struct removal removal = {.why = REMOVED_ALIAS, .by_cpu = cpu};
    cache->counts.aliases++;
    node_evict(memsys, cpu, cache, entry, &removal);
}

/* Result of a fill. */
struct fill {
    struct transaction transaction;
    struct array *supplier; /* source of the data, or of the ownership; NULL: memory, or another CPU */
    uint32_t entry;         /* entry that holds the line */
    bool unread;            /* allocated without a read */
};

/* Caches that missed, innermost first; then the first that hits, with its entry, or NULL. */
struct lookup {
    struct array *missed[LEVELS_MAX], *hit;
    unsigned count;
    uint32_t entry;
    bool partial; /* one that missed has the line, but words of it are not valid */
};

/* Looks up CACHE for the line of INNER, which missed, or for its tag alone (UNREAD). Returns whether it hits. */
static bool look_in_outer(const struct array *inner, const struct array *cache, const struct memsys_request *request,
                          bool unread, struct lookup *lookup)
{
    lookup->entry = array_find(cache, request->address & cache->line_mask);
    if (lookup->entry == NO_ENTRY)
        return false;
    if (unread || SIM_LIKELY(!cache->invalid) ||
        array_holds(cache, lookup->entry, request->address & inner->line_mask, 1u << inner->line_shift))
        return true;
    lookup->partial = true;
    lookup->entry = NO_ENTRY;
    return false;
}

/* Looks up the levels from FROM, which missed, outwards. UNREAD: the line will not be read. */
static struct lookup find_in_outer(struct memsys *memsys, unsigned cpu, struct array *from,
                                   const struct memsys_request *request, bool unread)
{
    struct lookup lookup = {.entry = NO_ENTRY};
    struct array *cache = from, *inner;
    do {
        lookup.missed[lookup.count++] = cache;
        record_miss(memsys, cpu, cache, request);
        if (cache == from)
            evict_alias(memsys, cpu, from, request);
        inner = cache;
        cache = cache->next;
    } while (cache && !look_in_outer(inner, cache, request, unread, &lookup));
    lookup.hit = cache;
    lookup.partial |= from->invalid && array_find(from, request->address & from->line_mask) != NO_ENTRY;
    return lookup;
}

/* ENTRY of CACHE supplies the line for a fill of FROM; EXCLUSIVE: the line will be stored to. */
static struct transaction read_outer_level(struct memsys *memsys, unsigned cpu, const struct array *from,
                                           struct array *cache, uint32_t entry, const struct memsys_request *request,
                                           bool exclusive)
{
    struct transaction result = {0};
    cycles hit_time = cache->hit_time;
    note_hit(memsys, cpu, cache, entry, request);
    if (SIM_UNLIKELY(memsys->prefetch) && prefetch_stream_lookup(memsys, cpu, from, cache, request, &hit_time))
        note_source(memsys, prefetch_stream_level(memsys)); /* the stream buffer ends the access */
    else
        note_source(memsys, cache->level);
    if (exclusive)
        result = coherence_upgrade(memsys, cpu, request);
    /* One transaction fetches the line and obtains ownership, so its latency is the stall; but at least the hit time.
     */
    if (result.time < hit_time)
        result.time = hit_time;
    return result;
}

static struct transaction read_beyond_last_level(struct memsys *memsys, unsigned cpu, const struct array *from,
                                                 const struct memsys_request *request, bool exclusive, bool partial)
{
    if (SIM_UNLIKELY(memsys->prefetch))
        prefetch_stream_lookup(memsys, cpu, from, NULL, request, NULL);
    if (partial)
        return (struct transaction){.owned = exclusive, .time = coherence_read_rest(memsys)};
    if (exclusive)
        return coherence_read_exclusive(memsys, cpu, request);
    return (struct transaction){.time = coherence_read(memsys, cpu, request->address)};
}

/* The line of REQUEST arrives in CACHE, which may have it partly valid. PARENT as for node_fill(). Returns its entry.
 */
static uint32_t fill_or_complete(struct memsys *memsys, unsigned cpu, struct array *cache,
                                 const struct memsys_request *request, uint32_t parent)
{
    if (SIM_UNLIKELY(cache->invalid != NULL)) {
        const uint32_t entry = array_find(cache, request->address & cache->line_mask);
        if (entry != NO_ENTRY) {
            array_validate_all(cache, entry);
            array_touch(cache, entry);
            return entry;
        }
    }
    return node_fill(memsys, cpu, cache, request, ENTRY_CLEAN, parent);
}

/* Fills the line of REQUEST into the caches of LOOKUP that missed; FILL is the rest of the access. */
static void fill_missed(struct memsys *memsys, unsigned cpu, const struct lookup *lookup,
                        const struct memsys_request *request, struct fill *fill)
{
    memsys->current_block = coherence_block_of(memsys, request->address);
    for (unsigned level = lookup->count; level > 0; level--) {
        struct array *cache = lookup->missed[level - 1];
        fill->entry = fill_or_complete(memsys, cpu, cache, request, fill->entry);
        cache->counts.allocations += fill->unread;
        if (fill->unread && cache->invalid)
            array_validate_none(cache, fill->entry);
    }
    memsys->current_block = NO_COHERENCE_BLOCK;
}

static void update_pending_state(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    if (memsys->state_update_pending)
        node_update_state(memsys, cpu, request->address);
    memsys->state_update_pending = false;
}

/* Whether the SIZE bytes at ADDRESS are whole words. */
static bool is_whole_words(paddr address, uint32_t size)
{
    return ((address | size) & (ARRAY_WORD - 1)) == 0;
}

/* Whether the store REQUEST, which missed FROM, allocates its line without reading it: it writes whole words, and all
 * caches that do not have the line do so (write_allocate=validate). */
static bool allocates_unread(const struct memsys *memsys, const struct array *from,
                             const struct memsys_request *request)
{
    if (SIM_LIKELY(!from->validate) || !is_whole_words(request->address, request->size) ||
        !coherence_owns_unread(memsys, request->address))
        return false;
    for (const struct array *cache = from->next; cache; cache = cache->next) {
        if (array_find(cache, request->address & cache->line_mask) != NO_ENTRY)
            return true;
        if (!cache->validate)
            return false;
    }
    return true;
}

/* Allocates the line of REQUEST, a store of whole words that missed FROM, there and in the levels that miss it too,
 * without reading it. QUIET: the request for the lookup of the levels. */
static struct fill allocate_line(struct memsys *memsys, unsigned cpu, struct array *from,
                                 const struct memsys_request *request, const struct memsys_request *quiet)
{
    const struct lookup lookup = find_in_outer(memsys, cpu, from, quiet, true);
    struct fill fill = {.supplier = lookup.hit, .entry = lookup.entry, .unread = true};
    if (lookup.hit)
        note_hit(memsys, cpu, lookup.hit, lookup.entry, quiet);
    fill.transaction = coherence_allocate(memsys, cpu, request);
    fill_missed(memsys, cpu, &lookup, request, &fill);
    node_mark_dirty(from, fill.entry);
    update_pending_state(memsys, cpu, request);
    return fill;
}

/* Fills the line of REQUEST into FROM, which missed, and into all levels that miss it too. EXCLUSIVE: the line will be
 * stored to. */
static struct fill fill_line(struct memsys *memsys, unsigned cpu, struct array *from,
                             const struct memsys_request *request, bool exclusive)
{
    const struct lookup lookup = find_in_outer(memsys, cpu, from, request, false);
    struct fill fill = {.supplier = lookup.hit, .entry = lookup.entry};
    fill.transaction = fill.supplier
                           ? read_outer_level(memsys, cpu, from, fill.supplier, fill.entry, request, exclusive)
                           : read_beyond_last_level(memsys, cpu, from, request, exclusive, lookup.partial);
    fill_missed(memsys, cpu, &lookup, request, &fill);
    if (fill.transaction.owned)
        node_mark_dirty(from, fill.entry);
    update_pending_state(memsys, cpu, request);
    return fill;
}

/* Brings the line of REQUEST, a store that missed FROM and is kept there, into FROM. */
static struct fill fill_for_store(struct memsys *memsys, unsigned cpu, struct array *from,
                                  const struct memsys_request *request)
{
    if (!allocates_unread(memsys, from, request))
        return fill_line(memsys, cpu, from, request, true);
    struct fill fill = allocate_line(memsys, cpu, from, request, request);
    node_validate(from, fill.entry, request->address, request->size);
    return fill;
}

struct access_fetched access_fill_for_prefetch(struct memsys *memsys, unsigned cpu, struct array *from,
                                               const struct memsys_request *request)
{
    uint32_t entry = array_find(from, request->address & from->line_mask);
    if (entry != NO_ENTRY) {
        note_hit(memsys, cpu, from, entry, request);
        note_source(memsys, from->level);
        return (struct access_fetched){from->hit_time, from->level, entry};
    }
    struct fill fill = fill_line(memsys, cpu, from, request, false);
    /* the filled line is now the MRU line and has no fast-path permission */
    array_withdraw_permission(from, fill.entry);
    return (struct access_fetched){fill.transaction.time, fill.supplier ? fill.supplier->level : memsys->levels + 1,
                                   fill.entry};
}

/* Charges the stall of a fill: to the first level if the second level had the line or there is only one level. Returns
 * the stall. */
static cycles charge_fill(const struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                          const struct fill *fill)
{
    bool fetch = request->access == MEMSYS_FETCH;
    bool near = memsys->levels == 1 || (fill->supplier && fill->supplier->level == 2);
    enum stall stall = near ? fetch ? STALL_L1I : STALL_L1D : fetch ? STALL_L2I : STALL_L2D;
    if ((fill->supplier || fill->unread) && fill->transaction.sent)
        stall = STALL_UPGRADE;
    if (!fill->supplier && !fill->unread)
        classification_add_wait(memsys->classification, cpu, request, fill->transaction.time);
    return charge(request->bucket, stall, fill->transaction.time);
}

/* Whether the store REQUEST, of the line in ENTRY of CACHE, hits: it needs no word that is not valid. */
static bool store_hits(const struct array *cache, uint32_t entry, const struct memsys_request *request)
{
    return SIM_LIKELY(!cache->invalid) || is_whole_words(request->address, request->size) ||
           array_holds(cache, entry, request->address, request->size);
}

/* Passes a store to CACHE and outwards (NULL: memory). The CPU does not wait. */
static void post(struct memsys *memsys, unsigned cpu, struct array *cache, const struct memsys_request *request)
{
    for (; cache; cache = cache->next) {
        const uint32_t entry = array_find(cache, request->address & cache->line_mask);
        const bool hits = entry != NO_ENTRY && store_hits(cache, entry, request);
        if (!hits && !cache->allocate) {
            record_miss(memsys, cpu, cache, request);
        } else if (!hits) {
            if (cache->through)
                fill_line(memsys, cpu, cache, request, false);
            else
                fill_for_store(memsys, cpu, cache, request);
            note_fetch_is_posted(memsys);
        } else {
            note_hit(memsys, cpu, cache, entry, request);
            if (cache->invalid)
                node_validate(cache, entry, request->address, request->size);
            if (!cache->through && !entry_is_dirty(cache, entry) && coherence_upgrade(memsys, cpu, request).owned)
                node_mark_dirty(cache, entry);
        }
        if (!cache->through && (hits || cache->allocate))
            return;
        TELL(memsys, write, cpu, cache->id, request->address, request->size);
        note_store_passed(memsys, cpu, cache, request);
    }
    note_reached_memory(memsys, cpu);
    coherence_write_around(memsys, cpu, request->address);
}

static void post_from(struct memsys *memsys, unsigned cpu, struct array *cache, const struct memsys_request *request)
{
    TELL(memsys, write, cpu, cache->id, request->address, request->size);
    note_store_passed(memsys, cpu, cache, request);
    post(memsys, cpu, cache->next, request);
}

/* Grants permission for the line in ENTRY. One that is partly valid gets none, because every use has to look at the
 * words; nor does one of the assist cache, so that its hits are counted. */
static void grant(struct array *cache, uint32_t entry, const struct memsys_request *request)
{
    if (array_is_assist(cache, entry)) {
        *request->permission = PERMIT_NONE;
        return;
    }
    const unsigned most = array_is_partial(cache, entry) ? PERMIT_NONE : request->max_permission;
    array_grant_permission(cache, entry, request->permission, most);
}

cycles access_store_to_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                             struct array *cache, uint32_t entry)
{
    struct transaction upgrade = coherence_upgrade(memsys, cpu, request);
    if (upgrade.owned)
        node_mark_dirty(cache, entry);
    grant(cache, entry, request);
    return upgrade.sent ? charge(request->bucket, STALL_UPGRADE, upgrade.time) : 0;
}

/* A store that misses a cache without write-allocate. */
static cycles store_around(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                           struct array *cache)
{
    record_miss(memsys, cpu, cache, request);
    evict_alias(memsys, cpu, cache, request);
    post_from(memsys, cpu, cache, request);
    return 0;
}

cycles access_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct array *cache = first_of(memsys, cpu, request->access);
    bool write = request->access == MEMSYS_WRITE;
    if (write && !cache->allocate)
        return store_around(memsys, cpu, request, cache);
    struct fill fill = write && !cache->through ? fill_for_store(memsys, cpu, cache, request)
                                                : fill_line(memsys, cpu, cache, request, false);
    cycles stall = charge_fill(memsys, cpu, request, &fill);
    if (write && cache->through)
        post_from(memsys, cpu, cache, request);
    grant(cache, fill.entry, request);
    return stall;
}

/* REQUEST, for the line in ENTRY, which is partly valid. */
static cycles access_partial(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                             struct array *cache, uint32_t entry)
{
    const bool write = request->access == MEMSYS_WRITE;
    if (write ? !store_hits(cache, entry, request) : !array_holds(cache, entry, request->address, request->size))
        return access_miss(memsys, cpu, request);
    note_hit(memsys, cpu, cache, entry, request);
    if (write)
        node_validate(cache, entry, request->address, request->size);
    grant(cache, entry, request);
    return 0;
}

cycles access_any(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct array *cache = first_of(memsys, cpu, request->access);
    const uint32_t entry = array_find_of(cache, request);
    if (entry == NO_ENTRY)
        return access_miss(memsys, cpu, request);
    if (array_is_assist(cache, entry))
        cache->assist->hits++;
    if (array_is_partial(cache, entry))
        return access_partial(memsys, cpu, request, cache, entry);
    note_hit(memsys, cpu, cache, entry, request);
    if (request->access == MEMSYS_WRITE) {
        if (cache->through)
            post_from(memsys, cpu, cache, request);
        else if (!entry_is_dirty(cache, entry))
            return access_store_to_clean(memsys, cpu, request, cache, entry);
    }
    grant(cache, entry, request);
    return 0;
}

/* PREF with hint 30 of the line of REQUEST, a store. A line that is present stays as it is. Returns the stall. */
static cycles prepare_for_store(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct array *first = memsys->first[1][cpu];
    const paddr line = request->address & first->line_mask;
    if (array_find_of(first, request) != NO_ENTRY || !coherence_owns_unread(memsys, line))
        return 0;
    struct memsys_request quiet = *request;
    quiet.bucket = NULL; /* counts no miss */
    const struct fill fill = allocate_line(memsys, cpu, first, request, &quiet);
    node_validate(first, fill.entry, line, 1u << first->line_shift);
    array_withdraw_permission(first, fill.entry);
    if (memsys->prefetch)
        prefetch_forget(memsys, cpu, first, fill.entry);
    return charge_fill(memsys, cpu, request, &fill);
}

/* Accesses with contention delays */

/* The category that the delay of RESPONSE's request is charged to: that of its stall. */
static enum stall stall_of(const struct memsys *memsys, const struct memsys_response *response)
{
    bool fetch = response->access == MEMSYS_FETCH;
    if (response->message && !response->writes && response->source <= memsys->levels)
        return STALL_UPGRADE;
    if (response->source > 2 && memsys->levels > 1 && !response->fetched_posted)
        return fetch ? STALL_L2I : STALL_L2D;
    return fetch ? STALL_L1I : STALL_L1D;
}

/* Performs UNTIMED for REQUEST and adds its contention delays. */
static cycles add_delays(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                         access_function *untimed)
{
    struct memsys_response response;
    response_begin(&response, cpu, request);
    memsys->response = &response;
    response.stall = untimed(memsys, cpu, request);
    memsys->response = NULL;
    if (!response.source && !response.message && !response.writes)
        return response.stall;
    struct timing_wait wait = timing_waits(memsys->timing, &response);
    if (response.source > memsys->levels && !response.fetched_posted)
        classification_add_wait(memsys->classification, cpu, request, wait.request);
    return response.stall + charge(request->bucket, stall_of(memsys, &response), wait.request) +
           charge(request->bucket, STALL_WRITE_BUFFER, wait.write_buffer);
}

cycles access_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    return add_delays(memsys, cpu, request, memsys->untimed[request->access]);
}

/* Whether NEXT, or memory, takes the store REQUEST without any other work: NEXT has the line modified, in *ENTRY, or
 * memory's block is in no other CPU. */
static bool is_taken_as_it_is(const struct memsys *memsys, unsigned cpu, const struct array *next,
                              const struct memsys_request *request, uint32_t *entry)
{
    if (!next)
        return memsys->cpus == 1 || !protocol_other_sharers(directory_read(&memsys->directory, request->address), cpu);
    *entry = array_find(next, request->address & next->line_mask);
    return *entry != NO_ENTRY && entry_is_dirty(next, *entry) && !next->invalid;
}

cycles access_store_through(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct array *first = memsys->first[1][cpu], *next = first->next;
    const uint32_t entry = array_find_of(first, request);
    uint32_t outer = NO_ENTRY;
    if ((entry == NO_ENTRY && first->allocate) || !is_taken_as_it_is(memsys, cpu, next, request, &outer))
        return (memsys->timing ? access_timed : access_any)(memsys, cpu, request);
    if (entry == NO_ENTRY) {
        record_miss(memsys, cpu, first, request);
        evict_alias(memsys, cpu, first, request);
    } else {
        note_hit(memsys, cpu, first, entry, request);
        grant(first, entry, request);
    }
    TELL(memsys, write, cpu, first->id, request->address, request->size);
    if (next)
        note_hit(memsys, cpu, next, outer, request);
    else
        memsys->writes++;
    if (!memsys->timing)
        return 0;
    return charge(request->bucket, STALL_WRITE_BUFFER,
                  timing_store(memsys->timing, cpu, request->address, request->size, request->now));
}

bool access_stores_through(const struct memsys *memsys)
{
    const struct array *first = memsys->node[0].first[1];
    return first->through && !first->invalid && !first->assist;
}

/* PREF with hint 30 (cache/memsys.h) */

bool memsys_prepares_for_store(const struct memsys *memsys)
{
    return memsys->prepare == PREPARE_ALLOCATES || (memsys->prepare == PREPARE_PREFETCHES && memsys_prefetches(memsys));
}

cycles memsys_prepare_for_store(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    if (memsys->prepare == PREPARE_PREFETCHES)
        memsys_prefetch(memsys, cpu, request);
    if (memsys->prepare != PREPARE_ALLOCATES || (memsys->block && block_covers(memsys, cpu, request->address)))
        return 0;
    struct memsys_request store = *request;
    store.access = MEMSYS_WRITE;
    const cycles stall =
        memsys->timing ? add_delays(memsys, cpu, &store, prepare_for_store) : prepare_for_store(memsys, cpu, &store);
    classification_add_stall(memsys->classification, cpu, &store, stall);
    return stall;
}
