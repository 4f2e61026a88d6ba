/*
 * The table at the end of a run, for people. Everything in it is also in the statistics file, except the last line:
 * host time, which is in no file because it is never the same twice.
 */
#ifndef SIMOS_RESULTS_H
#define SIMOS_RESULTS_H

#include "src/machine/machine.h"
#include <stdio.h>

/* How much of it: all; three lines of it; nothing. */
enum results_table { RESULTS_FULL, RESULTS_SHORT, RESULTS_NONE };

/* After machine_run(): at most 80 columns wide. SET_UP and HOST: host seconds until the first guest instruction, and
 * from then on. */
void results_print(const struct machine *machine, enum results_table table, double set_up, double host, FILE *out);

#endif
