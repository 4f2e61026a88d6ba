/*
 * `simos trace FILE`: writes a trace in the format of another program (trace_export.h), filtered by the parameters
 * trace.*.
 */
#ifndef SIMOS_TRACE_TRACE_COMMAND_H
#define SIMOS_TRACE_TRACE_COMMAND_H

#include "src/base/log.h"
#include "src/base/params.h"
#include "src/base/progress.h"
#include <stddef.h>
#include <stdint.h>

struct trace_reader;
struct trace_export;

struct trace_options {
    const char *file;
    const struct trace_export *format; /* NULL: din */
    const char *out;                   /* prefix of the files to write; NULL: stdout */
};

/* Draw the progress line for READER after COUNT references. */
void trace_draw(struct progress *progress, const struct trace_reader *reader, uint64_t count);

/* The file that OPTIONS, with `out`, write for CPU: "PREFIX.champsim.0", or "PREFIX.din" where all CPUs share one.
 * False if CPU has none. */
bool trace_output_path(const struct trace_options *options, unsigned cpu, char *path, size_t size);

/* Returns the exit status of the process: 0, or EXIT_SIMOS_FAILED with ERR. */
int trace_main(const struct trace_options *options, const struct params *params, struct err *err);

#endif
