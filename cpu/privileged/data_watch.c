#include "cpu/privileged/data_watch.h"

#include "cpu/model.h"
#include "cpu/privileged/vmap.h"
#include <stdlib.h>

enum { PAGES = 1 << (32 - PAGE_SHIFT) };

struct watched_range {
    struct data_range range;
    bool removed;
};

/* One per machine, while anything is watched. */
struct data_watch {
    struct watched_range *ranges;
    unsigned count, capacity;
    unsigned calls_in_progress; /* depth of calls in progress: ranges must not be moved */
    bool any_removed;
    uint8_t *virtual_flags; /* flags by virtual page; NULL: no range is virtual */
};

static uint8_t flags_of(const struct data_range *range)
{
    return (uint8_t)((range->loads ? PAGE_LOADS_WATCHED : 0) | (range->stores ? PAGE_STORES_WATCHED : 0));
}

/* Discard what the models derived: flat tables, and translated code that does not store all registers before
 * accesses. */
static void forget_derived(struct core *core)
{
    for (unsigned i = 0; i < core->cpus; i++) {
        struct core *peer = core->peers[i];
        vmap_invalidate_all(peer);
        const struct cpu_model_ops *ops = peer->model_ops;
        if (peer->model)
            (ops->observers_changed ? ops->observers_changed : ops->invalidate_all)(peer->model);
        peer->attention = true;
    }
}

static uint8_t *flags_for(struct core *core, const struct data_watch *watch, const struct data_range *range)
{
    return range->by_virtual ? watch->virtual_flags : core->mem->page_flags;
}

static void clear_flags(struct core *core, const struct data_watch *watch, const struct data_range *range)
{
    uint8_t *flags = flags_for(core, watch, range);
    for (uint32_t page = range->first >> PAGE_SHIFT; page <= range->last >> PAGE_SHIFT; page++)
        flags[page] &= (uint8_t) ~(PAGE_LOADS_WATCHED | PAGE_STORES_WATCHED);
}

static void set_flags(struct core *core, const struct data_watch *watch)
{
    for (unsigned i = 0; i < watch->count; i++) {
        const struct data_range *range = &watch->ranges[i].range;
        uint8_t *flags = flags_for(core, watch, range);
        for (uint32_t page = range->first >> PAGE_SHIFT; page <= range->last >> PAGE_SHIFT; page++)
            flags[page] |= watch->ranges[i].removed ? 0 : flags_of(range);
    }
}

void data_watch_add_observer(struct core *core, bool show)
{
    for (unsigned i = 0; i < core->cpus; i++)
        core->peers[i]->access_observers += show ? 1u : -1u;
    forget_derived(core);
}

void data_watch_add(struct core *core, const struct data_range *range)
{
    struct data_watch *watch = core->data_watch;
    if (!watch) {
        watch = checked_memory(calloc(1, sizeof *watch));
        for (unsigned i = 0; i < core->cpus; i++)
            core->peers[i]->data_watch = watch;
    }
    if (range->by_virtual && !watch->virtual_flags)
        watch->virtual_flags = checked_memory(calloc(PAGES, 1));
    if (watch->count == watch->capacity) {
        watch->capacity = watch->capacity ? 2 * watch->capacity : 8;
        watch->ranges = checked_memory(realloc(watch->ranges, watch->capacity * sizeof *watch->ranges));
    }
    watch->ranges[watch->count++] = (struct watched_range){.range = *range};
    set_flags(core, watch);
    data_watch_add_observer(core, true);
}

void data_watch_add_virtual(struct core *core, const struct data_range *range)
{
    static const struct {
        vaddr first, last;
        bool translated;
    } segments[] = {{0, KSEG0_BASE - 1, true},
                    {KSEG0_BASE, KSEG1_BASE - 1, false},
                    {KSEG1_BASE, KSEG2_BASE - 1, false},
                    {KSEG2_BASE, UINT32_MAX, true}};
    for (unsigned i = 0; i < sizeof segments / sizeof segments[0]; i++) {
        struct data_range part = *range;
        if (part.last < segments[i].first || part.first > segments[i].last)
            continue;
        part.by_virtual = segments[i].translated;
        if (part.first < segments[i].first)
            part.first = segments[i].first;
        if (part.last > segments[i].last)
            part.last = segments[i].last;
        if (!part.by_virtual) {
            part.first = vaddr_physical(part.first);
            part.last = vaddr_physical(part.last);
        }
        data_watch_add(core, &part);
    }
}

/* Remove the ranges marked as gone, and free everything if none is left. */
static void compact(struct core *core, struct data_watch *watch)
{
    unsigned kept = 0;
    if (watch->calls_in_progress > 0 || !watch->any_removed)
        return;
    for (unsigned i = 0; i < watch->count; i++)
        if (!watch->ranges[i].removed)
            watch->ranges[kept++] = watch->ranges[i];
    watch->count = kept;
    watch->any_removed = false;
    if (kept > 0)
        return;
    for (unsigned i = 0; i < core->cpus; i++)
        core->peers[i]->data_watch = NULL;
    free(watch->virtual_flags);
    free(watch->ranges);
    free(watch);
}

void data_watch_remove(struct core *core, data_watch_fn *told, const void *opaque)
{
    struct data_watch *watch = core->data_watch;
    for (unsigned i = 0; watch && i < watch->count; i++) {
        struct watched_range *at = &watch->ranges[i];
        if (at->removed || at->range.callback != told || at->range.opaque != opaque)
            continue;
        at->removed = watch->any_removed = true;
        clear_flags(core, watch, &at->range);
        data_watch_add_observer(core, false);
    }
    if (!watch)
        return;
    set_flags(core, watch);
    compact(core, watch);
}

static bool is_watched(const struct data_range *range, const struct data_access *access)
{
    const uint32_t first = range->by_virtual ? access->address : access->physical, last = first + (access->size - 1u);
    return (access->kind == ACCESS_STORE ? range->stores : range->loads) && first <= range->last &&
           last >= range->first;
}

void data_watch_notify(struct core *core, const struct data_access *made)
{
    struct data_watch *watch = core->data_watch;
    struct data_access bytes = *made; /* a model may pass the register of a store */
    if (bytes.size < sizeof bytes.value)
        bytes.value &= (UINT64_C(1) << 8 * bytes.size) - 1;
    const struct data_access *access = &bytes;
    const unsigned count = watch->count; /* ranges added by a callback take effect with the next access */
    const uint8_t flags =
        core->mem->page_flags[access->physical >> PAGE_SHIFT] | data_watch_flags(core, access->address);
    if (!(flags & (access->kind == ACCESS_STORE ? PAGE_STORES_WATCHED : PAGE_LOADS_WATCHED)))
        return;
    watch->calls_in_progress++;
    for (unsigned i = 0; i < count; i++) {
        const struct watched_range at = watch->ranges[i];
        if (!at.removed && is_watched(&at.range, access))
            at.range.callback(at.range.opaque, core, access);
    }
    watch->calls_in_progress--;
    compact(core, watch);
}

uint8_t data_watch_flags(const struct core *core, vaddr address)
{
    const struct data_watch *watch = core->data_watch;
    return watch && watch->virtual_flags ? watch->virtual_flags[address >> PAGE_SHIFT] : 0;
}
