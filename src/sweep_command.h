/*
 * `simos sweep`: simulates several memory systems at once on the reference stream of one run or trace; or executes a
 * parameter sweep of many runs from checkpoints.
 */
#ifndef SIMOS_SWEEP_COMMAND_H
#define SIMOS_SWEEP_COMMAND_H

#include "src/command_line.h"

/* Returns the exit status of the process: for one run as run_main(); for many runs as sweep_batch_main(); for a trace
 * 0, or EXIT_SIMOS_FAILED with ERR. */
int sweep_main(struct command_line *line, struct err *err);

#endif
