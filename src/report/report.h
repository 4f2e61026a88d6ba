/*
 * `simos report`: a table of several runs side by side, one column per statistics file (--stats) or per finished job
 * of a sweep's results.
 */
#ifndef SIMOS_REPORT_REPORT_H
#define SIMOS_REPORT_REPORT_H

#include "src/base/log.h"
#include "src/results/result_files.h"
#include <stdio.h>

/* The options of `simos report`. */
struct report_options {
    bool compare;      /* two files: what differs */
    const char *svg;   /* folder of the figures; NULL: none */
    const char *html;  /* file of the page (src/page/page.h); NULL: none */
    const char *mcpat; /* file of McPAT's input (src/report/mcpat.h); NULL: none */
    bool (*save_page)(const struct result_files *report, const char *path, struct err *err); /* writes it */
    const char *services; /* tables of services, as "text" or "json"; NULL: no */
    int file_count;
    const char *const *files;
};

/* Print the table: machine configurations; times, and speedups relative to the first column; then the rows of `simos
 * run` for user, kernel, both, idle and total. Rows that are 0 in all columns are omitted. */
void report_print(const struct result_files *report, FILE *out);

/* The program version that wrote a file; format as in struct results. */
struct report_writer {
    const char *title, *simos;
};

/* Print one line for each program version that wrote any of the COUNT files, and the titles of those files unless it
 * wrote all. Files without a version are skipped. */
void report_print_writers(const struct report_writer *writers, unsigned count, FILE *out);

/* The label of the row KEY: the one of `simos run` if it has one. */
void report_label(const char *key, char *label, size_t size);

/* Draw FOLDER/report.svg: one bar per column, with execution, stalls and idle time in simulated seconds, summed over
 * the CPUs. Returns false with ERR. */
bool report_draw(const struct result_files *report, const char *folder, struct err *err);

/* Execute `simos report`. Returns the exit status of the process: 0; EXIT_SIMOS_FAILED with ERR; with --compare 1 if
 * the files differ. */
int report_main(const struct report_options *options, struct err *err);

#endif
