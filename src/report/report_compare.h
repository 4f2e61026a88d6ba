/*
 * Comparison of two statistics files: simulated time and accounts first, then all values that differ, in order of
 * decreasing relative change.
 */
#ifndef SIMOS_REPORT_REPORT_COMPARE_H
#define SIMOS_REPORT_REPORT_COMPARE_H

#include "src/base/log.h"
#include <stdio.h>

/* Print the differences between the files OLD_PATH and NEW_PATH to OUT, and set *DIFFERS. Returns false with ERR if one
 * cannot be read or is no statistics file. */
bool report_compare(const char *old_path, const char *new_path, bool *differs, FILE *out, struct err *err);

#endif
