/*
 * Execution over time of runs with --over-time, as in SOSP'95 figures 4.1 and 5.1: user and kernel, executing and
 * stalled; spin locks if services were distinguished; idle.
 */
#ifndef SIMOS_REPORT_REPORT_OVER_TIME_H
#define SIMOS_REPORT_REPORT_OVER_TIME_H

#include "src/report/report.h"
#include "src/results/intervals.h"

/* The name of a part of an interval. */
const char *report_time_part(enum interval_part part);

/* Print a table for each column that has intervals: shares in per cent, as numbers and as a bar. Adjacent intervals are
 * combined if there are too many. */
void report_over_time_print(const struct result_files *report, FILE *out);

/* Draw FOLDER/over-time-TITLE.svg for each of these columns. Requires gnuplot. Returns false with ERR. */
bool report_over_time_draw(const struct result_files *report, const char *folder, struct err *err);

#endif
