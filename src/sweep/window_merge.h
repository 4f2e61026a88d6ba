/*
 * What windows of one run (src/run/window.h) come to together: the sums of their counts, and estimates for the whole run.
 * Both are in the order of the windows, and depend on nothing else.
 */
#ifndef SIMOS_WINDOW_MERGE_H
#define SIMOS_WINDOW_MERGE_H

#include "src/base/json_file.h"
#include <stdio.h>

/* One object of the form of the WINDOWS' statistics (COUNT of them, at least one): counts are summed up, cycles an
 * instruction are formed anew, texts stay if all windows agree; all else is null. `window` says what they are. A new
 * reference; NULL with ERR naming what does not fit together, by NAMES. */
json_t *window_merge(json_t *const *windows, const char *const *names, size_t count, struct err *err);

/* Means with their confidence intervals (src/sweep/sampling.h), an object: for each mode and for their `total`, `cpi` (cycles
 * without `wait`, to the instructions of the mode) and `insns`, `execute`, `wait` and each `stall`, to all instructions
 * of the window. A new reference; NULL with ERR if WINDOWS are no statistics. */
json_t *window_sample(json_t *const *windows, size_t count, double confidence, struct err *err);

/* The same as a table for people: SAMPLE of MERGED. */
void window_print_sample(const json_t *merged, const json_t *sample, FILE *out);

/* VALUE as src/base/stats.h writes JSON. */
void window_write_json(const json_t *value, FILE *out);

#endif
