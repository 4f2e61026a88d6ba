/*
 * The table at the end of a run. All of it is also in the statistics file, except the last line: host time, which
 * differs in every run.
 */
#ifndef SIMOS_REPORT_RESULTS_H
#define SIMOS_REPORT_RESULTS_H

#include "src/machine/machine.h"
#include <stdio.h>

/* The whole table, a summary of three lines, or nothing. */
enum results_table { RESULTS_FULL, RESULTS_SHORT, RESULTS_NONE };

/* Print the table, at most 80 columns wide, after machine_run(). SET_UP: host seconds until the first guest
 * instruction; HOST: host seconds from then on. */
void results_print(const struct machine *machine, enum results_table table, double set_up, double host, FILE *out);

#endif
