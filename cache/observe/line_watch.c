#include "cache/observe/line_watch.h"

#include "cache/state/hooks.h"
#include "src/base/log.h"
#include <stdlib.h>

struct line_watch {
    struct memsys *memsys;
    enum memsys_cache cache;
    paddr first, last;
    uint32_t size; /* bytes of a line */
    line_watch_fn *call;
    void *opaque;
};

static bool concerns(const struct line_watch *watch, enum memsys_cache cache, paddr line)
{
    return cache == watch->cache && line <= watch->last && line + (watch->size - 1) >= watch->first;
}

static void missed(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                   paddr line)
{
    const struct line_watch *watch = opaque;
    (void)request;
    if (concerns(watch, cache, line))
        watch->call(watch->opaque, &(struct line_event){LINE_MISSED, cpu, line, NULL, cpu});
}

static void filled(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line)
{
    const struct line_watch *watch = opaque;
    if (concerns(watch, cache, line))
        watch->call(watch->opaque, &(struct line_event){LINE_ENTERED, cpu, line, NULL, cpu});
}

static void removed(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                    unsigned by_cpu)
{
    static const char *const names[] = {
        [REMOVED_EVICTION] = "replacement",      [REMOVED_BACK_INVALIDATION] = "back-invalidation",
        [REMOVED_INVALIDATION] = "invalidation", [REMOVED_DMA] = "dma",
        [REMOVED_CACHE_OP] = "cache_op",         [REMOVED_ALIAS] = "alias",
        [REMOVED_DIRECTORY] = "directory",       [REMOVED_MOVE] = "page_move",
        [REMOVED_SUPPLIED] = "supplied"};
    const struct line_watch *watch = opaque;
    if (concerns(watch, cache, line))
        watch->call(watch->opaque, &(struct line_event){LINE_LEFT, cpu, line, names[why], by_cpu});
}

struct line_watch *line_watch_begin(struct memsys *memsys, enum memsys_cache cache, paddr first, paddr last,
                                    line_watch_fn *call, void *opaque)
{
    static const struct memsys_event_ops ops = {.miss = missed, .fill = filled, .removal = removed};
    struct line_watch *watch = checked_memory(calloc(1, sizeof *watch));
    *watch = (struct line_watch){memsys, cache, first, last, memsys_line(memsys, cache), call, opaque};
    memsys_attach(memsys, &ops, watch);
    return watch;
}

void line_watch_end(struct line_watch *watch)
{
    if (!watch)
        return;
    memsys_detach(watch->memsys, watch);
    free(watch);
}
