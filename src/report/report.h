/*
 * `simos report`: a table of several runs side by side, one column per statistics file (--stats) or per finished job
 * of a sweep's results.
 */
#ifndef SIMOS_REPORT_REPORT_H
#define SIMOS_REPORT_REPORT_H

#include "src/base/log.h"
#include "src/report/report_column.h"
#include <stdio.h>

enum { REPORT_COLUMNS_MAX = 256 };

/* The "format" of a file that holds the results of a sweep. */
#define REPORT_SWEEP_FORMAT "simos sweep 1"

struct report;

/* The options of `simos report`. */
struct report_options {
    bool compare;      /* two files: what differs */
    const char *svg;   /* folder of the figures; NULL: none */
    const char *html;  /* file of the page (src/page/page.h); NULL: none */
    const char *mcpat; /* file of McPAT's input (src/report/mcpat.h); NULL: none */
    bool (*save_page)(const struct report *report, const char *path, struct err *err); /* writes it */
    const char *services; /* tables of services, as "text" or "json"; NULL: no */
    int file_count;
    const char *const *files;
};

struct report {
    unsigned count;
    struct report_column *columns[REPORT_COLUMNS_MAX]; /* owned */
};

/* Read COUNT files. Returns false with ERR naming the file and the error. In both cases the caller calls
 * report_release(). */
bool report_read(struct report *report, const char *const *paths, int count, struct err *err);
void report_release(struct report *report);

/* The title of a file's column: PATH without folders, ".json" and ".stats". */
void report_title(char *title, size_t size, const char *path);
/* The title of file INDEX of the COUNT PATHS: as report_title(), with as many of its folders as tell it from others. */
void report_title_among(char *title, size_t size, const char *const *paths, int count, int index);

/* Print the table: machine configurations; times, and speedups relative to the first column; then the rows of `simos
 * run` for user, kernel, both, idle and total. Rows that are 0 in all columns are omitted. */
void report_print(const struct report *report, FILE *out);

/* The program version that wrote a file; format as in struct report_column. */
struct report_writer {
    const char *title, *simos;
};

/* Print one line for each program version that wrote any of the COUNT files, and the titles of those files unless it
 * wrote all. Files without a version are skipped. */
void report_print_writers(const struct report_writer *writers, unsigned count, FILE *out);

/* The label of the row KEY: the one of `simos run` if it has one. */
void report_label(const char *key, char *label, size_t size);

/* Call VISIT once for each row key of any column that begins with PREFIX, in the order of the files. */
void report_visit_rows(const struct report *report, const char *prefix, void (*visit)(void *opaque, const char *key),
                       void *opaque);

/* Draw FOLDER/report.svg: one bar per column, with execution, stalls and idle time in simulated seconds, summed over
 * the CPUs. Requires gnuplot. Returns false with ERR. */
bool report_draw(const struct report *report, const char *folder, struct err *err);

/* Execute `simos report`. Returns the exit status of the process: 0; EXIT_SIMOS_FAILED with ERR; with --compare 1 if
 * the files differ. */
int report_main(const struct report_options *options, struct err *err);

#endif
