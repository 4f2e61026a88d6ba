/*
 * mxs's counters in the registry.
 */
#ifndef SIMOS_CPU_MXS_STATISTICS_H
#define SIMOS_CPU_MXS_STATISTICS_H

struct stats;

/* COUNTS, a struct mxs_counts, as "cpuN.mxs." of CPU. */
void mxs_counts_register(const void *counts, unsigned cpu, struct stats *stats);

#endif
