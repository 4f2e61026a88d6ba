/*
 * Combination of the windows of one run (src/run/window.h): the sums of their counts, and estimates for the whole run.
 * Both follow the order of the windows and depend on nothing else.
 */
#ifndef SIMOS_SWEEP_WINDOW_MERGE_H
#define SIMOS_SWEEP_WINDOW_MERGE_H

#include "src/base/json_file.h"
#include <stdio.h>

struct simpoints;

/* Merge the statistics of COUNT (at least one) WINDOWS into one object of the same structure: counts are summed, ratios
 * (CPI, IPC) are recomputed from the sums, strings are kept if equal in all windows, everything else is null. Of
 * `annotations` the sums are those of window_merge_annotations(); the table `evictions` is left out. Its
 * member `window` describes the windows: `warmup` is the longest, `warmup_least` the shortest if it differs. Returns a
 * new reference; NULL with ERR naming the window (from NAMES) and the member that do not match. */
json_t *window_merge(json_t *const *windows, const char *const *names, size_t count, struct err *err);

/* Merge the `annotations` of COUNT windows, of which some may be NULL: numbers are summed over the windows that have
 * them; of the arrays the locks, by what identifies them, without their longest holds and their holders; the other
 * arrays, and `begun`, are left out. Returns a new reference. */
json_t *window_merge_annotations(json_t *const *annotations, size_t count);

/* Estimate means with confidence intervals (src/results/sampling.h). The result has an object for each mode and for
 * `total`: `cpi` (cycles without `wait`, per instruction of the mode), `stall_share` (memory stall per cycle without
 * `wait`, both of the mode), and `insns`, `execute`, `wait` and each `stall`,
 * per instruction of the whole window. CONFIDENCE: 0 to 1. SIMPOINTS, with the stratum of each window in STRATUM_OF,
 * weights the windows (NULL: all alike); `strata` then has the clusters. Returns a new reference; NULL with ERR if
 * WINDOWS are no statistics. */
json_t *window_sample(json_t *const *windows, size_t count, const struct simpoints *simpoints,
                      const unsigned *stratum_of, double confidence, struct err *err);

/* Print SAMPLE, the estimates for the windows of MERGED, as a table. */
void window_print_sample(const json_t *merged, const json_t *sample, FILE *out);

/* Write VALUE in the JSON style of src/base/stats.h. */
void window_write_json(const json_t *value, FILE *out);

#endif
