/*
 * Inside of the memory system. Private to cache/.
 *
 * A node is all caches of one CPU. The path of an access is the chain of caches that it meets, first level first. The
 * protocol works on units, blocks of the last level's line size, and its states are in `units`; a cache's entry knows
 * only whether it is modified. A unit is UNIT_M in a node exactly if an entry inside it is dirty.
 */
#ifndef SIMOS_CACHE_ENGINE_H
#define SIMOS_CACHE_ENGINE_H

#include "cache/state/array.h"
#include "cache/state/geometry.h"
#include "cache/state/hooks.h"
#include "cache/timing/timing.h"
#include "cache/state/units.h"
#include "src/base/board.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define OUT_OF_LINE   __attribute__((noinline))

/* Events of one node that belong to no single cache. */
struct node_counts {
    uint64_t upgrades, updates, updates_received;
    uint64_t interventions;         /* dirty lines given to another CPU */
    uint64_t clean_supplies;        /* clean ones */
    uint64_t coherence_write_backs; /* dirty lines written back because another CPU or a device read them */
    uint64_t uncached;
};

struct node {
    struct array *first[2]; /* [0] for fetches, [1] for loads and stores */
    struct array *last[2];  /* the last level: [0] data or everything, [1] instructions, or NULL */
    struct node_counts counts;
    struct array cache[MEMSYS_CACHES]; /* those that do not exist have no words */
};

struct memsys_observer {
    const struct memsys_event_ops *ops;
    void *opaque;
};

/* No address of a unit. */
#define NO_UNIT UINT64_MAX

typedef cycles access_function(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* REQUEST, a read or fetch without a bucket, wants its line in FROM, a cache of CPU's path: bring it in unless it is
 * there. The time, the level that supplied it (1 more than there are: memory, another CPU) and its entry in FROM. No
 * miss is counted, nobody gets a quick-check byte. */
struct access_fetched {
    cycles time;
    unsigned level;
    uint32_t entry;
};
typedef struct access_fetched fetch_function(struct memsys *memsys, unsigned cpu, struct array *from,
                                             const struct memsys_request *request);

struct memsys {
    struct array *first[2][BOARD_MAX_CPUS]; /* first levels: [0] for fetches, [1] for loads and stores */
    access_function *entry[3];              /* by enum memsys_access: what memsys_access does */
    bool may_short_cut; /* two levels, no timing; the second one cache that includes a split first: see first_level.c */
    bool unwatched;     /* nobody is to be told of anything */
    bool first_level_told; /* to an observer: what happens to first-level lines */
    bool outer_told;       /* what happens beyond the first level */
    bool stands;           /* the last level is one cache that includes all others: it stands for its node */
    bool upgrades;         /* stores to shared lines ask the other CPUs */
    unsigned levels;       /* 0: no caches */
    unsigned cpus;
    cycles miss_time, upgrade_time, update_time, intervention_time, uncached_latency;
    uint64_t fills, write_backs, writes, updates; /* of memory */
    uint64_t dma_reads, dma_writes;               /* calls */
    enum memsys_protocol protocol;                /* of pages that page_protocol does not name */
    uint8_t *page_protocol;                       /* NULL: of all */
    access_function *plain[3];                    /* what entry does when nobody looks on */
    access_function *untimed[3];                  /* what that does without timing */
    fetch_function *bring;                        /* for prefetchers */
    uint64_t check_interval, until_check;
    unsigned observers;
    struct memsys_observer observer[MEMSYS_OBSERVERS_MAX];
    struct classification *classification; /* NULL: off */
    bool only_classification;              /* nobody else looks on, and it wants to know nothing else */
    struct node node[BOARD_MAX_CPUS];
    struct timing *timing;          /* what accesses wait for, NULL: nothing */
    struct memsys_outcome *outcome; /* of the access going on, if there is timing; or NULL */
    struct block *block;            /* the block-transfer engine, NULL: none */
    struct prefetch *prefetch;      /* prefetchers, NULL: none */
    uint64_t at_work; /* the unit of the access that is bringing in lines: settled when it is done; or NO_UNIT */
    bool unsettled;   /* something of it left on the way */
    struct units units;
};

/* Tell everybody who is attached: TELL(memsys, miss, cpu, ...). */
#define TELL(MEMSYS, EVENT, ...)                                                                                       \
    do {                                                                                                               \
        if (SIM_UNLIKELY((MEMSYS)->observers))                                                                         \
            for (const struct memsys_observer *o_ = (MEMSYS)->observer; o_ < (MEMSYS)->observer + (MEMSYS)->observers; \
                 o_++)                                                                                                 \
                if (o_->ops->EVENT)                                                                                    \
                    o_->ops->EVENT(o_->opaque __VA_OPT__(, ) __VA_ARGS__);                                             \
    } while (0)

static inline paddr unit_size(const struct memsys *memsys)
{
    return 1u << memsys->units.line_shift;
}

static inline paddr unit_of(const struct memsys *memsys, paddr address)
{
    return address & ~(unit_size(memsys) - 1);
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
