/*
 * The core's cycle watch (cpu/observe/cycle_watch.h): which instruction a cycle of mxs belongs to.
 */
#ifndef SIMOS_CPU_MXS_WATCH_H
#define SIMOS_CPU_MXS_WATCH_H

#include "cpu/mxs/mxs.h"

/* The core has a watch. The instructions from FIRST on have graduated, fewer than the full width; what the rest of the
 * cycle was lost for has not been charged yet. */
void mxs_watch_instructions(struct mxs *m, vaddr first);
/* A cycle, or several in which nothing happens, has been charged. FULL: to the instructions from FIRST on, which
 * graduated; otherwise to the oldest one. */
void mxs_watch_cycle(struct mxs *m, bool full, vaddr first);

#endif
