/*
 * Results of a cache sweep: tables, exact counts for other programs, and figures in the form of SOSP'95 figures 4.6,
 * 4.7 and 5.3.
 */
#ifndef SIMOS_SWEEP_SWEEP_REPORT_H
#define SIMOS_SWEEP_SWEEP_REPORT_H

#include "src/observe/sweep_study.h"
#include <stdio.h>

/* Print the tables of all series, in misses per 100 instructions (user and kernel; in tables by class: kernel misses
 * per 100 kernel instructions). Idle time is excluded. */
void sweep_report_tables(const struct sweep_study *study, FILE *out);

/* Print all non-zero counts, one per line, tab-separated, after a line of headings. */
void sweep_report_counts(const struct sweep_study *study, FILE *out);

/* The tables. Their values are the heights of the parts of stacked bars, in misses per 100 instructions. */
enum sweep_table {
    SWEEP_BY_EVICTOR, /* figures 4.6, 4.7: by mode, and by the mode that evicted the line */
    SWEEP_BY_CLASS,   /* figure 5.3: the kernel's cold, capacity and coherence misses, and upgrades */
    SWEEP_TABLES
};
enum { SWEEP_PARTS_MAX = 8 };
/* Store the names of the parts in NAMES; returns their number. */
unsigned sweep_report_parts(enum sweep_table form, const char *names[SWEEP_PARTS_MAX]);
double sweep_report_value(const struct sweep_study *study, enum sweep_table form, const struct sweep_counts *counts,
                          unsigned part);

/* Write PREFIX.txt (tables), PREFIX.tsv (counts) and a figure PREFIX-NAME.svg for each series; PREFIX-NAME-curve.svg of
 * one whose points are three numbers or more; on several CPUs also PREFIX-NAME-kernel.svg, by class. Returns false with
 * ERR naming the file that cannot be written. */
bool sweep_report_save(const struct sweep_study *study, const char *prefix, struct err *err);

#endif
