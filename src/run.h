/*
 * `simos run`: build a machine, run the guest in it, print the results.
 */
#ifndef SIMOS_RUN_H
#define SIMOS_RUN_H

#include "src/command_line.h"
#include "src/log.h"

/* Returns the exit status of the process: the guest command's own, EXIT_LIMIT, 128 + signal number, or
 * EXIT_SIMOS_FAILED with ERR set. */
int run_main(const struct command_line *line, struct err *err);

#endif
