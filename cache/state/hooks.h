/*
 * Events inside a memory system, reported to observers as they happen: for the miss classification, traces, sweeps.
 * Private to cache/.
 *
 * Without observers nothing is called and nothing is slower.
 */
#ifndef SIMOS_CACHE_STATE_HOOKS_H
#define SIMOS_CACHE_STATE_HOOKS_H

#include "cache/memsys.h"

/* Why a cache lost a line. */
enum memsys_removal {
    REMOVED_EVICTION,
    REMOVED_BACK_INVALIDATION, /* back-invalidation: an outer cache evicted the line that contains it */
    REMOVED_INVALIDATION,      /* store of another CPU */
    REMOVED_DMA,
    REMOVED_CACHE_OP,
    REMOVED_ALIAS,     /* access by another virtual address, which selects another set */
    REMOVED_DIRECTORY, /* the directory of a shared cache evicted its entry of the line */
    REMOVED_MOVE,      /* its page moved into another frame */
    REMOVED_SUPPLIED   /* an exclusive cache gave it to an inner one, or let it pass without keeping it */
};

/* Callbacks; any may be NULL. OPAQUE is the argument of memsys_attach, LINE the address of the cache's line. */
struct memsys_event_ops {
    /* CACHE was looked up and hit (first level: not for fast-path hits). */
    void (*hit)(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request, paddr line);
    /* CACHE was looked up and missed. Called for every level missed, first level first, before any state changes. */
    void (*miss)(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request, paddr line);
    /* A store needs an upgrade of BLOCK, which CACHE, the last level or one inside a shared cache, shares with others;
     * of several such caches CACHE is the outermost. Called before their copies are invalidated. */
    void (*upgrade)(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                    paddr block);
    /* CACHE was filled with LINE. The eviction of its victim was reported before. */
    void (*fill)(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line);
    /* CPU's CACHE lost LINE for the reason WHY, caused by BY_CPU (for a device: CPU itself). */
    void (*removal)(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                    unsigned by_cpu);
    /* SIZE bytes at ADDRESS leave cache FROM outwards: a modified line, or a store that FROM does not keep. */
    void (*write)(void *opaque, unsigned cpu, enum memsys_cache from, paddr address, uint32_t size);
    /* End of each memsys_access. *request->permission is set and may be lowered. */
    void (*access)(void *opaque, unsigned cpu, const struct memsys_request *request, cycles stall);
    /* End of memsys_dma_read or memsys_dma_write (WRITE), memsys_cache_op, memsys_flush. */
    void (*dma)(void *opaque, bool write, paddr address, uint32_t size);
    void (*cache_op)(void *opaque, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     const struct memsys_request *request);
    void (*flush)(void *opaque);
};

enum { MEMSYS_OBSERVERS_MAX = 8 };

/* memsys_attach adds an observer, called after those attached earlier. OPS must outlive the memory system. Clears all
 * fast-path permissions, so that every access is reported. More than MEMSYS_OBSERVERS_MAX observers are a bug (abort).
 * memsys_detach removes the observer attached with OPAQUE. */
void memsys_attach(struct memsys *memsys, const struct memsys_event_ops *ops, void *opaque);
void memsys_detach(struct memsys *memsys, void *opaque);

/* Clears the fast-path permission of LINE in CPU's first-level CACHE. */
void memsys_withdraw_permission(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, paddr line);

#endif
