/*
 * The noise floor of the rows of a test: the smallest change that a number of repetitions can tell from none. Of two
 * sides it is half the interval of their change; of one, that of the change which its own repetitions would show if
 * half of the pairs' values were another side's: each repetition is compared with the next one, whose seed is another.
 */
#ifndef SIMOS_REGRESS_REGRESS_FLOOR_H
#define SIMOS_REGRESS_REGRESS_FLOOR_H

#include "src/regress/regress_run.h"
#include <stdio.h>

/* Print the floor of each row with COUNT (at least 2) repetitions of NEW, and of OLD unless it is NULL; also with the
 * test's first number of repetitions, and how many its limit takes. LEVEL: of each interval (0 to 1). */
void regress_floor_print(const struct regress_run *run, const struct regress_side *old, const struct regress_side *new,
                         unsigned count, double level, FILE *out);

/* The floor, per cent, of COUNT repetitions with the values OLD and NEW; OLD may be NULL. NaN if there is none. */
double regress_floor_of(const uint64_t *old, const uint64_t *new, unsigned count, double level);
/* FLOOR of COUNT repetitions, as it is with WANTED (at least 2) ones that vary as much. */
double regress_floor_with(double floor, unsigned count, unsigned wanted, double level);

#endif
