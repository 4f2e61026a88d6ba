/*
 * Doing the jobs of a list: processes of simos, and what became of each in a work folder.
 *
 * In the folder WORK there are for each job NAME: NAME.job.json, how it ended (written when it has, in one piece);
 * NAME.out and NAME.err, what it said. A job is finished if its simulation came to its end, whatever the guest's
 * command returned; one that is finished is never done again unless its identity has changed. One that failed is tried
 * again by the next sweep_run().
 */
#ifndef SIMOS_SWEEP_RUN_H
#define SIMOS_SWEEP_RUN_H

#include "src/sweep/sweep_jobs.h"
#include <stdio.h>

struct sweep_run_options {
    const char *work;   /* the folder; made if it is not there */
    unsigned processes; /* at a time; 0: as many as there are processors */
    /* Do only the jobs whose number (from 0) is PART modulo PARTS: other processes do the rest. PARTS 0 or 1: all. */
    unsigned part, parts;
    FILE *progress;      /* a line when a job ends; NULL: none */
    const char *origin;  /* the file that the jobs' words come from; NULL: simos itself */
    bool trust;          /* what the words ask of the host is done */
    const char *program; /* that does a job; NULL: the one that runs */
};

struct sweep_run_totals {
    unsigned reused, finished, failed; /* jobs: there already; done now; could not be done */
    int signal;                        /* SIGINT, SIGTERM or SIGHUP ended it early; 0: none did */
};

/* Make the folder WORK unless it is there. */
bool sweep_run_make_folder(const char *work, struct err *err);

/* Do what is to be done. False with ERR only if that cannot be tried (a folder that cannot be made, an input that
 * cannot be read, another process at work in the same folder). After a signal the jobs under way are ended, and done
 * again next time. */
bool sweep_run(const struct sweep_jobs *jobs, const struct sweep_run_options *options, struct sweep_run_totals *totals,
               struct err *err);

#endif
