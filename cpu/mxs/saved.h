/*
 * mxs in checkpoints. A restored machine continues identically to the cycle: the counts and, for each processor, the
 * instructions in flight, the state of fetch, the predictors and the lines in flight are saved.
 *
 * Derived state is not saved but rebuilt: decoded instructions (from memory), lists of waiting consumers, the rename
 * table, the load/store queue; so a file cannot make these inconsistent. Unused fields of entries are saved as 0,
 * because their contents depend on earlier entries of the slot.
 */
#ifndef SIMOS_CPU_MXS_SAVED_H
#define SIMOS_CPU_MXS_SAVED_H

#include "src/base/saved.h"

struct core;

/* The counts of CORE, whatever its present model, with another SQUASHED instructions. */
void mxs_counts_save(struct core *core, uint64_t squashed, struct saved_out *out);
bool mxs_counts_load(struct core *core, struct saved_in *in, struct err *err);

/* Save MODEL, a struct mxs that is not in the middle of a run. */
void mxs_state_save(void *model, struct saved_out *out);
/* Load into a model that has not run. False with ERR: not in the format of mxs_state_save(), or out of range. */
bool mxs_state_load(void *model, struct saved_in *in, struct err *err);
/* Rebuild derived state, after memory and processor have been loaded. False with ERR: the state is inconsistent with
 * them. */
bool mxs_state_after_load(void *model, struct err *err);

#endif
