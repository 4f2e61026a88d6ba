/*
 * From a list of jobs to its results: done here, or by a cluster's Slurm. Of a batch called OUT there are the folder
 * OUT.work (src/sweep/sweep_run.h), the results OUT.json and the table OUT.txt.
 */
#ifndef SIMOS_SWEEP_BATCH_H
#define SIMOS_SWEEP_BATCH_H

#include "src/sweep/sweep_jobs.h"

#include <stdbool.h>

enum sweep_batch_mode {
    SWEEP_BATCH_HERE,         /* do all jobs, write the results */
    SWEEP_BATCH_PART,         /* do some of the jobs, write no results: others do the rest */
    SWEEP_BATCH_MERGE,        /* do none, write the results of what is there */
    SWEEP_BATCH_SLURM_WRITE,  /* write the scripts of an array */
    SWEEP_BATCH_SLURM_SUBMIT, /* ... and submit them */
};

/* What becomes of the jobs. */
struct sweep_batch_options {
    enum sweep_batch_mode mode;
    unsigned processes;   /* at a time; 0: as many as there are processors */
    unsigned part, parts; /* of SWEEP_BATCH_PART: the jobs whose number is PART modulo PARTS */
};

struct sweep_batch {
    const char *out;
    struct sweep_batch_options options;
    const char *origin;   /* as in sweep_run_options, and so is TRUST */
    bool trust;
    bool quiet; /* no lines about jobs that end */
    /* For Slurm: the words of simos that make the same list and the same OUT again; more options for sbatch. */
    unsigned again_count, slurm_count;
    const char *const *again, *const *slurm;
};

/* Returns the exit status of the process: 0 if every job has come to its end and its command returned 0 (or was ended
 * by a limit of the job's own); 1 if a command returned anything else; EXIT_SIMOS_FAILED if a job failed or is missing,
 * with a line for it on stderr, or with ERR if nothing could be done; 128 + number of the signal that ended it. */
int sweep_batch_main(const struct sweep_jobs *jobs, const struct sweep_batch *batch, struct err *err);

#endif
