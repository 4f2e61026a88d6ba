/*
 * Executes the jobs of a list as processes of simos, and stores their results in a work folder.
 *
 * The folder WORK has for each job NAME: NAME.job.json, how it ended (written atomically at its end); NAME.out and
 * NAME.err, its output. A job is finished if its simulation came to an end, whatever the exit status of the guest's
 * command. A finished job is not executed again unless its identity changes. A failed job is repeated by the next
 * sweep_run().
 */
#ifndef SIMOS_SWEEP_SWEEP_RUN_H
#define SIMOS_SWEEP_SWEEP_RUN_H

#include "src/sweep/sweep_jobs.h"
#include <stdio.h>

struct sweep_run_options {
    const char *work;   /* work folder; created if missing */
    unsigned processes; /* in parallel; 0: one per processor */
    /* Execute only the jobs with number (from 0) modulo PARTS equal to PART; other processes execute the rest. PARTS 0
     * or 1: all. */
    unsigned part, parts;
    FILE *progress;          /* receives a line when a job ends; NULL: none */
    const char *source_file; /* description file of the jobs; NULL: none */
    bool trust;              /* the jobs may access host files as their words ask (--trust) */
    const char *program;     /* program that executes a job; NULL: the running one */
};

struct sweep_run_totals {
    unsigned reused, finished, failed; /* jobs: finished before; finished now; failed */
    int signal;                        /* SIGINT, SIGTERM or SIGHUP that ended it early; 0: none */
};

/* Create the folder WORK if it is missing. */
bool sweep_run_make_folder(const char *work, struct err *err);

/* Execute the unfinished jobs. Returns false with ERR only if they cannot be tried: a folder cannot be created, an
 * input cannot be read, or another sweep uses the folder. After a signal the running jobs are terminated, and repeated
 * next time. */
bool sweep_run(const struct sweep_jobs *jobs, const struct sweep_run_options *options, struct sweep_run_totals *totals,
               struct err *err);

#endif
