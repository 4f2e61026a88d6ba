/*
 * `simos trace FILE`: prints a binary trace as din text on stdout, filtered by the parameters trace.*.
 */
#ifndef SIMOS_SWEEP_TRACE_COMMAND_H
#define SIMOS_SWEEP_TRACE_COMMAND_H

#include "src/base/log.h"
#include "src/base/params.h"
#include "src/base/progress.h"
#include <stdint.h>

struct trace_reader;

/* Draw the progress line for READER after COUNT references. */
void trace_draw(struct progress *progress, const struct trace_reader *reader, uint64_t count);

/* Returns the exit status of the process: 0, or EXIT_SIMOS_FAILED with ERR. */
int trace_main(const char *path, const struct params *params, struct err *err);

#endif
