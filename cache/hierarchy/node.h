/* Fills, evictions and invalidations in the caches of one CPU, and consistency between its levels. Private to cache/.
 */
#ifndef SIMOS_CACHE_HIERARCHY_NODE_H
#define SIMOS_CACHE_HIERARCHY_NODE_H

#include "cache/state/engine.h"

/* An eviction or invalidation: its reason, the CPU that caused it, and whether modified data are discarded. An
 * invalidation by a protocol: the level of the outermost caches that it concerns. */
struct removal {
    enum memsys_removal why;
    unsigned by_cpu;
    bool dropped;
    unsigned level;
};

/* Evicts ENTRY of CPU's CACHE. An inclusive CACHE back-invalidates the lines inside it first. Modified data are written
 * to the next level unless REMOVAL discards them. */
void node_evict(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                const struct removal *removal);

/* CACHE, which is exclusive, gets LINE, which CPU's access evicts from the next inner cache, DIRTY or not. */
void node_take_victim(struct memsys *memsys, unsigned cpu, struct array *cache, paddr line, bool dirty);

/* CACHE, which is exclusive, supplies ENTRY to CPU's INNER, the cache that will be filled, for a STORE or a read: the
 * line leaves CACHE. A modified line stays if it is read by an instruction cache, or passes a shared cache, or other
 * members share it: these have only clean copies. Returns whether a modified line has left, which INNER then has
 * modified. */
bool node_give_up(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry, const struct array *inner,
                  bool store);

/* Back-invalidates the lines inside ENTRY of CACHE, which REMOVAL evicts or invalidates. */
void node_back_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                          const struct removal *removal);

/* Directory entry of the block of ADDRESS, which MEMBER owned and wrote back. */
struct directory_record node_clean_record(const struct memsys *memsys, unsigned member, paddr address);

/* Invalidates all lines inside BLOCK in all caches of MEMBER of TIER. Its state of BLOCK becomes I. */
void node_invalidate(struct memsys *memsys, struct tier *tier, unsigned member, paddr block,
                     const struct removal *removal);

/* Makes all modified lines of MEMBER of TIER inside BLOCK clean; those that are partly valid leave their caches. The
 * caller accounts for the data and updates the directories. */
void node_clean(struct memsys *memsys, const struct tier *tier, unsigned member, paddr block);

/* A member that owned the block of ADDRESS in TIER no longer does: neither does one inside it. */
void node_disown_inside(const struct tier *tier, paddr address);

/* CPU stores the SIZE bytes at ADDRESS to ENTRY of CACHE: their words become valid there and in the lines that contain
 * it in inclusive outer levels. */
void node_validate(struct array *cache, uint32_t entry, paddr address, uint32_t size);

/* Writes modified data of ENTRY, and of the lines inside it if CACHE is inclusive, to the next level; the entry becomes
 * clean, or leaves the cache if it is partly valid. */
void node_write_back(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry);

/* Updates the coherence state of the block of ADDRESS in CPU's member of TIER after lines in it were evicted or
 * cleaned. */
void node_update_state(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address);

/* The same for the tiers outside TIER whose homes inside are not inclusive; at the end of the access for its own block.
 */
void node_update_outer(struct memsys *memsys, const struct tier *tier, unsigned cpu, paddr address);

/* The highest state of any cache entry of MEMBER of TIER inside BLOCK. */
enum entry_state node_highest_state(const struct memsys *memsys, const struct tier *tier, unsigned member, paddr block);

#endif
