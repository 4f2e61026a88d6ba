/*
 * Many caches in one pass: all numbers of sets (N, 2N, 4N ... between two limits) with each of some associativities, of
 * a write-back, write-allocate cache with true LRU replacement and one line size, for one stream of references. The set
 * of a line is its number modulo the number of sets.
 *
 * A set of a cache with LRU replacement is a stack of lines by recency: with w ways it holds the upper w lines, for any
 * w (Mattson, Gecsei, Slutz, Traiger, IBM Systems Journal 1970). Caches with different numbers of sets form a forest: a
 * line that is the MRU line of its set is the MRU line of its set in every finer division, too, so that a reference to
 * it hits in all those caches and changes no state (Hill and Smith, IEEE Transactions on Computers 1989, "forest
 * simulation"). An invalidated line leaves a hole, which the next line that would move past it fills (Thompson and
 * Smith, ACM TOCS 1989). A modified line is written back by each cache that evicts it, at a different time for each
 * size (same source).
 *
 * Every count equals that of a cache of that size alone with the same stream. The evicting context is that of SOSP'95
 * section 4.4.1.
 *
 * Not modelled: time, other policies, effects between levels (a sweep of complete memory systems models both:
 * cache/observe/sweep_points.c).
 */
#ifndef SIMOS_CACHE_OBSERVE_SWEEP_STACK_H
#define SIMOS_CACHE_OBSERVE_SWEEP_STACK_H

#include "cache/memsys.h"
#include "cache/observe/sweep_counts.h"

/* LINE is a power of two from 8 to 4096, and so is SETS_MAX / SETS_MIN, to 2^15. At most 64 caches. */
struct sweep_stack_shape {
    uint32_t line; /* bytes */
    uint32_t sets_min, sets_max;
    uint64_t ways; /* bit N: associativity N; 1 to SWEEP_STACK_WAYS_MAX */
};
enum { SWEEP_STACK_WAYS_MAX = 63 };

/* Whether SHAPE is within these limits. */
bool sweep_stack_fits(const struct sweep_stack_shape *shape);

/* The context of a reference. */
struct sweep_context {
    enum mode mode;
    uint16_t process; /* below 65000; used in MODE_USER only */
};

struct sweep_stack;

/* Out of memory aborts, here and in all functions below. */
struct sweep_stack *sweep_stack_create(const struct sweep_stack_shape *shape);
void sweep_stack_free(struct sweep_stack *stack);

/* Processes a reference of OWNER to the line of ADDRESS. Returns the fast-path permission for the line: the references
 * that hit in all caches without changing their state. */
enum memsys_permission sweep_stack_refer(struct sweep_stack *stack, struct sweep_context owner,
                                         enum memsys_access access, paddr address);

/* PERMISSION has been set to the result of sweep_stack_refer() for ADDRESS, the line of the latest reference. The stack
 * clears it when the permission ends. */
void sweep_stack_add_permission(struct sweep_stack *stack, paddr address, uint8_t *permission);

/* Removes the line of ADDRESS from all caches; CAUSE is the cause of its next miss. If KEEP, caches in which it is
 * modified write it back. */
void sweep_stack_invalidate(struct sweep_stack *stack, paddr address, enum sweep_cause cause, bool keep);
/* Removes every line of the set that ADDRESS selects in each cache. Modified lines are written back. */
void sweep_stack_index_invalidate(struct sweep_stack *stack, paddr address);
/* Caches in which the line of ADDRESS is modified write it back and keep it. */
void sweep_stack_clean(struct sweep_stack *stack, paddr address);
/* The level above writes the line of ADDRESS back: it becomes modified in the caches that hold it. Not a use. */
void sweep_stack_write_back(struct sweep_stack *stack, paddr address);
/* Empties all caches without write-backs. The next miss of a line that was referenced before is not cold. */
void sweep_stack_flush(struct sweep_stack *stack);

/* Resets the counts; the cache contents do not change. */
void sweep_stack_reset(struct sweep_stack *stack);

/* The counts of one of the caches. SETS and WAYS must be in the shape (otherwise a bug: aborts). */
const struct sweep_counts *sweep_stack_counts(const struct sweep_stack *stack, uint32_t sets, uint32_t ways);

#endif
