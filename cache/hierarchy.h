/*
 * Inside of the memory system: each CPU's caches, and what keeps one CPU's levels consistent with each other.
 * Private to cache/.
 *
 * Levels: split L1 I and D over a unified L2 that includes both: every valid first-level line lies in a valid
 * second-level line. The coherence state is the second level's; the first level knows only "may store" (write tag).
 */
#ifndef SIMOS_CACHE_HIERARCHY_H
#define SIMOS_CACHE_HIERARCHY_H

#include "cache/directory.h"
#include "cache/l1.h"
#include "cache/memsys.h"
#include "cache/tags.h"
#include "src/board.h"

/* States of a second-level line: SOSP'95 section 3.5. */
enum line_state { LINE_INVALID, LINE_SHARED, LINE_DIRTY };

/* Events of one CPU's caches since they were built; each is a registered statistic (cache/statistics.c). */
struct cache_counts {
    uint64_t l1i_misses, l1i_invalidations;
    uint64_t l1d_read_misses, l1d_write_misses, l1d_write_backs, l1d_invalidations;
    uint64_t l2_insn_misses, l2_read_misses, l2_write_misses;
    uint64_t l2_upgrades, l2_write_backs;
    uint64_t l2_interventions;         /* dirty lines this cache gave to another CPU */
    uint64_t l2_coherence_write_backs; /* dirty lines written back because another CPU or a device read them */
    uint64_t l2_invalidations;         /* lines lost to another CPU's store */
    uint64_t l2_dma_invalidations;     /* lines lost to a device's write */
    uint64_t uncached;
};

struct cpu_caches {
    struct l1_cache l1i;
    struct l1_cache l1d;
    struct tags l2;
    struct cache_counts counts;
};

struct memsys {
    unsigned cpus;
    bool flat;
    bool upgrades; /* stores to shared lines ask the other CPUs */
    cycles l2_hit_time;
    cycles miss_time;
    cycles upgrade_time;
    cycles uncached_latency;
    uint64_t memory_fills, memory_write_backs; /* lines read from and written to memory for the CPUs' caches */
    uint64_t dma_reads, dma_writes;            /* calls */
    struct cpu_caches cpu[BOARD_MAX_CPUS];
    struct directory directory; /* used with more than one CPU only */
};

/* What happens to the data of a dirty line. */
enum data_fate { DATA_KEPT, DATA_DROPPED };

/* Take ENTRY of CPU's second level out, with all first-level lines in it. The state it had; dirty first-level lines are
 * counted as written back to the second level unless the data are DATA_DROPPED. Directory included. */
enum line_state hierarchy_remove(struct memsys *memsys, unsigned cpu, uint32_t entry, enum data_fate fate);

/* Make ENTRY of CPU's second level shared: first-level lines in it stay, without write permission. */
void hierarchy_share(struct memsys *memsys, unsigned cpu, uint32_t entry);

/* Bring LINE (absent) into CPU's second level with STATE; evicts, and writes back, what has to leave. */
void hierarchy_insert(struct memsys *memsys, unsigned cpu, paddr line, enum line_state state);

#endif
