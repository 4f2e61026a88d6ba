/*
 * `simos report --services`: SOSP'95 tables 4.2 and 5.2 (event rates), 4.8 (services on uniprocessors) and 5.4
 * (services on multiprocessors, compared with a uniprocessor), from statistics files.
 */
#ifndef SIMOS_REPORT_REPORT_SERVICE_TABLES_H
#define SIMOS_REPORT_REPORT_SERVICE_TABLES_H

#include "src/results/services.h"

struct service_tables {
    unsigned count;
    struct service_file *file; /* [count], owned */
};

/* Read COUNT files. Returns false with ERR naming the file and the error. In both cases the caller calls
 * service_tables_release(). */
bool service_tables_read(struct service_tables *tables, const char *const *paths, int count, struct err *err);
void service_tables_release(struct service_tables *tables);

/* Print the tables: event rates of all files; services of the uniprocessors side by side; services of each
 * multiprocessor, compared with the first uniprocessor. Services with less than 1 % of the kernel's time in all files
 * are combined in one row. Then services by process, for each file. */
void service_tables_print(const struct service_tables *tables, FILE *out);
/* Write JSON: all values of struct service_figures, null if undefined; and the values of services by process. */
void service_tables_write_json(const struct service_tables *tables, FILE *out);

#endif
