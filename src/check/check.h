/*
 * `simos check`: JSON files that simos has written, against their schemas and sum rules (docs/schema/, which is built
 * in; docs/reference/schema.md). The Python package evaluates the same files.
 */
#ifndef SIMOS_CHECK_CHECK_H
#define SIMOS_CHECK_CHECK_H

#include "src/base/log.h"
#include <stdio.h>

/* Check the COUNT files FILES, which may be hostile, and print to OUT a line for each file and for each place of one
 * that is not as it should be. Returns 0, CHECK_BROKEN if there is such a place, or EXIT_SIMOS_FAILED with ERR for a
 * file that cannot be read, is no JSON, or none that simos writes. */
int check_main(const char *const *files, int count, FILE *out, struct err *err);
enum { CHECK_BROKEN = 1 };

/* An embedded file of docs/schema/: its name without the last suffix, and its text. The array ends with {0}. */
struct check_schema {
    const char *name, *text;
};
extern const struct check_schema check_schemas[];

#endif
