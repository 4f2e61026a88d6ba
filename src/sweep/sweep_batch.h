/*
 * Executes a list of jobs on this host or through Slurm. The files of a batch OUT are the folder OUT.work
 * (src/sweep/sweep_run.h), the results OUT.json and the table OUT.txt.
 */
#ifndef SIMOS_SWEEP_SWEEP_BATCH_H
#define SIMOS_SWEEP_SWEEP_BATCH_H

#include "src/command/command.h"
#include "src/sweep/sweep_jobs.h"

#include <stdbool.h>

enum sweep_batch_mode {
    SWEEP_BATCH_HERE,         /* run all jobs, write the results */
    SWEEP_BATCH_PART,         /* run some of the jobs, write no results; other processes run the rest */
    SWEEP_BATCH_MERGE,        /* run no jobs, write the results that exist */
    SWEEP_BATCH_SLURM_WRITE,  /* write the scripts of a Slurm job array */
    SWEEP_BATCH_SLURM_SUBMIT, /* write and submit them */
};

enum sweep_batch_slurm { SWEEP_BATCH_NO_SLURM, SWEEP_BATCH_ONLY_WRITE, SWEEP_BATCH_SUBMIT };

/* What becomes of the jobs. */
struct sweep_batch_options {
    unsigned processes;   /* in parallel; 0: one per processor */
    unsigned part, parts; /* jobs with number modulo PARTS equal to PART; PARTS 0: all */
    bool merge;           /* only merge existing results */
    enum sweep_batch_slurm slurm;
};

enum sweep_batch_mode sweep_batch_mode(const struct sweep_batch_options *options);

/* Their options of the command line, and the uses that these are. */
extern const struct option sweep_batch_option_table[];
uint32_t sweep_batch_uses(const struct sweep_batch_options *options);

struct sweep_batch {
    const char *out;
    struct sweep_batch_options options;
    const char *origin; /* this and TRUST: as in struct sweep_run_options */
    bool trust;
    bool quiet; /* no line for each finished job */
    /* For Slurm: arguments of simos that create the same list and OUT again; additional options for sbatch. */
    unsigned again_count, slurm_count;
    const char *const *command, *const *slurm;
};

/* Execute the batch. Returns the exit status of the process: 0 if every job finished and its command returned 0 (or
 * reached a limit of the job); 1 if a command returned another status; EXIT_SIMOS_FAILED if a job failed or is missing,
 * with a line for each on stderr, or with ERR if the batch could not be started; 128 + N after signal N. */
int sweep_batch_main(const struct sweep_jobs *jobs, const struct sweep_batch *batch, struct err *err);

#endif
