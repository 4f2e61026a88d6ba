/*
 * Execution over time of runs with --over-time, as in SOSP'95 figures 4.1 and 5.1: user and kernel, executing and
 * stalled; spin locks if services were distinguished; idle.
 */
#ifndef SIMOS_REPORT_REPORT_OVER_TIME_H
#define SIMOS_REPORT_REPORT_OVER_TIME_H

#include "src/chart/chart.h"
#include "src/report/report.h"
#include "src/results/intervals.h"

/* A chart of a column's intervals: the shares of user and kernel, executing and stalled, of spin locks if they were
 * accounted, and of idle time. */
struct report_time_chart {
    struct chart_shares shares;
    struct chart_part part[INTERVAL_PARTS];
    double *end, *share; /* owned */
    uint64_t *insns;     /* owned */
};
/* The chart of COLUMN with the heading TITLE, which must outlive it; without intervals if the file has no series. */
struct report_time_chart *report_time_chart_create(const struct results *column, const char *title);
void report_time_chart_free(struct report_time_chart *chart);

/* Print a table for each column that has intervals: shares in per cent, as numbers and as a bar. Adjacent intervals are
 * combined if there are too many. */
void report_over_time_print(const struct result_files *report, FILE *out);

/* Draw FOLDER/over-time-TITLE.svg for each of these columns. Returns false with ERR. */
bool report_over_time_draw(const struct result_files *report, const char *folder, struct err *err);

#endif
