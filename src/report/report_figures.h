/*
 * The figures of a report that SOSP'95 has: 4.3 (execution time), 4.4 (stall an instruction), 4.5 (stall that a
 * dynamically scheduled processor hides), and kernel time by service, with which table 4.8 begins.
 */
#ifndef SIMOS_REPORT_FIGURES_H
#define SIMOS_REPORT_FIGURES_H

#include "src/report/report.h"

/* Draw into FOLDER those for which the columns have what they need. gnuplot is installed. */
bool report_figures_draw(const struct report *report, const char *folder, struct err *err);

/* Stall hidden (figure 4.5) as text: nothing if no column of mxs has one of an in-order model with the same machine
 * beside it. */
void report_hidden_print(const struct report *report, FILE *out);

#endif
