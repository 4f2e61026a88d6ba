/* Fills, evictions and invalidations in the caches of one CPU, and consistency between its levels. Private to cache/.
 */
#ifndef SIMOS_CACHE_HIERARCHY_NODE_H
#define SIMOS_CACHE_HIERARCHY_NODE_H

#include "cache/state/engine.h"

/* An eviction or invalidation: its reason, the CPU that caused it, and whether modified data are discarded. */
struct removal {
    enum memsys_removal why;
    unsigned by_cpu;
    bool dropped;
};

/* Evicts ENTRY of CPU's CACHE. An inclusive CACHE back-invalidates the lines inside it first. Modified data are written
 * to the next level unless REMOVAL discards them. */
void node_evict(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                const struct removal *removal);

/* Back-invalidates the lines inside ENTRY of CACHE, which REMOVAL evicts or invalidates. */
void node_back_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                          const struct removal *removal);

/* Directory entry of the block of ADDRESS, which CPU owned and wrote back. */
uint32_t node_clean_record(const struct memsys *memsys, unsigned cpu, paddr address);

/* Invalidates all lines inside BLOCK in all caches of CPU. Its state of BLOCK becomes I. */
void node_invalidate(struct memsys *memsys, unsigned cpu, paddr block, const struct removal *removal);

/* Makes all modified lines of CPU inside BLOCK clean; those that are partly valid leave their caches. The caller
 * accounts for the data and updates the directory. */
void node_clean(struct memsys *memsys, unsigned cpu, paddr block);

/* CPU stores the SIZE bytes at ADDRESS to ENTRY of CACHE: their words become valid there and in the lines that contain
 * it in inclusive outer levels. */
void node_validate(struct array *cache, uint32_t entry, paddr address, uint32_t size);

/* Writes modified data of ENTRY, and of the lines inside it if CACHE is inclusive, to the next level; the entry becomes
 * clean, or leaves the cache if it is partly valid. */
void node_write_back(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry);

/* Updates CPU's coherence state of the block of ADDRESS after lines in it were evicted or cleaned. */
void node_update_state(struct memsys *memsys, unsigned cpu, paddr address);

/* The highest state of any cache entry of CPU inside BLOCK. */
enum entry_state node_highest_state(const struct memsys *memsys, unsigned cpu, paddr block);

#endif
