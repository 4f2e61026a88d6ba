/*
 * The page-table walker beside the window. One walk is in progress at a time, as in real walkers: a load, a store or a
 * fetch that finds no entry of the TLB starts it where it executes or is fetched, on whatever path that is. What
 * overlaps: all other instructions go on to be fetched, issued and graduated meanwhile, and the walk's loads are
 * non-blocking accesses that share MSHRs, caches and bus with theirs, each after the one before it (a walker has its
 * own port to the data cache). What does not: a second walk waits for the first; the TLB is written only when the
 * instruction is the oldest one in the window, so that squashed instructions leave no trace in it, and all models write
 * the same entries in the same order. A load or store then executes in the window like any other, with those younger
 * ones that wait for the same walk; an instruction whose fetch was walked for executes at the head. Instructions of
 * which the new entry replaces the page are fetched again.
 */
#ifndef SIMOS_CPU_MXS_WALK_H
#define SIMOS_CPU_MXS_WALK_H

#include "cpu/mxs/walk_state.h"

/* Make the load of the walk that is due at NOW. */
void mxs_walk_go_on(struct mxs *m, cycles now);

/* The oldest entry E executes at the head. MXS_WALK_NONE: it may; the loads of its walk, if any, have been charged.
 * MXS_WALK_WAITS: not before the walk has ended. MXS_WALK_FILLED: the TLB has the entry now, and E is ready to issue.
 */
enum mxs_walk_result { MXS_WALK_NONE, MXS_WALK_WAITS, MXS_WALK_FILLED };
enum mxs_walk_result mxs_walk_head(struct mxs *m, struct mxs_entry *e, cycles now);

/* The walker makes LOAD for the instruction that executes at the head (cpu_model_ops.walk_load). */
void mxs_walk_load(struct mxs *m, const struct page_walk_load *load);
/* ... or waits for DURATION (cpu_model_ops.walk_wait). */
void mxs_walk_wait(struct mxs *m, cycles duration);

#endif
