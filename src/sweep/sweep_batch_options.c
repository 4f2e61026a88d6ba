#include "src/sweep/sweep_batch.h"

#include "src/command/option_values.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum sweep_batch_mode sweep_batch_mode(const struct sweep_batch_options *options)
{
    return options->slurm == SWEEP_BATCH_ONLY_WRITE ? SWEEP_BATCH_SLURM_WRITE
           : options->slurm                         ? SWEEP_BATCH_SLURM_SUBMIT
           : options->merge                         ? SWEEP_BATCH_MERGE
           : options->parts                         ? SWEEP_BATCH_PART
                                                    : SWEEP_BATCH_HERE;
}

uint32_t sweep_batch_uses(const struct sweep_batch_options *options)
{
    return (options->parts ? OPTION_USE(PART) : 0) | (options->merge ? OPTION_USE(MERGE) : 0) |
           (options->slurm ? OPTION_USE(SLURM) : 0);
}

static bool set_jobs(void *options, const struct option *option, const char *value, struct err *err)
{
    struct sweep_batch_options *batch = options;
    uint64_t jobs = 0;
    (void)option;
    if (!option_parse_count("--jobs", value, 1, 1024, &jobs, err))
        return false;
    batch->processes = (unsigned)jobs;
    return true;
}

/* I/N */
static bool set_part(void *options, const struct option *option, const char *value, struct err *err)
{
    struct sweep_batch_options *batch = options;
    int length = 0;
    if (!isdigit((unsigned char)*value) || sscanf(value, "%6u/%6u%n", &batch->part, &batch->parts, &length) != 2 ||
        value[length] || batch->part >= batch->parts)
        return err_set(err, "--%s: \"%.64s\" is not I/N, with I from 0 to N - 1", option->name, value);
    return true;
}

static bool set_slurm(void *options, const struct option *option, const char *value, struct err *err)
{
    struct sweep_batch_options *batch = options;
    batch->slurm = value ? SWEEP_BATCH_ONLY_WRITE : SWEEP_BATCH_SUBMIT;
    return !value || strcmp(value, "write") == 0 ||
           err_set(err, "--%s: \"%.64s\" is not \"write\"", option->name, value);
}

#define NO_JOBS OPTION_USE(NO_JOBS)
#define MERGE   OPTION_USE(MERGE)
#define SLURM   OPTION_USE(SLURM)

const struct option sweep_batch_option_table[] = {
    {"jobs", "N", OPTION_GROUP_SWEEPS, 0, "run N processes in parallel (one per processor)", set_jobs,
     .without = NO_JOBS | MERGE | SLURM},
    {"part", "I/N", OPTION_GROUP_SWEEPS, 0, "run only every N-th job, from job I on", set_part,
     .without = NO_JOBS | MERGE | SLURM},
    {"merge", NULL, OPTION_GROUP_SWEEPS, 0, "run no jobs, only merge results", option_set_flag,
     .without = NO_JOBS | SLURM, .member = offsetof(struct sweep_batch_options, merge)},
    {"slurm", "[write]", OPTION_GROUP_SWEEPS, 0, "submit jobs as a Slurm array; --slurm=write: only write scripts",
     set_slurm, .without = NO_JOBS},
    {.name = NULL},
};
