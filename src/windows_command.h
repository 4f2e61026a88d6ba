/*
 * `simos windows FOLDER`: sampled simulation of a long run (docs/series.md). Simulates one window in detail from each
 * checkpoint of the series in FOLDER, each in its own process; merges their statistics and estimates those of the
 * whole run.
 */
#ifndef SIMOS_WINDOWS_COMMAND_H
#define SIMOS_WINDOWS_COMMAND_H

#include "src/command_line.h"

/* Execute `simos windows` with the options of LINE. Returns the exit status of the process, with ERR as in
 * sweep_batch_main() (src/sweep_batch.h). */
int windows_main(const struct command_line *line, struct err *err);

#endif
