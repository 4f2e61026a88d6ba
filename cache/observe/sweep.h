/*
 * A sweep simulates several memory systems ("points", each given by its parameters) with the reference stream of one
 * run or trace, in one pass. The counts of a point equal those of its memory system with that stream. A sweep does not
 * model the effect of a point on the stream: its stalls would shift interrupts and the interleaving of CPUs.
 *
 * Two methods:
 *   stack    the caches of one level of all points at once, by LRU stacks (cache/observe/sweep_stack.h): split first
 * levels or unified second levels. For one CPU, LRU, write-back, without back-invalidation of the first level. Counts
 * that level only points   a complete memory system for each point, with shared fast-path permission bytes: any
 * parameters
 */
#ifndef SIMOS_CACHE_OBSERVE_SWEEP_H
#define SIMOS_CACHE_OBSERVE_SWEEP_H

#include "cache/reference.h"
#include "cache/observe/sweep_counts.h"

/* The parameters sweep.*. */
extern const struct param_def sweep_param_defs[];
extern const size_t sweep_param_count;

/* The source of the stream. */
struct sweep_source {
    unsigned cpus;
    uint64_t clock_hz;
    /* Line sizes of the source's first-level caches, bytes: the granularity of references and of fast-path permission
     * bytes. No point may have shorter first-level lines. */
    uint32_t insn_line, data_line;
    bool has_spaces; /* references have their address space; a trace does not record it */
};

enum sweep_method { SWEEP_AUTO, SWEEP_STACK, SWEEP_POINTS };

struct sweep;

/* Creates COUNT points with the memory systems that PARAMS describe (the cache.*, memory.* ... rows of
 * memsys_param_defs; copied). SWEEP_AUTO selects the stack method if it is exact for all. Returns NULL with ERR naming
 * the parameter that is invalid. */
struct sweep *sweep_create(const struct sweep_source *source, enum sweep_method method,
                           const struct params *const *params, unsigned count, struct err *err);
void sweep_free(struct sweep *sweep);

/* The method in use: SWEEP_STACK or SWEEP_POINTS. */
enum sweep_method sweep_method(const struct sweep *sweep);

/* Processes the next reference, of level 1. PERMISSION is the fast-path permission byte of an access's line: the sweep
 * lowers it to the accesses that it need not receive, and again whenever that changes, until it is freed. NULL: the
 * sweep receives every access. */
void sweep_refer(struct sweep *sweep, const struct reference *reference, uint8_t *permission);

/* Resets the counts; the cache contents do not change. */
void sweep_reset(struct sweep *sweep);

/* One cache of a point, summed over all CPUs. */
struct sweep_cache {
    const char *name; /* "l1i" */
    uint32_t size, line, ways;
    struct sweep_counts counts;
};
/* Result of cache number CACHE, from 0; false if the point has fewer. */
bool sweep_cache(const struct sweep *sweep, unsigned point, unsigned cache, struct sweep_cache *result);

#endif
