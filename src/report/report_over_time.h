/*
 * Execution over time of runs that had --over-time, as in figures 4.1 and 5.1 of SOSP'95: user and kernel, executing
 * and stalled, spin locks if services were told apart, idle.
 */
#ifndef SIMOS_REPORT_OVER_TIME_H
#define SIMOS_REPORT_OVER_TIME_H

#include "src/report/report.h"

/* A table a column that has intervals: their shares in per cent, and the same as a bar. Many intervals are joined. */
void report_over_time_print(const struct report *report, FILE *out);

/* FOLDER/over-time-TITLE.svg of each of them. gnuplot is installed. */
bool report_over_time_draw(const struct report *report, const char *folder, struct err *err);

#endif
