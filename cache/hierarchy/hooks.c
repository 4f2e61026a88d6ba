#include "cache/state/hooks.h"

#include "cache/hierarchy/access.h"
#include "cache/hierarchy/block.h"
#include "cache/hierarchy/numa.h"
#include "cache/classify/classify_memsys.h"
#include "cache/classify/classify.h"
#include "cache/prefetch/prefetch.h"
#include "src/base/log.h"
#include <string.h>

/* memsys_access with observers and periodic checks. */
static cycles access_observed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    cycles stall = memsys->plain[request->access](memsys, cpu, request);
    TELL(memsys, access, cpu, request, stall);
    /* an observer with caches of its own may have cleared the permission byte of an instruction line */
    const struct array *fetches = memsys->node[cpu].first[0];
    if (fetches && fetches->mru)
        fetches->mru[MEMSYS_WITHDRAWN] = 1;
    if (memsys->check_interval && --memsys->until_check == 0) {
        struct err err = {""};
        memsys->until_check = memsys->check_interval;
        if (!memsys_check(memsys, &err))
            log_bug("after an access of cpu%u to 0x%08x: %s", cpu, request->address, err.text);
    }
    return stall;
}

/* memsys_access whose stalls may be taken back. */
static cycles access_forgiven(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    uint64_t before[STALL_COUNT], *stalls = request->bucket->stall;
    memcpy(before, stalls, sizeof before);
    cycles stall = memsys->charged[request->access](memsys, cpu, request);
    for (unsigned i = 0; stall > 0 && i < STALL_COUNT; i++) {
        const cycles duration = stalls[i] - before[i];
        if (duration == 0 || !memsys->forgive(memsys->forgive_opaque, cpu, request, (enum stall)i, duration))
            continue;
        stalls[i] = before[i];
        stall -= duration;
    }
    return stall;
}

void memsys_set_forgive(struct memsys *memsys, memsys_forgive_fn *forgive, void *opaque)
{
    memsys->forgive = forgive;
    memsys->forgive_opaque = opaque;
    access_choose(memsys);
}

static cycles access_flat(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    (void)memsys;
    (void)cpu;
    (void)request;
    return 0;
}

void access_choose(struct memsys *memsys)
{
    const bool observed = memsys->observers > 0 || memsys->check_interval;
    for (enum memsys_access access = MEMSYS_FETCH; access <= MEMSYS_WRITE; access++) {
        bool reports_end = false;
        memsys->plain[access] = memsys_is_flat(memsys) ? access_flat : access_of_shape(memsys, access, &reports_end);
        if (memsys->prefetch)
            prefetch_choose(memsys, access);
        if (memsys->block)
            block_choose(memsys, access);
        if (numa_needs_time(memsys)) {
            memsys->in_place[access] = memsys->plain[access];
            memsys->plain[access] = numa_access;
        }
        memsys->charged[access] = observed && !reports_end ? access_observed : memsys->plain[access];
        memsys->entry[access] = memsys->forgive ? access_forgiven : memsys->charged[access];
    }
}

static void clear_all_permissions(struct memsys *memsys)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (unsigned i = 0; i < 2; i++) {
            struct array *first = memsys->node[cpu].first[i];
            for (uint32_t entry = 0; first && entry < array_entries(first); entry++)
                array_withdraw_permission(first, entry);
        }
}

void memsys_attach(struct memsys *memsys, const struct memsys_event_ops *ops, void *opaque)
{
    if (memsys->observers == MEMSYS_OBSERVERS_MAX)
        log_bug("more than %d observers of a memory system", MEMSYS_OBSERVERS_MAX);
    memsys->observer[memsys->observers++] = (struct memsys_observer){ops, opaque};
    clear_all_permissions(memsys);
    access_choose(memsys);
}

void memsys_detach(struct memsys *memsys, void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < memsys->observers; i++)
        if (memsys->observer[i].opaque != opaque)
            memsys->observer[kept++] = memsys->observer[i];
    memsys->observers = kept;
    access_choose(memsys);
}

void memsys_withdraw_permission(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, paddr line)
{
    struct array *array = memsys->node[cpu].cache[cache];
    uint32_t entry = array_find(array, line);
    if (entry != NO_ENTRY)
        array_withdraw_permission(array, entry);
}
