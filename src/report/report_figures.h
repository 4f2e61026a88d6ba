/*
 * Figures of SOSP'95 for the columns of a report: 4.3 (execution time), 4.4 (memory stall cycles per instruction),
 * 4.5 (stall hidden by dynamic scheduling), and kernel time by service (first columns of table 4.8).
 */
#ifndef SIMOS_REPORT_REPORT_FIGURES_H
#define SIMOS_REPORT_REPORT_FIGURES_H

#include "src/report/report.h"

/* Draw the figures for which the columns have data into FOLDER. Returns false with ERR. */
bool report_figures_draw(const struct result_files *report, const char *folder, struct err *err);

/* Print the hidden stall (figure 4.5) as text. Prints nothing unless a column of mxs has a matching column of an
 * in-order model of the same machine. */
void report_hidden_print(const struct result_files *report, FILE *out);

#endif
