/*
 * A batch of jobs as an array of Slurm (the workload manager of clusters; Debian package slurm-wlm): each task of the
 * array does the jobs that are its part, and a job that waits for all of them merges the results.
 */
#ifndef SIMOS_SLURM_H
#define SIMOS_SLURM_H

#include "src/base/log.h"

struct slurm_array {
    const char *out, *work;       /* as in src/sweep/sweep_batch.h */
    unsigned tasks, wanted_count; /* task I of TASKS does every TASKS-th job, from job I on */
    bool *wanted;                 /* of each task: has it anything to do? */
    /* Words of simos to which "--part I/TASKS" or "--merge" is added; more options for sbatch. */
    const char *const *again, *const *options;
    unsigned again_count, option_count;
};

/* Write the scripts WORK/array.sbatch and WORK/merge.sbatch, to be run in the present folder. False with ERR naming
 * what cannot be. */
bool slurm_write(const struct slurm_array *array, struct err *err);

/* Give them to sbatch, and say on stdout which jobs of Slurm they have become. False with ERR, which repeats what
 * sbatch says. */
bool slurm_submit(const struct slurm_array *array, struct err *err);

#endif
