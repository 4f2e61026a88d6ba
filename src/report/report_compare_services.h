/*
 * Comparison of the kernel services in two statistics files: services whose calls, cycles or instructions differ, and
 * miss classes by service that differ (SOSP'95 tables 4.8 and 5.4).
 */
#ifndef SIMOS_REPORT_REPORT_COMPARE_SERVICES_H
#define SIMOS_REPORT_REPORT_COMPARE_SERVICES_H

#include "src/results/results.h"
#include <stdio.h>

/* Print the differences between the services of BEFORE and AFTER to OUT. Prints nothing if either has none, or they are
 * equal. */
void report_compare_services(const struct results *before, const struct results *after, FILE *out);

#endif
