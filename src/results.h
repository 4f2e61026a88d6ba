/*
 * The table at the end of a run, for people. Everything in it is also in the statistics file, except the last line:
 * host time, which is in no file because it is never the same twice.
 */
#ifndef SIMOS_RESULTS_H
#define SIMOS_RESULTS_H

#include "src/machine.h"
#include <stdio.h>

/* After machine_run(). SET_UP and HOST: host seconds until the first guest instruction, and from then on. */
void results_print(const struct machine *machine, double set_up, double host, FILE *out);

#endif
