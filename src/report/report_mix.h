/*
 * The instruction mix (src/results/mix.h) as a table.
 */
#ifndef SIMOS_REPORT_REPORT_MIX_H
#define SIMOS_REPORT_REPORT_MIX_H

#include "src/results/mix.h"
#include <stdio.h>

/* Print the instructions of each row and the share of each group in per cent; TITLE names the file. Services and states
 * with less than 1 % of the instructions are omitted. Nothing without rows. */
void mix_table_print(const struct mix_table *table, const char *title, FILE *out);

#endif
