/*
 * `simos sweep`: a run of the guest, or a trace, under several memory systems at once; or many runs from checkpoints.
 */
#ifndef SIMOS_SWEEP_COMMAND_H
#define SIMOS_SWEEP_COMMAND_H

#include "src/cli/command_line.h"

/* Returns the exit status of the process: of a run as run_main(); of many runs as
 * sweep_batch_main(); of a trace 0, or EXIT_SIMOS_FAILED with ERR set. */
int sweep_main(struct command_line *line, struct err *err);

#endif
