/*
 * A sweep: several memory systems ("points", each given by its parameters) under the one stream of references of a run
 * or of a trace, in one pass. Every point's counts are exactly those of its memory system under that stream. What the
 * sweep cannot know is how another memory system would have changed the stream: its stalls would move interrupts and
 * the order of what several CPUs do.
 *
 * Two methods:
 *   stack    all points' first-level caches at once, as stacks of lines by recency (cache/observe/sweep_stack.h): for one CPU
 *            whose first level is split, LRU, write-back and not told what lower levels lose. First level only
 *   points   a whole memory system a point, beside each other, behind the same quick-check bytes: anything
 */
#ifndef SIMOS_CACHE_SWEEP_H
#define SIMOS_CACHE_SWEEP_H

#include "cache/reference.h"
#include "cache/observe/sweep_counts.h"

/* The parameters sweep.*. */
extern const struct param_def sweep_param_defs[];
extern const size_t sweep_param_count;

/* Where the stream comes from. */
struct sweep_source {
    unsigned cpus;
    uint64_t clock_hz;
    /* What one reference, and one quick-check byte, stands for, in bytes: the lines of the source's first-level caches.
     * No point's first-level lines may be shorter. */
    uint32_t insn_line, data_line;
};

enum sweep_method { SWEEP_AUTO, SWEEP_STACK, SWEEP_POINTS };

struct sweep;

/* COUNT points, whose memory systems PARAMS describe (the cache.*, memory.* ... rows of memsys_param_defs; copied).
 * SWEEP_AUTO takes the stack if it is exact for all. NULL with ERR naming the parameter that does not fit. */
struct sweep *sweep_create(const struct sweep_source *source, enum sweep_method method,
                           const struct params *const *params, unsigned count, struct err *err);
void sweep_free(struct sweep *sweep);

/* SWEEP_STACK or SWEEP_POINTS. */
enum sweep_method sweep_method(const struct sweep *sweep);

/* The next reference, of level 1. *QUICK, the byte of an access's line, is lowered to what need not be told, and
 * lowered again whenever that changes, until the sweep is freed. NULL: everything is told. */
void sweep_refer(struct sweep *sweep, const struct reference *reference, uint8_t *quick);

/* Begin to count anew; what the caches hold does not change. */
void sweep_reset(struct sweep *sweep);

/* One of a point's caches, all CPUs together. */
struct sweep_cache {
    const char *name; /* "l1i" */
    uint32_t size, line, ways;
    struct sweep_counts counts;
};
/* CACHE from 0 on; false if the point has no more. */
bool sweep_cache(const struct sweep *sweep, unsigned point, unsigned cache, struct sweep_cache *result);

#endif
