/*
 * The classes of misses (cache/classify/classify.h) as a table for people: a row for each cache, kind and mode that missed,
 * summed over all CPUs.
 */
#ifndef SIMOS_MISS_TABLE_H
#define SIMOS_MISS_TABLE_H

#include "src/machine/machine.h"
#include <stdio.h>

/* Nothing if cache.classify is off. */
void miss_table_print(const struct machine *machine, FILE *out);

#endif
