/*
 * `simos trace FILE`: writes a trace in the format of another program (trace_export.h), filtered by the parameters
 * trace.*.
 */
#ifndef SIMOS_TRACE_TRACE_COMMAND_H
#define SIMOS_TRACE_TRACE_COMMAND_H

#include "src/base/progress.h"
#include "src/command/command.h"
#include <stddef.h>
#include <stdint.h>

struct trace_reader;

/* Draw the progress line for READER after COUNT references. */
void trace_draw(struct progress *progress, const struct trace_reader *reader, uint64_t count);

#endif
