/*
 * What of mxs is saved in a checkpoint, so that a restored machine goes on to the cycle: counts; and of each processor
 * what is in flight, where fetch is, the predictors, the lines on their way.
 *
 * What can be had from the rest is not saved, but made anew: decoded instructions from memory, the lists of those that
 * wait for results, who writes which register last, the load/store queue. So a file cannot make these disagree. What an
 * entry does not use is saved as 0: it depends on what was in its place before.
 */
#ifndef SIMOS_CPU_MXS_SAVED_H
#define SIMOS_CPU_MXS_SAVED_H

#include "src/base/saved.h"

struct core;

/* Of CORE, whatever its model is now. */
void mxs_counts_save(const struct core *core, struct saved_out *out);
bool mxs_counts_load(struct core *core, struct saved_in *in, struct err *err);

/* Of MODEL, a struct mxs that is not in the middle of a run. */
void mxs_state_save(void *model, struct saved_out *out);
/* Into one that has not run. False with ERR: not what mxs_state_save() writes, or it makes no sense. */
bool mxs_state_load(void *model, struct saved_in *in, struct err *err);
/* Memory and processor have been loaded too. False with ERR: it does not fit them. */
bool mxs_state_after_load(void *model, struct err *err);

#endif
