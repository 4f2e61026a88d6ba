/*
 * What differs between two files of statistics: first simulated time and the accounts, then every counter, the one that
 * moved most first.
 */
#ifndef SIMOS_REPORT_COMPARE_H
#define SIMOS_REPORT_COMPARE_H

#include "src/base/log.h"
#include <stdio.h>

/* Print what differs between the files OLD_PATH and NEW_PATH, and set DIFFERS. False with ERR if one cannot be read or
 * is none. */
bool report_compare(const char *old_path, const char *new_path, bool *differs, FILE *out, struct err *err);

#endif
