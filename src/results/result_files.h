/*
 * The results of several runs, from statistics files and from the results of sweeps. Files are not trusted.
 */
#ifndef SIMOS_RESULTS_RESULT_FILES_H
#define SIMOS_RESULTS_RESULT_FILES_H

#include "src/base/log.h"
#include "src/results/results.h"

enum { RESULT_FILES_MAX = 256 };

/* The "format" of a file that holds the results of a sweep. */
#define SWEEP_RESULTS_FORMAT "simos sweep 1"

struct result_files {
    unsigned count;
    struct results *columns[RESULT_FILES_MAX]; /* one for each statistics file, and for each finished job; owned */
};

/* Read COUNT files. Returns false with ERR naming the file and the error. In both cases the caller calls
 * result_files_release(). */
bool result_files_read(struct result_files *files, const char *const *paths, int count, struct err *err);
void result_files_release(struct result_files *files);

/* The title of a file: PATH without folders, ".json" and ".stats". */
void result_title(char *title, size_t size, const char *path);
/* The title of file INDEX of the COUNT PATHS: as result_title(), with as many of its folders as tell it from others. */
void result_title_among(char *title, size_t size, const char *const *paths, int count, int index);

/* Call VISIT once for each row key of any column that begins with PREFIX, in the order of the files. */
void result_files_visit_rows(const struct result_files *files, const char *prefix,
                             void (*visit)(void *opaque, const char *key), void *opaque);

#endif
