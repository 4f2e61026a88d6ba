/*
 * Comparison of the kernel services in two statistics files: services whose calls, cycles or instructions differ, and
 * miss classes by service that differ (SOSP'95 tables 4.8 and 5.4).
 */
#ifndef SIMOS_REPORT_REPORT_COMPARE_SERVICES_H
#define SIMOS_REPORT_REPORT_COMPARE_SERVICES_H

#include <jansson.h>
#include <stdio.h>

/* Print the differences between the statistics OLD_ROOT and NEW_ROOT to OUT. Prints nothing if either has no services,
 * or they are equal. */
void report_compare_services(const json_t *old_root, const json_t *new_root, FILE *out);

#endif
