#include "cache/hierarchy/access_inline.h"

#include "cache/hierarchy/block.h"
#include "cache/hierarchy/page_moves.h"

/* The text of an access for every memory system. */
static const struct shape any_shape = {0};

static struct fill bring_deeper(struct memsys *memsys, unsigned cpu, struct array *cache, const struct wanted *wanted)
{
    return bring_line(memsys, cpu, cache, wanted, wanted->request->access, false, false, bring_deeper, &any_shape);
}

cycles access_any(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    return access_as(memsys, cpu, request, request->access, bring_deeper, &any_shape);
}

cycles access_partial(struct memsys *memsys, unsigned cpu, const struct memsys_request *request, uint32_t entry)
{
    struct array *cache = first_of(memsys, cpu, request->access);
    const bool write = request->access == MEMSYS_WRITE;
    if (write ? !store_hits(cache, entry, request, &any_shape)
              : !array_holds(cache, entry, request->address, request->size))
        return access_missed(memsys, cpu, request, cache, request->access, bring_deeper, &any_shape);
    array_touch(cache, entry);
    TELL(memsys, hit, cpu, cache->id, request, entry_line(cache, entry));
    if (write)
        node_validate(cache, entry, request->address, request->size);
    grant(cache, entry, request, entry_state(cache, entry), &any_shape);
    return 0;
}

struct access_fetched access_fill_for_prefetch(struct memsys *memsys, unsigned cpu, struct array *from,
                                               const struct memsys_request *request)
{
    uint32_t entry = array_find(from, request->address & from->line_mask);
    if (entry != NO_ENTRY) {
        array_touch(from, entry);
        TELL(memsys, hit, cpu, from->id, request, entry_line(from, entry));
        note_source(memsys, from->level);
        return (struct access_fetched){from->hit_time, from->level, entry};
    }
    classify_memsys_begin_quiet(memsys->classify, cpu, request->now);
    if (memsys->numa)
        numa_set_time(memsys->numa, request->now);
    const struct fill fill = bring(memsys, cpu, from, request, request->access, false, false, bring_deeper, &any_shape);
    /* the filled line is now the MRU line and has no fast-path permission */
    array_withdraw_permission(from, fill.entry);
    return (struct access_fetched){fill.transaction.time, fill.supplier ? fill.supplier->level : memsys->levels + 1,
                                   fill.entry};
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
    classify_memsys_begin_quiet(memsys->classify, cpu, request->now);
    const struct wanted wanted = {first, request, &quiet, UNREAD, false, NULL};
    struct fill fill = bring_wanted(memsys, cpu, first, &wanted, MEMSYS_WRITE, false, bring_deeper, &any_shape);
    fill.unread = true;
    node_validate(first, fill.entry, line, 1u << first->line_shift);
    array_withdraw_permission(first, fill.entry);
    if (memsys->prefetch)
        prefetch_forget(memsys, cpu, first, fill.entry);
    return charge_fill(memsys, cpu, request, first, MEMSYS_WRITE, &fill, &any_shape);
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

void access_begin_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                        struct memsys_response *response)
{
    response_begin(response, cpu, request);
    memsys->response = response;
}

cycles access_end_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                        const struct memsys_response *response)
{
    memsys->response = NULL;
    if (!response->source && !response->message && !response->writes)
        return response->stall;
    struct timing_wait wait = timing_waits(memsys->timing, response);
    const enum stall stall = stall_of(memsys, response);
    if (response->source > memsys->innermost->level && !response->fetched_posted && stall != STALL_UPGRADE)
        classify_memsys_add_wait(memsys->classify, cpu, request, wait.request);
    return response->stall + charge(request->bucket, stall, wait.request) +
           charge(request->bucket, STALL_WRITE_BUFFER, wait.write_buffer);
}

/* Performs UNTIMED for REQUEST and adds its contention delays. */
static cycles add_delays(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                         access_function *untimed)
{
    struct memsys_response response;
    access_begin_timed(memsys, cpu, request, &response);
    response.stall = untimed(memsys, cpu, request);
    return access_end_timed(memsys, cpu, request, &response);
}

cycles access_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    cycles stall = 0;
    if (request->access == MEMSYS_WRITE && store_through(memsys, cpu, request, &stall, &any_shape))
        return stall;
    return add_delays(memsys, cpu, request, access_any);
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
    if (memsys->numa)
        numa_set_time(memsys->numa, request->now);
    const cycles moved = memsys_moves_pages(memsys) ? page_moves_before_store(memsys, cpu, store.address) : 0;
    const cycles stall =
        memsys->timing ? add_delays(memsys, cpu, &store, prepare_for_store) : prepare_for_store(memsys, cpu, &store);
    classify_memsys_add_stall(memsys->classify, cpu, &store, stall);
    return stall + charge(store.bucket, STALL_PAGE_MOVE, moved);
}
