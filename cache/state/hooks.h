/*
 * What goes on inside a memory system, as it happens: for classification of misses, traces, sweeps. Private to cache/.
 *
 * Nothing is called, and nothing is slower, while nobody is attached.
 */
#ifndef SIMOS_CACHE_HOOKS_H
#define SIMOS_CACHE_HOOKS_H

#include "cache/memsys.h"

/* Why a line left a cache. */
enum memsys_leave {
    LEAVE_REPLACED,
    LEAVE_INCLUSION,   /* the line of an outer cache that it was inside of was replaced */
    LEAVE_INVALIDATED, /* another CPU's store */
    LEAVE_DMA,
    LEAVE_CACHE_OP,
    LEAVE_ALIAS /* the CPU used it by another virtual address, which selects another set */
};

/* Any may be NULL. OPAQUE is memsys_attach's; LINE the address of the cache's line. */
struct memsys_event_ops {
    /* `hit`, and what happens to the first level, are of no interest: what only they are needed for may go untold
     * (which is faster). `access` is always told. */
    bool outer_only;
    /* CACHE was asked and has the line (the first level: of accesses that the model did not answer by itself). */
    void (*hit)(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request, paddr line);
    /* It does not: for every level missed, the first one first, before anything changes. */
    void (*miss)(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request, paddr line);
    /* A store asks for the ownership of UNIT (a line of the last level) that CPU shares; before the others lose it. */
    void (*upgrade)(void *opaque, unsigned cpu, const struct memsys_request *request, paddr unit);
    /* CACHE has LINE now; its victim left before. */
    void (*fill)(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line);
    /* CPU's CACHE loses LINE, because of what BY_CPU does (a device: CPU itself). */
    void (*leave)(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_leave why,
                  unsigned by_cpu);
    /* SIZE bytes at ADDRESS go outwards from CACHE: a modified line, or a store that it does not keep. */
    void (*write)(void *opaque, unsigned cpu, enum memsys_cache from, paddr address, uint32_t size);
    /* The end of each memsys_access: everything has happened, *request->quick is set and may be lowered. */
    void (*access)(void *opaque, unsigned cpu, const struct memsys_request *request, cycles stall);
    /* The end of the function of that name. */
    void (*dma)(void *opaque, bool write, paddr address, uint32_t size);
    void (*cache_op)(void *opaque, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op, paddr address);
    void (*flush)(void *opaque);
};

enum { MEMSYS_OBSERVERS_MAX = 8 };

/* Call OPS from now on, after those attached before; OPS outlives the memory system. All quick-check bytes are cleared,
 * so that everything is seen. More than MEMSYS_OBSERVERS_MAX are a bug. Detach: what was attached with OPAQUE. */
void memsys_attach(struct memsys *memsys, const struct memsys_event_ops *ops, void *opaque);
void memsys_detach(struct memsys *memsys, void *opaque);

/* CPU has to ask for LINE of its first-level CACHE the next time. */
void memsys_forget_quick(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, paddr line);

#endif
