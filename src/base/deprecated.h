/*
 * Names that are deprecated: they work as before and go with the next MAJOR version (docs/reference/compatibility.md).
 * A row of the table is all that there is of it: the line of the help, and the warning of who uses the name.
 */
#ifndef SIMOS_BASE_DEPRECATED_H
#define SIMOS_BASE_DEPRECATED_H

#include <stdbool.h>
#include <stddef.h>

enum deprecated_kind { DEPRECATED_COMMAND, DEPRECATED_OPTION, DEPRECATED_PARAMETER };

struct deprecated {
    enum deprecated_kind kind;
    const char *name;    /* as in the table of its kind: an option without "--" */
    const char *instead; /* what takes its place, as a user writes it: "--new", "cache.l1.size" */
};

/* All of them; the last row has no name. In a file of its own, so that a test has its own rows. */
extern const struct deprecated deprecated_names[];

/* The row of NAME; NULL: it is not deprecated. */
const struct deprecated *deprecated_find(enum deprecated_kind kind, const char *name);

/* HELP of NAME as it is shown, in BUFFER: if the name is deprecated, with "deprecated: use --new; " before it. Returns
 * BUFFER. */
const char *deprecated_help(enum deprecated_kind kind, const char *name, const char *help, char *buffer, size_t size);

/* Warn that ROW is used: one line, on stderr unless QUIET, and to the program that started this one (error_lines.h).
 * The caller does so once a run. */
void deprecated_warn(const struct deprecated *row, bool quiet);

#endif
