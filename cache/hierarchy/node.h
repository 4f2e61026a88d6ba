/* Fills, evictions and invalidations in the caches of one CPU, and consistency between its levels. Private to cache/.
 */
#ifndef SIMOS_CACHE_NODE_H
#define SIMOS_CACHE_NODE_H

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

/* Fills the line of REQUEST into CACHE with STATE; evicts a victim if the set that it selects is full. If
 * CACHE has an assist cache the line goes there. PARENT is the entry of the next level that contains the line, or
 * NO_ENTRY. Returns the entry filled. */
uint32_t node_fill(struct memsys *memsys, unsigned cpu, struct array *cache, const struct memsys_request *request,
                   enum entry_state state, uint32_t parent);

/* node_fill() for an inclusive second level, the last (memsys->may_refill_fast), when there are no observers to notify.
 */
uint32_t node_fill_unobserved(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                              enum entry_state state);

/* node_fill_unobserved() when the classification is the only observer: reports the evictions and, at TIME, the fill to
 * it.
 */
uint32_t node_fill_classified(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                              enum entry_state state, cycles time);

/* Back-invalidates the first-level lines inside ENTRY of such a CACHE. */
void node_back_invalidate_unobserved(struct array *cache, uint32_t entry);

/* Invalidates all lines inside BLOCK in all caches of CPU. Its state of BLOCK becomes I. */
void node_invalidate(struct memsys *memsys, unsigned cpu, paddr block, const struct removal *removal);

/* Makes all modified lines of CPU inside BLOCK clean; those that are partly valid leave their caches. The caller
 * accounts for the data and updates the directory. */
void node_clean(struct memsys *memsys, unsigned cpu, paddr block);

/* CPU stores to ENTRY of CACHE: marks it dirty, and the lines that contain it in inclusive outer levels. */
void node_mark_dirty(struct array *cache, uint32_t entry);

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

/* Four adjacent cache entries, to compare at once. node_words is used for values, node_words_in_memory, aligned to one
 * word, for loads: with a single type for both, passed by value, gcc 14 for arm64 fails with an internal error. */
typedef uint32_t node_words __attribute__((vector_size(16)));
typedef node_words node_words_in_memory __attribute__((aligned(4), may_alias));
enum { NODE_WORDS = sizeof(node_words) / sizeof(uint32_t), NODE_SIXTEEN = 4 * NODE_WORDS };

/* Compares the four entries from WORD with the region of SIZE bytes (a power of two) at START. The result has bit FIRST
 * set for a match of the first entry, FIRST << 1 for the second and so on. An entry with a line in the region is
 * between START + 1 and START + SIZE - 1. For the last region of the address space empty entries match, too. */
static ALWAYS_INLINE node_words node_find_words(const uint32_t *word, paddr start, uint32_t size, uint32_t first)
{
    return (node_words)(((*(const node_words_in_memory *)word - (start + 1)) & ~(size - 1)) == 0) &
           (node_words){first, first << 1, first << 2, first << 3};
}

/* The same for sixteen entries; the bits are spread over the four words of the result. */
static ALWAYS_INLINE node_words node_find_sixteen(const uint32_t *word, paddr start, uint32_t size, uint32_t first)
{
    return node_find_words(word, start, size, first) |
           node_find_words(word + NODE_WORDS, start, size, first << NODE_WORDS) |
           node_find_words(word + 2 * NODE_WORDS, start, size, first << 2 * NODE_WORDS) |
           node_find_words(word + 3 * NODE_WORDS, start, size, first << 3 * NODE_WORDS);
}

/* The union of the four words of BITS. */
static ALWAYS_INLINE uint32_t node_all_bits(node_words bits)
{
    const uint64_t *halves = (const uint64_t *)(const void *)&bits, both = halves[0] | halves[1];
    return (uint32_t)(both | both >> 32);
}

#endif
