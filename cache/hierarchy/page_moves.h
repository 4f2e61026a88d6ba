/*
 * Migration and replication of pages between NUMA nodes, as an operating system would do it (Verghese, Devine, Gupta
 * and Rosenblum, "Operating system support for improving data locality on CC-NUMA compute servers", ASPLOS 1996): a
 * page that a node often asks for from afar moves to that node, or, if others read it too and nobody writes it, is
 * copied there. The guest's kernel does not take part: the model moves the homes of its pages and charges the time.
 *
 * A page moves into another frame, so that the caches lose its lines. What follows a move in a cache is a miss of a
 * line never held before. Private to cache/hierarchy.
 */
#ifndef SIMOS_CACHE_HIERARCHY_PAGE_MOVES_H
#define SIMOS_CACHE_HIERARCHY_PAGE_MOVES_H

#include "cache/state/engine.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

/* What GEOMETRY says; NULL: pages stay. */
struct page_moves *page_moves_create(const struct geometry *g, uint64_t clock_hz);
void page_moves_free(struct page_moves *moves);
void page_moves_register_stats(struct page_moves *moves, struct stats *stats);
void page_moves_register_saved(struct page_moves *moves, struct saved *saved);
void page_moves_describe(const struct page_moves *moves, FILE *out);

/* Has NODE a copy of the page of ADDRESS, which has its home elsewhere? */
bool page_moves_has_copy(const struct page_moves *moves, unsigned node, paddr address);

/* PAGE (a number) has no home any more, and so no copies and no misses. */
void page_moves_forget(struct page_moves *moves, uint32_t page);

/* CPU requested ADDRESS, whose home is HOME, from memory or other caches. */
void page_moves_requested(struct numa *numa, unsigned cpu, unsigned home, paddr address);

/* numa_access() of a memory system that moves pages: performs the access. A store to a page that was copied ends the
 * copies before it; a page that CPU has now asked for often enough moves after it. Their time is STALL_PAGE_MOVE. */
cycles page_moves_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* CPU is about to store to ADDRESS; a device has written SIZE bytes from there on. The copies of the pages end. Returns
 * what that takes. */
cycles page_moves_before_store(struct memsys *memsys, unsigned cpu, paddr address);
void page_moves_device_wrote(struct memsys *memsys, paddr address, uint32_t size);

/* Checks that no cache has modified a page that was copied. */
bool page_moves_check(const struct memsys *memsys, struct err *err);

#endif
