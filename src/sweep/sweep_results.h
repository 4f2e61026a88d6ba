/*
 * Results of a list of jobs, read from the work folder (src/sweep/sweep_run.h) and written as one JSON file and as a
 * table. Both depend on the jobs and their results only, not on time, processes or folders.
 */
#ifndef SIMOS_SWEEP_SWEEP_RESULTS_H
#define SIMOS_SWEEP_SWEEP_RESULTS_H

#include "src/sweep/sweep_jobs.h"
#include <stdio.h>

enum sweep_state {
    SWEEP_MISSING, /* not executed yet, or with other inputs */
    SWEEP_FINISHED,
    SWEEP_FAILED, /* simos failed, for the reason */
};

/* "missing", "finished", "failed". */
const char *sweep_state_name(enum sweep_state state);

struct sweep_result {
    enum sweep_state state;
    int status;       /* exit status of the process; 128 + N after signal N */
    char *reason;     /* of a failed or limited job: the signal, the last error of simos; else NULL */
    char *statistics; /* text of the statistics file of a finished job, ending with a newline; else NULL */
};

/* Read the result of each job in WORK to RESULTS[jobs->count]. A result that is damaged or has other inputs counts as
 * missing. Returns false with ERR naming an input that cannot be read. In both cases the caller calls
 * sweep_results_release(). */
bool sweep_results_read(const struct sweep_jobs *jobs, const char *work, struct sweep_result *results, struct err *err);
void sweep_results_release(struct sweep_result *results, unsigned count);

/* Print one JSON object: {"format", "jobs": [{"name", "options": {labels}, "state", "status", "message", "statistics":
 * {...}}, ...]}, in the order of the list. A statistics object is as in the job's own file; null if missing. */
void sweep_results_print(const struct sweep_jobs *jobs, const struct sweep_result *results, FILE *out);
/* Write the same to the file PATH, atomically (src/base/save_file.h). Returns false with ERR. */
bool sweep_results_save(const struct sweep_jobs *jobs, const struct sweep_result *results, const char *path,
                        struct err *err);

/* Print one line per job: name; exit status; simulated seconds of the measured part; instructions, cycles, CPI and MCPI
 * of user and kernel mode; share of idle time. For a failed job: the reason. */
void sweep_results_table(const struct sweep_jobs *jobs, const struct sweep_result *results, FILE *out);

#endif
