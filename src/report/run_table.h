/*
 * The table at the end of a run. All of it is also in the statistics file, except the last line: host time, which
 * differs in every run.
 */
#ifndef SIMOS_REPORT_RUN_TABLE_H
#define SIMOS_REPORT_RUN_TABLE_H

#include "src/machine/machine.h"
#include <stdio.h>

/* The whole table, a summary of three lines, or nothing. */
enum run_table { RUN_TABLE_FULL, RUN_TABLE_SHORT, RUN_TABLE_NONE };

/* Print the table, at most 80 columns wide, after machine_run(). SET_UP: host seconds until the first guest
 * instruction; HOST: host seconds from then on. */
void run_table_print(const struct machine *machine, enum run_table table, double set_up, double host, FILE *out);

#endif
