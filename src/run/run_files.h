/*
 * The files that a run names in its options and parameters, and the results of many runs, for the check of named files
 * (src/host/named_files.h).
 */
#ifndef SIMOS_RUN_RUN_FILES_H
#define SIMOS_RUN_RUN_FILES_H

#include "src/host/named_files.h"
#include "src/run/run_options.h"

/* Add the files that RUN, or PARAMS alone, names. OWNER: prefix for messages ("node a: ", or ""). */
void named_files_add_run(struct named_files *files, const char *owner, const struct run_options *run);
/* The same for a run in a process of its own, which locks its outputs itself. */
void named_files_add_job(struct named_files *files, const char *owner, const struct run_options *run);
void named_files_add_params(struct named_files *files, const char *owner, const struct params *params);

/* Add the result files of a sweep, with PREFIX. */
enum named_results {
    NAMED_RESULTS_SERIES,  /* of one run with series of caches (--over) */
    NAMED_RESULTS_JOBS,    /* of several runs */
    NAMED_RESULTS_WINDOWS, /* of the windows of a series */
};
void named_files_add_results(struct named_files *files, const char *prefix, enum named_results results);
/* Add the series of checkpoints that are read from FOLDER. */
void named_files_add_series(struct named_files *files, const char *folder);

/* Add the files of RUN to a new list, and check it (named_files_check()). NULL with ERR. */
struct named_files *named_files_take_run(const struct run_options *run, struct err *err);

#endif
