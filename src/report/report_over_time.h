/*
 * Execution over time of runs with --over-time, as in SOSP'95 figures 4.1 and 5.1: user and kernel, executing and
 * stalled; spin locks if services were distinguished; idle.
 */
#ifndef SIMOS_REPORT_REPORT_OVER_TIME_H
#define SIMOS_REPORT_REPORT_OVER_TIME_H

#include "src/report/report.h"

/* The parts of an interval's time, in the order in which they are drawn. */
enum { REPORT_TIME_PARTS = 6 };
const char *report_time_part(unsigned part);

/* An interval; cycles summed over all CPUs. */
struct report_interval {
    uint64_t end;
    uint64_t part[REPORT_TIME_PARTS];
};

struct report_intervals {
    uint64_t begin;
    size_t count;
    struct report_interval *row; /* owned by the caller */
    bool has_sync;               /* spin locks were accounted */
};

/* The intervals of COLUMN; none if the file has no series. */
struct report_intervals report_over_time_intervals(const struct report_column *column);

/* Print a table for each column that has intervals: shares in per cent, as numbers and as a bar. Adjacent intervals are
 * combined if there are too many. */
void report_over_time_print(const struct report *report, FILE *out);

/* Draw FOLDER/over-time-TITLE.svg for each of these columns. Requires gnuplot. Returns false with ERR. */
bool report_over_time_draw(const struct report *report, const char *folder, struct err *err);

#endif
