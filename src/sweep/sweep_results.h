/*
 * What came out of a list of jobs: read from the work folder (src/sweep/sweep_run.h), written as one file, for people as a
 * table. Both depend on the jobs and their results alone: not on time, processes or folders.
 */
#ifndef SIMOS_SWEEP_RESULTS_H
#define SIMOS_SWEEP_RESULTS_H

#include "src/sweep/sweep_jobs.h"
#include <stdio.h>


enum sweep_state {
    SWEEP_MISSING, /* not done yet, or with other inputs */
    SWEEP_FINISHED,
    SWEEP_FAILED, /* simos could not do it; the last line says why */
};

/* "missing", "finished", "failed". */
const char *sweep_state_name(enum sweep_state state);

struct sweep_result {
    enum sweep_state state;
    int status;       /* exit status of the process; 128 + a signal's number */
    char *last_line;  /* that it said on stderr, if it failed or ended with a status other than 0; else NULL */
    char *statistics; /* of a finished one: the text of its statistics file, with a newline at the end; else NULL */
};

/* Of each job in WORK, to RESULTS[jobs->count]. False with ERR naming an input that cannot be read; what is there for a
 * job but is not its result (damaged, other inputs) counts as missing. Either way sweep_results_release() them. */
bool sweep_results_read(const struct sweep_jobs *jobs, const char *work, struct sweep_result *results, struct err *err);
void sweep_results_release(struct sweep_result *results, unsigned count);

/* One JSON object: {"format", "jobs": [{"name", "options": {labels}, "state", "status", "message", "statistics":
 * {...}}, ...]}, in the order of the list. A statistics object is as in the job's own file; one that is missing is
 * null. */
void sweep_results_print(const struct sweep_jobs *jobs, const struct sweep_result *results, FILE *out);
/* The same into the file PATH, in one piece (src/base/save_file.h). */
bool sweep_results_save(const struct sweep_jobs *jobs, const struct sweep_result *results, const char *path,
                        struct err *err);

/* A line for each job: name, status; simulated seconds since its figures begin; instructions, cycles, CPI and MCPI of
 * user and kernel mode; share of idle time. Of one that failed, why. */
void sweep_results_table(const struct sweep_jobs *jobs, const struct sweep_result *results, FILE *out);

#endif
