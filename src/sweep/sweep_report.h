/*
 * The results of a study: tables, exact counts for other programs, and figures of the form of SOSP'95's 4.6, 4.7
 * and 5.3.
 */
#ifndef SIMOS_SWEEP_REPORT_H
#define SIMOS_SWEEP_REPORT_H

#include "src/observe/sweep_study.h"
#include <stdio.h>

/* Tables of all series, in misses per 100 instructions (user and kernel; by class: of the kernel, per 100 of its
 * instructions). Idle time is in neither. */
void sweep_report_tables(const struct sweep_study *study, FILE *out);

/* Every count that is not 0, a line each, tab-separated, with a line of headings. */
void sweep_report_counts(const struct sweep_study *study, FILE *out);

/* Of a table: the height of one part of the bar of a cache of a point, in misses per 100 instructions. */
enum sweep_form {
    SWEEP_BY_EVICTOR, /* figures 4.6, 4.7: mode and who had evicted the line */
    SWEEP_BY_CLASS,   /* figure 5.3: the kernel's cold, capacity, coherence misses and upgrades */
    SWEEP_FORMS
};
enum { SWEEP_PARTS_MAX = 8 };
/* Names of the parts; how many. */
unsigned sweep_report_parts(enum sweep_form form, const char *names[SWEEP_PARTS_MAX]);
double sweep_report_part(const struct sweep_study *study, enum sweep_form form, const struct sweep_counts *counts,
                         unsigned part);

/* Write PREFIX.txt (tables), PREFIX.tsv (counts) and, if gnuplot is installed, a figure PREFIX-NAME.svg for each series
 * (on several CPUs also PREFIX-NAME-kernel.svg, by class). Without gnuplot a line on stderr says that there are no
 * figures. False with ERR naming the file that cannot be written. */
bool sweep_report_save(const struct sweep_study *study, const char *prefix, struct err *err);

#endif
