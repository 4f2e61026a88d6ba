/*
 * Internal state of the memory system. Private to cache/.
 *
 * A node is all caches of one CPU, of which CPUs may share the outer ones. The path of an access is the chain of caches
 * that it looks up, first level first.
 *
 * Coherence is kept in tiers. The members of a tier are groups of CPUs, each with an outermost cache (or two, split) of
 * its own; what is outside them, the home, is a cache that they share, or memory. Where CPUs share no cache there is
 * one tier: its members are the CPUs, its home is memory. A shared cache is the home of a tier inside it, and is the
 * outermost cache of a member of the tier outside it. A tier's coherence block is a line of its home; for memory, of
 * the last level. The protocol's states of a block are in the tier's directory, where a member has the number of its
 * first CPU; a cache entry only records whether it is modified. A block is COHERENCE_M in a member if and only if an
 * entry within it is dirty. A member that owns a block (E or M) is in a member of the outer tier that owns it, too: so
 * nobody else has it, and a store marks it as modified in all tiers.
 */
#ifndef SIMOS_CACHE_STATE_ENGINE_H
#define SIMOS_CACHE_STATE_ENGINE_H

#include "cache/protocols.h"
#include "cache/state/array.h"
#include "cache/state/geometry.h"
#include "cache/state/hooks.h"
#include "cache/state/perturb.h"
#include "cache/state/sparse.h"
#include "cache/timing/timing.h"
#include "cache/state/directory.h"
#include "src/base/board.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define OUT_OF_LINE   __attribute__((noinline))

/* Events of a member of a tier that do not belong to a single cache. Upgrades count for the CPU that stores, in the
 * outermost tier that has one, the others for the first CPU of the member. */
struct member_counts {
    uint64_t upgrades, updates, updates_received;
    uint64_t interventions;         /* dirty lines supplied to another member */
    uint64_t clean_interventions;   /* clean interventions: clean lines supplied to another member */
    uint64_t coherence_write_backs; /* dirty lines written back because another member or a device read them */
    uint64_t directory_evictions;   /* entries of the home's directory that gave way to this member's blocks */
};

/* Memory's, and those of shared second and third levels. */
enum { MEMSYS_TIERS = 3 };

struct tier {
    struct tier *outer, *inner; /* NULL: the home is memory; the members have no tiers inside */
    uint8_t number;             /* in struct memsys */
    uint8_t level;              /* of the members' outermost caches */
    uint32_t first_cpus;        /* mask: the first CPU of the member that a CPU is in */
    uint32_t home_first_cpus;   /* the same for the home's CPUs */
    uint32_t home_cpus;         /* how many share a home */
    uint64_t home;              /* the first `home_cpus` CPUs, a bit mask as in a directory entry */
    /* the outermost level of a member is one cache, inclusive of all others in it, and its lines are the coherence
     * blocks: so a line there determines the member's state of its block */
    bool inclusive;
    bool upgrades; /* stores to shared lines need an upgrade or update */
    cycles upgrade_time, update_time, intervention_time;
    struct directory directory;
    struct sparse sparse; /* for which blocks the homes' directories have room */
};

struct node {
    struct array *first[2];             /* [0] for fetches, [1] for loads and stores */
    struct array *last[2];              /* the last level: [0] data or unified, [1] instructions, or NULL */
    struct array *cache[MEMSYS_CACHES]; /* [enum memsys_cache]; word is NULL in those that do not exist */
    uint64_t uncached;
    struct member_counts member[MEMSYS_TIERS];
    struct array_counts events[MEMSYS_CACHES]; /* what this CPU's accesses, and those that act on its lines, caused */
    struct array own[MEMSYS_CACHES];           /* the caches of which this is the first CPU */
};

struct memsys_observer {
    const struct memsys_event_ops *ops;
    void *opaque;
};

/* No address, and in no coherence block. */
#define NO_ADDRESS UINT64_MAX

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
    bool validates;                         /* a cache may have lines that are partly valid (array->invalid) */
    enum prepare_for_store prepare;
    unsigned levels; /* 0: no caches */
    unsigned cpus;
    unsigned shared[LEVELS_MAX + 1];                    /* by level: how many CPUs share a cache, a power of two */
    uint32_t partition[LEVELS_MAX + 1][BOARD_MAX_CPUS]; /* by level, where one is partitioned: see struct array */
    cycles miss_time, uncached_latency;
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
    access_function *in_place[3];                 /* behind numa_access(), if that is plain */
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
    struct numa *numa;                /* nodes with memory of their own, NULL: one */
    /* address of the access that is filling lines; the directory states of its blocks are updated at the end of the
     * access. NO_ADDRESS: none */
    uint64_t current;
    uint32_t pending;               /* a bit for each tier whose current block lost a line during the fills */
    struct tier tier[MEMSYS_TIERS]; /* from memory's inwards */
    unsigned tiers;
    struct tier *innermost;
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

static inline paddr coherence_block_size(const struct tier *tier)
{
    return 1u << tier->directory.line_shift;
}

static inline paddr coherence_block_of(const struct tier *tier, paddr address)
{
    return address & ~(coherence_block_size(tier) - 1);
}

static inline bool is_in_current_block(const struct memsys *memsys, const struct tier *tier, paddr address)
{
    return (address ^ memsys->current) >> tier->directory.line_shift == 0;
}

/* The number of the member that CPU is in. */
static inline unsigned tier_member(const struct tier *tier, unsigned cpu)
{
    return cpu & tier->first_cpus;
}

/* The CPUs that share CPU's home, a bit mask as in a directory entry. */
static inline uint64_t tier_home(const struct tier *tier, unsigned cpu)
{
    return tier->home << (cpu & tier->home_first_cpus);
}

/* The members of SHARERS that share a home with CPU's and are not CPU's. */
static inline uint64_t tier_others(const struct tier *tier, uint64_t sharers, unsigned cpu)
{
    return sharers & tier_home(tier, cpu) & ~directory_bit(tier_member(tier, cpu));
}

/* Whether CPU is the first of those that have cache ID, which exists: all caches, each once. */
static inline bool memsys_is_first_of(const struct memsys *memsys, unsigned cpu, enum memsys_cache id)
{
    return memsys->node[cpu].own[id].word != NULL;
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
