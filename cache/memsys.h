/*
 * The memory system: what a CPU model needs to know of caches, coherence and latency.
 *
 * Data live in RAM; a memory system models tags, states and time only. A model performs the access functionally and
 * asks here what it cost. First-level hits are decided inline by the caller (l1_*_hit below); everything else is one
 * call that updates all levels and all CPUs' caches, charges the bucket, and returns the stall in CPU cycles.
 *
 * Ordering rule: accesses are presented in the order in which the CPUs perform them; a call takes effect at once.
 *
 * What is modelled, and where each choice comes from: docs/memory-system.md.
 *
 * Not modelled: contention, write buffers, bus occupancy, write-back cost (a blocking cache whose misses have a fixed
 * latency as the processor sees it: SOSP'95 table 3.1), wrong-path accesses.
 */
#ifndef SIMOS_CACHE_MEMSYS_H
#define SIMOS_CACHE_MEMSYS_H

#include "src/attribution.h"
#include "src/params.h"
#include "src/stats.h"
#include "src/types.h"
#include <stdio.h>

/*
 * First-level cache as the CPU model sees it. Each set holds `ways` entries in order of recent use (index 0 = most
 * recent), so true LRU costs nothing on the common hit; invalid entries are always last. An entry is the line's
 * physical address, or L1_INVALID. The write tag equals the line's address only while this CPU may store without
 * asking (the line is dirty here); otherwise it is L1_INVALID, also for a line whose second-level line is dirty but
 * which has not been stored to since it was filled: the first such store makes one free call, and the write tag says
 * exactly which lines are modified. An odd value never equals a line address.
 *
 * Any call of memsys_miss may take a line out of either first-level cache of the same CPU (inclusion) and of other
 * CPUs (coherence): remember no hit across a call.
 */
#define L1_INVALID 1u

struct l1_cache {
    uint32_t *tag; /* [set * ways + way] */
    uint32_t *write_tag;
    uint32_t line_mask;   /* ~(line size - 1) */
    uint32_t first_mask;  /* with first_shift: address to index of the set's first entry, in one shift and one mask */
    uint32_t first_shift; /* line_shift - log2(ways) */
    uint32_t ways;        /* 1, 2, 4, 8 */
    uint32_t line_shift;
    uint32_t set_mask; /* number of sets - 1 */
    bool placed;       /* the arrays belong to somebody else (memsys_place_l1) */
};

/* Index in tag and write_tag of the first entry of ADDRESS's set. */
static inline uint32_t l1_first(const struct l1_cache *l1, paddr address)
{
    return (address >> l1->first_shift) & l1->first_mask;
}

/* The rest of the two checks below, for what is not in front: find LINE among the tags / the write tags of the set that
 * starts at FIRST and make it the most recently used; false if it is not there. Out of line: the front hit is the rule.
 */
bool l1_read_hit_behind(struct l1_cache *l1, uint32_t first, uint32_t line);
bool l1_write_hit_behind(struct l1_cache *l1, uint32_t first, uint32_t line);

/* Does a read or fetch of ADDRESS hit? Updates LRU order on a hit. */
static inline bool l1_read_hit(struct l1_cache *l1, paddr address)
{
    uint32_t line = address & l1->line_mask;
    uint32_t first = l1_first(l1, address);
    return SIM_LIKELY(l1->tag[first] == line) || l1_read_hit_behind(l1, first, line);
}

/* Does a store to ADDRESS hit a line that may be written? Updates LRU order on a hit. */
static inline bool l1_write_hit(struct l1_cache *l1, paddr address)
{
    uint32_t line = address & l1->line_mask;
    uint32_t first = l1_first(l1, address);
    return SIM_LIKELY(l1->write_tag[first] == line) || l1_write_hit_behind(l1, first, line);
}

enum memsys_access { MEMSYS_FETCH, MEMSYS_READ, MEMSYS_WRITE };

struct memsys;

/* The cache.* and memory.* parameters (types, ranges, defaults = the 1994 machine). */
extern const struct param_def memsys_param_defs[];
extern const size_t memsys_param_count;

/* Build the hierarchy for CPUS processors from PARAMS (cache.l1i.*, cache.l1d.*, cache.l2.*, memory.*). CLOCK_HZ turns
 * latencies in ns into cycles, rounded up. Combinations that make no sense (line of L1 longer than of L2, L1 larger
 * than L2, size not line * ways * power of two) fail naming the parameter. cache.model = "none" gives a memory system
 * in which everything hits at once (memsys_is_flat). */
struct memsys *memsys_create(const struct params *params, unsigned cpus, uint64_t clock_hz, struct err *err);
void memsys_free(struct memsys *memsys);
bool memsys_is_flat(const struct memsys *memsys);

/* First-level caches of CPU, for the inline checks; the pointers stay valid for the life of MEMSYS. */
struct l1_cache *memsys_l1i(struct memsys *memsys, unsigned cpu);
struct l1_cache *memsys_l1d(struct memsys *memsys, unsigned cpu);

/* Entries of a first-level cache at most. */
enum { MEMSYS_L1_ENTRIES_MAX = (4 << 20) / 8 };
/* Keep the tags of CPU's first-level caches in MEMORY from now on, which must outlive MEMSYS: four arrays of
 * MEMSYS_L1_ENTRIES_MAX words, the tags and write tags of the instruction and of the data cache. For a model that wants
 * them at a place of its choice; what they hold does not change. */
void memsys_place_l1(struct memsys *memsys, unsigned cpu, uint32_t *memory);

/* CPU's access to ADDRESS (cached) was not an inline hit. Handles second level, coherence (upgrade when the line is
 * present but shared), fills, evictions; adds stall and miss counts to BUCKET (not to its cycles); returns the stall in
 * cycles, which is 0 for a store that only had to be told of. Safe, and free, for an access that does hit. */
cycles memsys_miss(struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr address,
                   struct bucket *bucket);

/* An uncached access, of RAM or of a device: stall of memory.uncached_latency, charged to BUCKET. */
cycles memsys_uncached(struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr address,
                       struct bucket *bucket);

/* The CACHE instruction's effect on the tags and states of CPU's own caches: no data move, no time passes. HIT
 * operations act on ADDRESS's line, INDEX_INVALIDATE on every way of the set that ADDRESS selects (dirty lines are
 * written back: the machine's only index operations that meet dirty lines are write-back-invalidates). Operations on L2
 * keep inclusion. Anything the modelled caches do not have is ignored. */
enum memsys_cache_op {
    MEMSYS_HIT_INVALIDATE,
    MEMSYS_HIT_WRITEBACK,
    MEMSYS_HIT_WRITEBACK_INVALIDATE,
    MEMSYS_INDEX_INVALIDATE
};
enum memsys_cache { MEMSYS_L1I, MEMSYS_L1D, MEMSYS_L2 };
void memsys_cache_op(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     paddr address);

/* Coherent DMA: a device wrote (invalidates all copies; a dirty line that is overwritten only in part is written back
 * first) or read (dirty lines are written back and become shared) SIZE bytes from ADDRESS. Size 0 does nothing; what
 * lies beyond the end of the address space is ignored. No CPU stalls. */
void memsys_dma_write(struct memsys *memsys, paddr address, uint32_t size);
void memsys_dma_read(struct memsys *memsys, paddr address, uint32_t size);

/* Empty every cache of every CPU (no write-backs counted). */
void memsys_flush(struct memsys *memsys);

/* Register the memory system's own counters (per CPU and cache: misses, write-backs, invalidations received, upgrades,
 * lines written back by coherence) under "cpuN." and "memory.". Misses and stalls by mode are in the buckets. */
void memsys_register_stats(struct memsys *memsys, struct stats *stats);

/* One text line a level and one for the latencies ("L1-I 16K 2-way 16-byte lines LRU, ..."), for `simos params` and the
 * result table. */
void memsys_describe(const struct memsys *memsys, FILE *out);

/* For the checking build and tests: verify inclusion, one writer, and L1/L2 state agreement; false with ERR. */
bool memsys_check(const struct memsys *memsys, struct err *err);

#endif
