/*
 * Lines that come to and leave the caches of one CPU, and what keeps its levels consistent. Private to cache/.
 */
#ifndef SIMOS_CACHE_NODE_H
#define SIMOS_CACHE_NODE_H

#include "cache/engine.h"

/* Why lines leave, whose doing it is, and whether modified data are worth anything. */
struct departure {
    enum memsys_leave why;
    unsigned by_cpu;
    bool dropped;
};

/* ENTRY of CPU's CACHE leaves: with the lines inside it if CACHE is inclusive; modified data go to the next level. */
void node_evict(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                const struct departure *departure);

/* LINE comes into CACHE with STATE; a victim is evicted if the set that the addresses select is full. PARENT, or
 * NO_ENTRY, is the entry of the next level that it came from. The entry. */
uint32_t node_fill(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address, vaddr virtual_address,
                   enum entry_state state, uint32_t parent);

/* The same for the last of two levels that includes the first (memsys->may_short_cut) while nobody is to be told. */
uint32_t node_fill_quietly(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                           enum entry_state state);

/* The same while nobody but the classification is to be told; it is, of what leaves and of the fill, at TIME. */
uint32_t node_fill_classified(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                              enum entry_state state, cycles time);

/* The first level loses what it has of ENTRY in such a CACHE. */
void node_remove_inner_quietly(struct array *cache, uint32_t entry);

/* Everything inside UNIT leaves all caches of CPU; its state becomes I. */
void node_remove(struct memsys *memsys, unsigned cpu, paddr unit, const struct departure *departure);

/* Everything inside UNIT, modified by CPU, becomes clean: the data go where the caller says. The state is the caller's.
 */
void node_clean(struct memsys *memsys, unsigned cpu, paddr unit);

/* CPU stores to CACHE's ENTRY: it is dirty, and so are the lines around it in inclusive outer levels. */
void node_mark_dirty(struct array *cache, uint32_t entry);

/* ENTRY's modified data, and those inside it if CACHE is inclusive, go to the next level; it becomes clean. */
void node_write_back(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry);

/* Lines of CPU inside UNIT left or became clean: does its state still say what the caches hold? */
void node_settle(struct memsys *memsys, unsigned cpu, paddr address);

/* The most that any cache of CPU holds inside UNIT. */
enum entry_state node_holds(const struct memsys *memsys, unsigned cpu, paddr unit);

#endif
