/*
 * mxs's counters in the registry.
 */
#ifndef SIMOS_CPU_MXS_STATISTICS_H
#define SIMOS_CPU_MXS_STATISTICS_H

#include "src/base/log.h"

struct core;
struct stats;

/* What CORE's model_counts, a struct mxs_counts, has, as "cpuN.mxs."; and the pipeline stall of its modes, as
 * "cpuN.mode.M.pipeline.". */
void mxs_counts_register(const struct core *core, struct stats *stats);

/* Every cycle is one of full width or has a cause; the modes have been charged the same pipeline stalls, and at least
 * the same memory stalls (other models have some too). False with ERR: a bug. */
bool mxs_counts_check(const struct core *core, struct err *err);

#endif
