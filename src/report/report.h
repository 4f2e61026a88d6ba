/*
 * Of `simos report`: a table of several runs side by side, one column per statistics file (--stats) or per finished job
 * of a sweep's results.
 */
#ifndef SIMOS_REPORT_REPORT_H
#define SIMOS_REPORT_REPORT_H

#include "src/base/log.h"
#include "src/results/result_files.h"
#include <stdio.h>

/* Print the table: machine configurations; times, and speedups relative to the first column; then the rows of `simos
 * run` for user, kernel, both, idle and total. Rows that are 0 in all columns are omitted. */
void report_print(const struct result_files *report, FILE *out);

/* The program version that wrote a file; format as in struct results. */
struct report_writer {
    const char *title, *simos;
};

/* Print one line for each program version that wrote any of the COUNT files, and the titles of those files unless it
 * wrote all. Files without a version are skipped. */
void report_print_writers(const struct report_writer *writers, unsigned count, FILE *out);

/* The label of the row KEY: the one of `simos run` if it has one. */
void report_label(const char *key, char *label, size_t size);

/* Draw FOLDER/report.svg: one bar per column, with execution, stalls and idle time in simulated seconds, summed over
 * the CPUs. Returns false with ERR. */
bool report_draw(const struct result_files *report, const char *folder, struct err *err);

#endif
