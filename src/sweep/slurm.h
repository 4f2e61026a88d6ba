/*
 * Executes a batch of jobs as a job array of Slurm (the workload manager of clusters; Debian package slurm-wlm). Each
 * task of the array executes its part of the jobs; a dependent Slurm job merges the results after all tasks.
 */
#ifndef SIMOS_SWEEP_SLURM_H
#define SIMOS_SWEEP_SLURM_H

#include "src/base/log.h"

struct slurm_array {
    const char *out, *work;       /* as in src/sweep/sweep_batch.h */
    unsigned tasks, wanted_count; /* task I of TASKS executes every TASKS-th job from job I on */
    bool *wanted;                 /* of each task: does it have unfinished jobs? */
    /* Arguments of simos, to which "--part I/TASKS" or "--merge" is appended; additional options for sbatch. */
    const char *const *again, *const *options;
    unsigned again_count, option_count;
};

/* Write the scripts WORK/array.sbatch and WORK/merge.sbatch, which run in the current folder. Returns false with
 * ERR. */
bool slurm_write(const struct slurm_array *array, struct err *err);

/* Submit them with sbatch, and print the numbers of the Slurm jobs. Returns false with ERR, which quotes the output of
 * sbatch. */
bool slurm_submit(const struct slurm_array *array, struct err *err);

#endif
