#include "cache/classify/miss_observer.h"

#include "cache/state/engine.h"
#include "cache/state/hooks.h"
#include "src/base/log.h"
#include <stdlib.h>

struct miss_observer {
    struct memsys *memsys;
    miss_observer_fn *notify;
    void *opaque;
    /* misses of the current access, REQUEST of CPU, by level; an upgrade comes after them */
    struct memsys_request request;
    unsigned cpu, count;
    struct observed_miss miss[MEMSYS_CACHES + 1];
};

/* Whether REQUEST of CPU is the current access. A prefetcher makes it by a request of its own, and
 * perhaps later, when its line has arrived. */
static bool is_current(const struct miss_observer *watch, unsigned cpu, const struct memsys_request *request)
{
    const struct memsys_request *current = &watch->request;
    return watch->count > 0 && cpu == watch->cpu && request->access == current->access &&
           request->address == current->address && request->pc == current->pc;
}

static void note(struct miss_observer *watch, unsigned cpu, enum memsys_cache cache,
                 const struct memsys_request *request, bool upgrade)
{
    const struct classify *classify = memsys_classification(watch->memsys);
    if (!is_current(watch, cpu, request)) {
        watch->request = *request;
        watch->cpu = cpu;
        watch->count = 0;
    }
    if (watch->count == sizeof watch->miss / sizeof watch->miss[0])
        return;
    watch->miss[watch->count++] =
        (struct observed_miss){.cpu = cpu,
                               .cache = cache,
                               .access = request->access,
                               .upgrade = upgrade,
                               .class = classify ? classify_last_class(classify, cpu) : CLASS_COUNT,
                               .pc = request->pc,
                               .virtual_address = request->virtual_address,
                               .address = request->address,
                               .now = request->now};
}

static void on_miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                    paddr line)
{
    (void)line;
    note(opaque, cpu, cache, request, false);
}

static void on_upgrade(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                       paddr block)
{
    (void)block;
    note(opaque, cpu, cache, request, true);
}

static void on_access(void *opaque, unsigned cpu, const struct memsys_request *request, cycles stall)
{
    struct miss_observer *watch = opaque;
    const unsigned count = is_current(watch, cpu, request) ? watch->count : 0;
    watch->count = 0;
    if (count > 0)
        watch->miss[count - 1].stall = stall;
    for (unsigned i = 0; i < count; i++)
        watch->notify(watch->opaque, &watch->miss[i]);
}

static const struct memsys_event_ops ops = {.miss = on_miss, .upgrade = on_upgrade, .access = on_access};

struct miss_observer *miss_observer_begin(struct memsys *memsys, miss_observer_fn *notify, void *opaque)
{
    struct miss_observer *watch = checked_memory(calloc(1, sizeof *watch));
    *watch = (struct miss_observer){.memsys = memsys, .notify = notify, .opaque = opaque};
    memsys_attach(memsys, &ops, watch);
    return watch;
}

void miss_observer_end(struct miss_observer *watch)
{
    if (!watch)
        return;
    memsys_detach(watch->memsys, watch);
    free(watch);
}

enum memsys_cache miss_observer_outermost(const struct memsys *memsys)
{
    enum memsys_cache cache = MEMSYS_L3;
    while (cache > MEMSYS_L1D && memsys_entries(memsys, cache, NULL) == 0)
        cache -= 2;
    return cache;
}
