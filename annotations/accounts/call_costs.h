/*
 * What calls cost: for each place that calls a routine, the instructions, stall and misses of the routine and of all
 * that it calls. Followed on the stack of each thread, by a cycle watch (cpu/observe/cycle_watch.h).
 *
 * A call is a transfer out of a routine that leaves a return address in it, or one to the first instruction of another
 * (a tail call, whose place is the beginning of the routine that jumped). An exception is a
 * call too, by the instruction that it interrupts, of the code at its vector. A routine ends when one that called it
 * continues, or its thread ends. The first routine of a thread, and one that continues though nothing is known to have
 * called it, are called from nowhere: these calls, together, have all costs.
 *
 * Recursion: while a routine is called again within itself, the calls between the two have no costs; what the inner one
 * calls has, as if the outer one had called it. So at each moment the calls with costs are a path on which each routine
 * is once: what a routine has cost itself and what its calls have cost is what its callers have been charged for it,
 * and never more than everything. A routine that calls itself directly is not seen to.
 *
 * With mxs, where an instruction waits while others execute, a cycle and what was missed in it belong to the routine of
 * the oldest instruction, and a routine that graduates within one cycle is not seen.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNTS_CALL_COSTS_H
#define SIMOS_ANNOTATIONS_ACCOUNTS_CALL_COSTS_H

#include "annotations/symbols/code_locations.h"
#include "cache/classify/classify.h"

struct call_costs;
struct guest_view;

struct call_cost {
    bool is_first;                        /* from nowhere: CALLER and SITE mean nothing */
    struct code_location caller, routine; /* the first instructions of what calls and of what is called */
    struct code_location site;            /* of the call */
    uint64_t calls, insns;
    struct classify_charged charged; /* 0 without caches */
};

/* What a routine has cost itself. */
struct call_own_cost {
    struct code_location routine; /* its first instruction */
    uint64_t insns;
    struct classify_charged charged;
};

/* Follows the calls on all CPUs of VIEW's machine from now on. False with ERR if another cycle watch is attached. VIEW
 * must outlive the costs. */
struct call_costs *call_costs_begin(struct guest_view *view, struct err *err);
void call_costs_end(struct call_costs *costs); /* NULL is ignored */

/* Counts anew; calls that have not returned continue. */
void call_costs_reset(struct call_costs *costs);

/* The calls so far, one for each site and routine in the order in which they were first made, with the costs up to now
 * of those that have not returned. Between runs. The caller frees the result. */
struct call_cost *call_costs_read(struct call_costs *costs, size_t *count);
/* The same costs by the routine that had them itself, in the order in which they were first seen. */
struct call_own_cost *call_costs_read_own(struct call_costs *costs, size_t *count);

#endif
