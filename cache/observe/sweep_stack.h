/*
 * Many caches in one pass: all numbers of sets (powers of two between two limits) and all associativities (1, 2, 4 ...)
 * of a write-back, write-allocate cache with true LRU replacement and one line size, under one stream of references.
 *
 * A set of a cache with LRU replacement is a stack of lines by recency: with w ways it holds the upper w of them, for
 * any w (Mattson, Gecsei, Slutz, Traiger, IBM Systems Journal 1970). Caches of different numbers of sets form a forest,
 * in which a line that is the most recent of its set stays so in every finer division: such a reference is a hit
 * everywhere and changes nothing (Hill and Smith, IEEE Transactions on Computers 1989, "forest simulation"). A line
 * that is invalidated leaves a hole, which the next line that would have gone past it fills (Thompson and Smith, ACM
 * TOCS 1989); a modified line is written back by the caches that push it out, of each size at its own time (the same).
 *
 * What is exact: every count equals that of a cache of that size alone under the same stream. Who evicted a line:
 * SOSP'95 section 4.4.1.
 *
 * Not modelled: time, other policies, what one level does to another (a sweep of whole memory systems does both:
 * cache/sweep_points.h).
 */
#ifndef SIMOS_CACHE_SWEEP_STACK_H
#define SIMOS_CACHE_SWEEP_STACK_H

#include "cache/memsys.h"
#include "cache/observe/sweep_counts.h"

/* All are powers of two. SETS_MAX / SETS_MIN is at most 2^15, WAYS_MAX at most 8, LINE 8 to 4096 bytes. */
struct sweep_stack_shape {
    uint32_t line; /* bytes */
    uint32_t sets_min, sets_max;
    uint32_t ways_max;
};

/* Who refers. */
struct sweep_owner {
    enum mode mode;
    uint16_t process; /* below 65000; of no meaning unless mode is MODE_USER */
};

struct sweep_stack;

/* Out of memory aborts, as in all functions here. */
struct sweep_stack *sweep_stack_create(const struct sweep_stack_shape *shape);
void sweep_stack_free(struct sweep_stack *stack);

/* OWNER refers to the line of ADDRESS. Returns what of the next references to that line need not be told, because they
 * hit in all caches and change nothing. */
enum memsys_quick sweep_stack_refer(struct sweep_stack *stack, struct sweep_owner owner, enum memsys_access access,
                                    paddr address);

/* QUICK has been set to what sweep_stack_refer() returned for ADDRESS, the last line referred to: it is cleared when
 * that stops being true. */
void sweep_stack_grant(struct sweep_stack *stack, paddr address, uint8_t *quick);

/* The line of ADDRESS is taken out of all caches, which will be the CAUSE of the next miss of it; its data are written
 * back where it is modified if KEEP. */
void sweep_stack_invalidate(struct sweep_stack *stack, paddr address, enum sweep_cause cause, bool keep);
/* Every line of the set that ADDRESS selects is taken out, in each cache of its own set; modified ones are written
 * back.
 */
void sweep_stack_index_invalidate(struct sweep_stack *stack, paddr address);
/* The line of ADDRESS is written back where it is modified, and stays. */
void sweep_stack_clean(struct sweep_stack *stack, paddr address);
/* Somebody writes the line of ADDRESS back to the caches that have it: modified there, and not used by that. */
void sweep_stack_write_back(struct sweep_stack *stack, paddr address);
/* Everything is taken out and nothing written back. What has been referred to is not cold for that. */
void sweep_stack_flush(struct sweep_stack *stack);

/* Begin to count anew; what the caches hold does not change. */
void sweep_stack_reset(struct sweep_stack *stack);

/* The counts of one of the caches. SETS and WAYS are among those of the shape (else a bug, aborts). */
const struct sweep_counts *sweep_stack_counts(const struct sweep_stack *stack, uint32_t sets, uint32_t ways);

#endif
