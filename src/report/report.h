/*
 * `simos report`: the accounts of several runs side by side, from their files of statistics (--stats) or from the
 * results of a sweep, whose finished jobs are a column each.
 */
#ifndef SIMOS_REPORT_H
#define SIMOS_REPORT_H

#include "src/base/log.h"
#include "src/report/report_column.h"
#include <stdio.h>

enum { REPORT_COLUMNS_MAX = 256 };

/* The "format" of a file that holds the results of a sweep. */
#define REPORT_SWEEP_FORMAT "simos sweep 1"

/* The options of `simos report`. */
struct report_options {
    bool compare;         /* two files: what differs */
    const char *svg;      /* folder of the figures; NULL: none */
    const char *services; /* tables of services, as "text" or "json"; NULL: no */
    int file_count;
    const char *const *files;
};

struct report {
    unsigned count;
    struct report_column *columns[REPORT_COLUMNS_MAX]; /* owned */
};

/* Read COUNT files. False with ERR naming the file and what is wrong. Either way report_release(). */
bool report_read(struct report *report, const char *const *paths, int count, struct err *err);
void report_release(struct report *report);

/* What a file's column is called: PATH without folders, ".json" and ".stats". */
void report_title(char *title, size_t size, const char *path);

/* The table: what the machines were, times and speed-ups relative to the first column, then the rows that `simos run`
 * prints, for user, kernel, both, idle, and all. Rows that are 0 everywhere are left out. */
void report_print(const struct report *report, FILE *out);

/* Who wrote a file, as report_column has it. */
struct report_writer {
    const char *title, *simos;
};

/* A line for each program that wrote one of COUNT files: which they are, unless it wrote all of them. Nothing of files
 * that do not say. */
void report_print_writers(const struct report_writer *writers, unsigned count, FILE *out);

/* How the row KEY is called: as `simos run` calls it, if that has a name for it. */
void report_label(const char *key, char *label, size_t size);

/* Call VISIT with the key of every row of any column that begins with PREFIX, once each, in the order of the files. */
void report_visit_rows(const struct report *report, const char *prefix, void (*visit)(void *opaque, const char *key),
                       void *opaque);

/* A figure of where the time went, FOLDER/report.svg: a bar a column, of execution, stalls and idle time, in simulated
 * seconds of all CPUs. gnuplot is installed. */
bool report_draw(const struct report *report, const char *folder, struct err *err);

/* Returns the exit status of the process: 0; EXIT_SIMOS_FAILED with ERR; of --compare 1 if anything differs. */
int report_main(const struct report_options *options, struct err *err);

#endif
