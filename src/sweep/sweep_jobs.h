/*
 * A list of jobs: independent simulations, each a process of simos with its own arguments. The creator of a list
 * (src/sweep/sweep_file.h: a description file) names everything that a job's result depends on. sweep_run() executes
 * the jobs, several in parallel; sweep_results_*() collect their results in one file.
 *
 * A job's result is stored in a work folder with the job's identity: SHA-256 of its arguments, its input files and
 * the simos binary. A job with a finished result of the same identity is not executed again. Results do not depend on
 * the number of processes or their order of completion.
 */
#ifndef SIMOS_SWEEP_SWEEP_JOBS_H
#define SIMOS_SWEEP_SWEEP_JOBS_H

#include "src/base/input_file.h"
#include "src/base/log.h"
#include "src/run/run_files.h"
#include "src/run/run_options.h"
#include "src/base/types.h"

enum {
    SWEEP_JOBS_MAX = 10000,
    SWEEP_JOB_NAME_MAX = 120, /* bytes; the name is part of file names */
};

/* A setting of a job, for readers of the results: "machine" is "1994". */
struct sweep_label {
    char *name, *value;
};

struct sweep_job {
    char *name; /* unique; letters, digits, "-", "_", ".", "+", "="; does not begin with "-" or "." */
    unsigned word_count, input_count, label_count;
    /* Words, from the first on, that are not from a file of possibly other origin: by default the command's name. */
    unsigned own_count;
    bool alone; /* its own words read or save what a job's may not: --copy-in, a checkpoint, a profile */
    /* arguments of simos: "restore", "boot.ckpt", options, "--", command; without --stats; ends with NULL */
    char **words;
    char **inputs;              /* files that the result depends on */
    enum input_kind *kinds;     /* of these */
    struct sweep_label *labels; /* in the order of addition */
};

struct sweep_jobs {
    unsigned count;
    struct sweep_job *jobs;
};

/* Append a job without words to JOBS; the functions below add to it. The pointer is valid until the next call. Returns
 * NULL with ERR if NAME is invalid or there are too many jobs. {0} is an empty list. */
struct sweep_job *sweep_jobs_add(struct sweep_jobs *jobs, const char *name, struct err *err);
/* Add a copy of a string. Return false with ERR if it is not UTF-8, which the JSON results require. */
bool sweep_job_add_word(struct sweep_job *job, const char *word, struct err *err);
/* Insert a copy of WORD, which is not from a file, as word number own_count. Returns false as above. */
bool sweep_job_insert_own(struct sweep_job *job, const char *word, struct err *err);
bool sweep_job_add_input(struct sweep_job *job, enum input_kind kind, const char *path, struct err *err);
bool sweep_job_add_label(struct sweep_job *job, const char *name, const char *value, struct err *err);
/* Of the jobs from number FIRST on, keep number KEPT alone, which becomes FIRST. */
void sweep_jobs_keep(struct sweep_jobs *jobs, unsigned first, unsigned kept);
void sweep_jobs_release(struct sweep_jobs *jobs);

/* Check that simos accepts the arguments of each job. ORIGIN: the file that they are from, which has no access to the
 * host; NULL: a file that is trusted, or the command line. Returns false with ERR naming the first job with an error.
 */
bool sweep_jobs_check(const struct sweep_jobs *jobs, const char *origin, const struct commands *commands,
                      struct err *err);

/* Check the result files RESULTS with PREFIX, and lock them: none may be a file that a job reads, or SOURCE (NULL:
 * none), or be written by another run. NULL with ERR. The caller frees the result when they are written. */
struct named_files *sweep_jobs_take_results(const struct sweep_jobs *jobs, const struct commands *commands,
                                            const char *source, const char *prefix, enum named_results results,
                                            struct err *err);

/* Identities */

/* Cache of file digests: each file is read once. */
struct sweep_inputs;

/* Never returns NULL. */
struct sweep_inputs *sweep_inputs_create(void);
void sweep_inputs_free(struct sweep_inputs *inputs);

/* The identity of JOB: SHA-256 of its words, its inputs and the running program, in hexadecimal; the caller frees it.
 * Returns NULL with ERR naming a file that cannot be read. */
char *sweep_job_identity(const struct sweep_job *job, struct sweep_inputs *inputs, struct err *err);

#endif
