/*
 * `simos report --services`: SOSP'95 tables 4.2 and 5.2 (event rates), 4.8 (services on one processor, of several
 * machines) and 5.4 (on several processors, beside one) from files of statistics.
 */
#ifndef SIMOS_REPORT_SERVICE_TABLES_H
#define SIMOS_REPORT_SERVICE_TABLES_H

#include "src/report/report_services.h"

struct service_tables {
    unsigned count;
    struct service_file *file; /* [count], owned */
};

/* Read COUNT files. False with ERR naming the file and what is wrong. Either way service_tables_release(). */
bool service_tables_read(struct service_tables *tables, const char *const *paths, int count, struct err *err);
void service_tables_release(struct service_tables *tables);

/* As text: rates of all; services of those with one processor side by side; services of each of the others, beside the
 * first of those with one. Services with less than 1 % of the kernel's time everywhere are one row; then services by
 * process, of each. */
void service_tables_print(const struct service_tables *tables, FILE *out);
/* As JSON: every figure of every service of every file (struct service_figures), null where nothing can be said; and
 * the figures of services by process. */
void service_tables_write_json(const struct service_tables *tables, FILE *out);

#endif
