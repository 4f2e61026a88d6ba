/*
 * `simos windows FOLDER`: windows of a long run, one from each checkpoint of the series in FOLDER, each simulated in
 * detail by a process of its own; what they come to together, and what follows for the whole run
 * (docs/how-to/series.md).
 */
#ifndef SIMOS_WINDOWS_COMMAND_H
#define SIMOS_WINDOWS_COMMAND_H

#include "src/command_line.h"

/* As LINE says. Returns the exit status of the process, with ERR as in sweep_batch_main() (src/sweep_batch.h). */
int windows_main(const struct command_line *line, struct err *err);

#endif
