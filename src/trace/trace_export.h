/*
 * Formats of other programs for traces: `simos trace --format NAME` (docs/how-to/trace.md). A format is one of
 * those below; the command opens the files and reads the trace.
 */
#ifndef SIMOS_TRACE_TRACE_EXPORT_H
#define SIMOS_TRACE_TRACE_EXPORT_H

#include "cache/observe/trace.h"
#include <stdio.h>

struct trace_export {
    const char *name;
    const char *suffix; /* of the files of --out; NULL: the name */
    bool each_cpu;      /* a file for each CPU; otherwise one for all, which is out[0] */
    /* What the format needs and the trace does not have, for a message; NULL: nothing. */
    const char *(*lacks)(const struct trace_info *info);
    void *(*create)(const struct trace_info *info); /* NULL: the format has no state */
    void (*destroy)(void *state);
    /* Write REFERENCE, the next one of the trace, to OUT by number of the CPU. False on a write error. */
    bool (*put)(void *state, const struct reference *reference, FILE *const *out);
    bool (*end)(void *state, FILE *const *out); /* write what PUT has held back; NULL: nothing */
};

/* Dinero III: cache/observe/trace.h */
extern const struct trace_export trace_din, trace_references, trace_champsim, trace_drmemtrace, trace_drmemtrace_system,
    trace_ramulator, trace_ramulator_cpu, trace_ramulator2, trace_dramsim3, trace_dramsys;

/* The format NAME; NULL if there is none. */
const struct trace_export *trace_export_find(const char *name);

/* "din|champsim|...": for messages and completions. */
#define TRACE_FORMATS                                                                                                  \
    "din|champsim|drmemtrace|drmemtrace-system|ramulator|ramulator-cpu|ramulator2|dramsim3|dramsys|references"

#endif
