/*
 * What differs between the services of two files of statistics: which of them took more or fewer cycles, and which
 * class of which service's misses has moved (SOSP'95 tables 4.8 and 5.4).
 */
#ifndef SIMOS_REPORT_COMPARE_SERVICES_H
#define SIMOS_REPORT_COMPARE_SERVICES_H

#include <jansson.h>
#include <stdio.h>

/* Of the statistics OLD_ROOT and NEW_ROOT: nothing if one of them has no services, or they do not differ in these. */
void report_compare_services(const json_t *old_root, const json_t *new_root, FILE *out);

#endif
