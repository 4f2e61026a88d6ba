/*
 * `simos sweep`: simulates several memory systems at once on the reference stream of one run or trace; or executes a
 * parameter sweep of many runs from checkpoints.
 */
#ifndef SIMOS_SWEEP_SWEEP_COMMAND_H
#define SIMOS_SWEEP_SWEEP_COMMAND_H

#include "src/run/run_options.h"
#include "src/sweep/sweep_batch.h"

struct sweep_options {
    struct run_options *run;
    const char *trace;     /* the trace to read; NULL: a run */
    const char *jobs_file; /* FILE.tcl; NULL: one run, or a trace, under several caches */
    struct sweep_batch_options batch;
    run_options_parser *parse; /* of the words of a job of FILE.tcl */
};

/* Returns the exit status of the process: of a run as run_main(); of many runs as sweep_batch_main(); of a trace 0, or
 * EXIT_SIMOS_FAILED with ERR set. */
int sweep_main(const struct sweep_options *options, struct err *err);

#endif
