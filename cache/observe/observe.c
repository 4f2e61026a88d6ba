#include "cache/observe/observe.h"

#include "cache/state/hooks.h"
#include "src/base/log.h"
#include <stdlib.h>

struct observer {
    struct memsys *memsys;
    unsigned level;
    observe_fn *refer;
    void *opaque;
    cycles now; /* time of the last access, for events without a time */
};

static const enum reference_kind kinds[] = {
    [MEMSYS_FETCH] = REFERENCE_FETCH, [MEMSYS_READ] = REFERENCE_READ, [MEMSYS_WRITE] = REFERENCE_WRITE};

static unsigned level_of(enum memsys_cache cache)
{
    return (unsigned)cache / 2 + 1;
}
_Static_assert(MEMSYS_L1D / 2 + 1 == 1 && MEMSYS_L2I / 2 + 1 == 2 && MEMSYS_L3 / 2 + 1 == 3, "two caches a level");

/* Does the observer see the requests to memory, because there are no caches of its level? */
static bool is_memory(const struct observer *observer)
{
    return observer->level > 3 || memsys_line(observer->memsys, observer->level == 2 ? MEMSYS_L2 : MEMSYS_L3) == 0;
}

/* Extends a fetch to its whole line: the CPU models may give different addresses within it. */
static void make_whole_line(const struct observer *observer, struct reference *reference)
{
    uint32_t line = memsys_line(observer->memsys, MEMSYS_L1I);
    reference->address &= ~(paddr)(line - 1);
    reference->virtual_address &= ~(vaddr)(line - 1);
    reference->size = line;
}

static void access(void *opaque, unsigned cpu, const struct memsys_request *request, cycles stall)
{
    struct observer *observer = opaque;
    struct reference reference = {.kind = kinds[request->access],
                                  .cpu = (uint8_t)cpu,
                                  .address = request->address,
                                  .virtual_address = request->virtual_address,
                                  .space = request->space,
                                  .size = request->size,
                                  .walk = request->walk,
                                  .now = request->now};
    (void)stall;
    if (reference.kind == REFERENCE_FETCH)
        make_whole_line(observer, &reference);
    observer->now = request->now;
    observer->refer(observer->opaque, &reference, request->permission);
}

/* Reports to the observer of the next level a request for SIZE bytes at ADDRESS: a miss, or a store that needs an
 * upgrade. */
static void refer_to_next(struct observer *observer, unsigned cpu, enum reference_kind kind,
                          const struct memsys_request *request, paddr address, uint32_t size)
{
    struct reference reference = {.kind = kind,
                                  .cpu = (uint8_t)cpu,
                                  .address = address,
                                  .virtual_address = request->virtual_address - (request->address - address),
                                  .size = size,
                                  .now = request->now};
    observer->now = request->now;
    observer->refer(observer->opaque, &reference, NULL);
}

static void miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request, paddr line)
{
    struct observer *observer = opaque;
    if (level_of(cache) + 1 == observer->level)
        refer_to_next(observer, cpu, kinds[request->access], request, line, memsys_line(observer->memsys, cache));
}

static void upgrade(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                    paddr block)
{
    struct observer *observer = opaque;
    uint32_t line = memsys_line(observer->memsys, observer->level == 2 ? MEMSYS_L1D : MEMSYS_L2);
    (void)cache;
    (void)block;
    if (is_memory(observer))
        return; /* which knows nothing of it */
    refer_to_next(observer, cpu, REFERENCE_WRITE, request, request->address & ~(paddr)(line - 1), line);
}

static void write_back(void *opaque, unsigned cpu, enum memsys_cache from, paddr address, uint32_t size)
{
    struct observer *observer = opaque;
    if (level_of(from) + 1 != observer->level)
        return;
    struct reference reference = {.kind = REFERENCE_WRITE_BACK,
                                  .cpu = (uint8_t)cpu,
                                  .address = address,
                                  .virtual_address = address,
                                  .size = size,
                                  .now = observer->now};
    observer->refer(observer->opaque, &reference, NULL);
}

static void dma(void *opaque, bool write, paddr address, uint32_t size)
{
    struct observer *observer = opaque;
    struct reference reference = {.kind = write ? REFERENCE_DMA_WRITE : REFERENCE_DMA_READ,
                                  .address = address,
                                  .size = size,
                                  .now = observer->now};
    observer->refer(observer->opaque, &reference, NULL);
}

static void cache_op(void *opaque, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     const struct memsys_request *request)
{
    struct observer *observer = opaque;
    struct reference reference = {.kind = REFERENCE_CACHE_OP,
                                  .cpu = (uint8_t)cpu,
                                  .address = request->address,
                                  .virtual_address = request->virtual_address,
                                  .space = request->space,
                                  .cache = cache,
                                  .op = op,
                                  .now = observer->now};
    observer->refer(observer->opaque, &reference, NULL);
}

static void flush(void *opaque)
{
    struct observer *observer = opaque;
    struct reference reference = {.kind = REFERENCE_FLUSH, .now = observer->now};
    observer->refer(observer->opaque, &reference, NULL);
}

static const struct memsys_event_ops first_level = {.access = access, .dma = dma, .cache_op = cache_op, .flush = flush};
static const struct memsys_event_ops lower_level = {
    .miss = miss, .upgrade = upgrade, .write = write_back, .dma = dma, .cache_op = cache_op, .flush = flush};

struct observer *observe_begin(struct memsys *memsys, unsigned level, observe_fn *refer, void *opaque)
{
    struct observer *observer = checked_memory(malloc(sizeof *observer));
    *observer = (struct observer){.memsys = memsys, .level = level, .refer = refer, .opaque = opaque};
    memsys_attach(memsys, level == 1 ? &first_level : &lower_level, observer);
    return observer;
}

void observe_end(struct observer *observer)
{
    if (!observer)
        return;
    memsys_detach(observer->memsys, observer);
    free(observer);
}
