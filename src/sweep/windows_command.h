/*
 * `simos windows FOLDER`: sampled simulation of a long run (docs/how-to/series.md). Simulates one window in detail from
 * each checkpoint of the series in FOLDER, each in its own process; merges their statistics and estimates those of the
 * whole run.
 */
#ifndef SIMOS_SWEEP_WINDOWS_COMMAND_H
#define SIMOS_SWEEP_WINDOWS_COMMAND_H

#include "src/run/run_options.h"
#include "src/sweep/sweep_batch.h"

struct windows_options {
    const struct run_options *run; /* run->restored: FOLDER; run->out: prefix of the results */
    struct sweep_batch_options batch;
    const char *simpoints; /* FILE.simpoints: the windows to simulate; NULL: all */
    unsigned each;         /* windows of each of its clusters */
    double confidence;     /* of the intervals, per cent */
    int passed_count;      /* words that `restore` gets for each window */
    const char *const *passed;
    run_options_parser *parse; /* of these words */
};

/* Returns the exit status of the process, with ERR as in sweep_batch_main() (src/sweep/sweep_batch.h). */
int windows_main(const struct windows_options *options, struct err *err);

#endif
