/*
 * Lines that come to and leave the caches of one CPU, and what keeps its levels consistent. Private to cache/.
 */
#ifndef SIMOS_CACHE_NODE_H
#define SIMOS_CACHE_NODE_H

#include "cache/state/engine.h"

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

/* Entries' words that lie side by side, compared four at a time. One type as a value, one for where they lie, which is
 * aligned to a word only: with one for both, passed by value, gcc 14 for arm64 ends in an internal error. */
typedef uint32_t node_words __attribute__((vector_size(16)));
typedef node_words node_words_in_memory __attribute__((aligned(4), may_alias));
enum { NODE_WORDS = sizeof(node_words) / sizeof(uint32_t), NODE_SIXTEEN = 4 * NODE_WORDS };

/* Of the four words from WORD on those of lines of the SIZE bytes (a power of two) from START, as the bits FIRST,
 * FIRST << 1 ...: a word of the region is START + 1 to START + SIZE - 1. Of the last region of all, empty ones too. */
static ALWAYS_INLINE node_words node_find_words(const uint32_t *word, paddr start, uint32_t size, uint32_t first)
{
    return (node_words)(((*(const node_words_in_memory *)word - (start + 1)) & ~(size - 1)) == 0) &
           (node_words){first, first << 1, first << 2, first << 3};
}

/* The same of sixteen words; their bits are spread over the result. */
static ALWAYS_INLINE node_words node_find_sixteen(const uint32_t *word, paddr start, uint32_t size, uint32_t first)
{
    return node_find_words(word, start, size, first) |
           node_find_words(word + NODE_WORDS, start, size, first << NODE_WORDS) |
           node_find_words(word + 2 * NODE_WORDS, start, size, first << 2 * NODE_WORDS) |
           node_find_words(word + 3 * NODE_WORDS, start, size, first << 3 * NODE_WORDS);
}

/* All bits of BITS in one word. */
static ALWAYS_INLINE uint32_t node_all_bits(node_words bits)
{
    const uint64_t *halves = (const uint64_t *)(const void *)&bits, both = halves[0] | halves[1];
    return (uint32_t)(both | both >> 32);
}

#endif
