/*
 * Registration of mxs's counts as statistics.
 */
#ifndef SIMOS_CPU_MXS_STATISTICS_H
#define SIMOS_CPU_MXS_STATISTICS_H

#include "src/base/log.h"

struct core;
struct stats;

/* Register CORE's model_counts, a struct mxs_counts, under "cpuN.mxs.", and the pipeline stalls of its modes under
 * "cpuN.mode.M.pipeline.". */
void mxs_counts_register(const struct core *core, struct stats *stats);

/* Check that every cycle is either of full width or has a cause, that the modes have been charged the same pipeline
 * stalls, and at least the same memory stalls (other models also charge these). False with ERR: a bug. */
bool mxs_counts_check(const struct core *core, struct err *err);

#endif
