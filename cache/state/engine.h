/*
 * Internal state of the memory system. Private to cache/.
 *
 * A node is all caches of one CPU. The path of an access is the chain of caches that it looks up, first level first.
 * The coherence block is a block of the last-level line size. The protocol's states of a block are
 * in the directory; a cache entry only records whether it is modified. A block is COHERENCE_M in a node if and
 * only if an entry within it is dirty.
 */
#ifndef SIMOS_CACHE_STATE_ENGINE_H
#define SIMOS_CACHE_STATE_ENGINE_H

#include "cache/protocols.h"
#include "cache/state/array.h"
#include "cache/state/geometry.h"
#include "cache/state/hooks.h"
#include "cache/state/perturb.h"
#include "cache/timing/timing.h"
#include "cache/state/directory.h"
#include "src/base/board.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define OUT_OF_LINE   __attribute__((noinline))

/* Events of one node that do not belong to a single cache. */
struct node_counts {
    uint64_t upgrades, updates, updates_received;
    uint64_t interventions;         /* dirty lines supplied to another CPU */
    uint64_t clean_interventions;   /* clean interventions: clean lines supplied to another CPU */
    uint64_t coherence_write_backs; /* dirty lines written back because another CPU or a device read them */
    uint64_t uncached;
};

struct node {
    struct array *first[2]; /* [0] for fetches, [1] for loads and stores */
    struct array *last[2];  /* the last level: [0] data or unified, [1] instructions, or NULL */
    struct node_counts counts;
    struct array cache[MEMSYS_CACHES]; /* [enum memsys_cache]; word is NULL in those that do not exist */
};

struct memsys_observer {
    const struct memsys_event_ops *ops;
    void *opaque;
};

/* Not the address of any coherence block. */
#define NO_COHERENCE_BLOCK UINT64_MAX

typedef cycles access_function(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Brings the line of REQUEST, a read or fetch without a bucket, into FROM, a cache of CPU's path, unless it is present.
 * Returns the time in cycles, the level that supplied the line (memory or another CPU: number of levels + 1) and its
 * entry in FROM. Counts no miss and grants no fast-path permission. */
struct access_fetched {
    cycles time;
    unsigned level;
    uint32_t entry;
};
typedef struct access_fetched fetch_function(struct memsys *memsys, unsigned cpu, struct array *from,
                                             const struct memsys_request *request);

struct memsys {
    struct array *first[2][BOARD_MAX_CPUS]; /* first levels: [0] for fetches, [1] for loads and stores */
    access_function *entry[3];              /* by enum memsys_access: what memsys_access calls */
    /* the last level is one cache and inclusive of all others, so it determines the node's coherence state */
    bool last_level_inclusive;
    bool validates; /* a cache may have lines that are partly valid (array->invalid) */
    enum prepare_for_store prepare;
    bool upgrades;   /* stores to shared lines need an upgrade or update */
    unsigned levels; /* 0: no caches */
    unsigned cpus;
    cycles miss_time, upgrade_time, update_time, intervention_time, uncached_latency;
    struct layout_map *layout;         /* of cache.layout, guest.placement or page_mapping, or NULL; for callers */
    bool places_kernel;                /* memsys_place_kernel() says what the map moves */
    struct page_mapping *page_mapping; /* NULL: none */
    struct perturb perturb;            /* of responses with data from memory or another CPU */
    uint64_t perturb_seed;             /* its seed, from the parameters */
    uint64_t fills, write_backs, writes, updates; /* counts at memory */
    uint64_t dma_reads, dma_writes;               /* number of calls */
    enum memsys_protocol protocol;                /* of pages without an entry in page_protocol */
    uint8_t *page_protocol;                       /* by page; NULL: all pages follow `protocol` */
    access_function *plain[3];                    /* entry without observers */
    access_function *charged[3];                  /* entry without `forgive` */
    memsys_forgive_fn *forgive;                   /* NULL: no stall is taken back */
    void *forgive_opaque;
    fetch_function *bring; /* for prefetchers */
    uint64_t check_interval, until_check;
    unsigned observers;
    struct memsys_observer observer[MEMSYS_OBSERVERS_MAX];
    struct classify_memsys *classify; /* NULL: off */
    struct node node[BOARD_MAX_CPUS];
    struct timing *timing;            /* contention; NULL: none */
    bool queues_stores;               /* the first level has a timing_store_queue() */
    struct memsys_response *response; /* result of the current access, if contention is modelled; or NULL */
    struct block *block;              /* the block-transfer engine, NULL: none */
    struct prefetch *prefetch;        /* prefetchers, NULL: none */
    /* current block: coherence block of the access that is filling lines; its directory state is updated at the end of
     * the access. NO_COHERENCE_BLOCK: none */
    uint64_t current_block;
    bool state_update_pending; /* the current block lost a line during the fills */
    struct directory directory;
};

/* Notifies all observers of an event: TELL(memsys, miss, cpu, ...). */
#define TELL(MEMSYS, EVENT, ...)                                                                                       \
    do {                                                                                                               \
        if (SIM_UNLIKELY((MEMSYS)->observers))                                                                         \
            for (const struct memsys_observer *o_ = (MEMSYS)->observer; o_ < (MEMSYS)->observer + (MEMSYS)->observers; \
                 o_++)                                                                                                 \
                if (o_->ops->EVENT)                                                                                    \
                    o_->ops->EVENT(o_->opaque __VA_OPT__(, ) __VA_ARGS__);                                             \
    } while (0)

/* The time of a response with data from memory or another CPU that takes TIME unperturbed. */
static inline cycles engine_response_time(struct memsys *memsys, cycles time)
{
    return SIM_LIKELY(memsys->perturb.limit == 0) ? time : time + perturb_draw(&memsys->perturb);
}

static inline paddr coherence_block_size(const struct memsys *memsys)
{
    return 1u << memsys->directory.line_shift;
}

static inline paddr coherence_block_of(const struct memsys *memsys, paddr address)
{
    return address & ~(coherence_block_size(memsys) - 1);
}

static inline enum memsys_protocol protocol_of(const struct memsys *memsys, paddr address)
{
    return memsys->page_protocol ? memsys->page_protocol[address >> PAGE_SHIFT] : memsys->protocol;
}

static inline struct array *first_of(struct memsys *memsys, unsigned cpu, enum memsys_access access)
{
    return memsys->first[access != MEMSYS_FETCH][cpu];
}

static inline cycles charge(struct bucket *bucket, enum stall stall, cycles time)
{
    bucket->stall[stall] += time;
    return time;
}

#endif
