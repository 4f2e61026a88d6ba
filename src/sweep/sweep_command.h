/*
 * `simos sweep`: simulates several memory systems at once on the reference stream of one run or trace; or executes a
 * parameter sweep of many runs from checkpoints.
 */
#ifndef SIMOS_SWEEP_SWEEP_COMMAND_H
#define SIMOS_SWEEP_SWEEP_COMMAND_H

#include "src/run/run_options.h"

/* Simulate the memory systems of RUN's series on the references of one run, or of the file TRACE (NULL: of a run).
 * Returns the exit status of the process: of a run as run_main(); of a trace 0, or EXIT_SIMOS_FAILED with ERR set. */
int sweep_series(struct run_options *run, const char *trace, struct err *err);

#endif
