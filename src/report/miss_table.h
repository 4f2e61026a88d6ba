/*
 * Table of miss classes (cache/classify/classify.h): a row for each cache, kind and mode with misses, summed over all
 * CPUs.
 */
#ifndef SIMOS_REPORT_MISS_TABLE_H
#define SIMOS_REPORT_MISS_TABLE_H

#include "src/machine/machine.h"
#include <stdio.h>

/* Print the table; nothing if cache.classify is off. */
void miss_table_print(const struct machine *machine, FILE *out);

#endif
