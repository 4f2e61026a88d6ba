/*
 * A list of jobs: simulations that do not depend on each other, each a process of simos with words of its own. Who
 * makes a list (src/sweep/sweep_file.h: a file that describes one) names for each job everything that its result depends on;
 * then sweep_run() does them, as many at a time as asked, and sweep_results_*() puts what came out in one file.
 *
 * What a job has come to is kept in a work folder, with the identity of the job: the words, the content of its inputs
 * and of simos itself (SHA-256). A job whose identity is there already, finished, is not done again. Nothing depends on
 * how many processes there are, or on which of them ends first.
 */
#ifndef SIMOS_SWEEP_JOBS_H
#define SIMOS_SWEEP_JOBS_H

#include "src/base/log.h"
#include "src/run/run_options.h"
#include "src/base/types.h"

enum {
    SWEEP_JOBS_MAX = 10000,
    SWEEP_JOB_NAME_MAX = 120, /* bytes; it is part of file names */
};

/* What a reader of the results is told of a job: "machine" is "1994". */
struct sweep_label {
    char *name, *value;
};

struct sweep_job {
    char *name; /* letters, digits, "-", "_", ".", "+", "="; begins with none of "-." and no other job has it */
    unsigned word_count, input_count, label_count;
    char **words;  /* of simos: "restore", "boot.ckpt", options, "--", the command; without --stats, NULL at the end */
    char **inputs; /* files that the result depends on */
    struct sweep_label *labels; /* in the order of their adding */
};

struct sweep_jobs {
    unsigned count;
    struct sweep_job *jobs;
};

/* A job without words at the end of JOBS, to which the next three add; it stays where it is until the next one is
 * added. NULL with ERR if NAME cannot be one, or there are too many. An empty list is {0}. */
struct sweep_job *sweep_jobs_add(struct sweep_jobs *jobs, const char *name, struct err *err);
/* Copies. False with ERR if a text is not UTF-8, which the results must be. */
bool sweep_job_add_word(struct sweep_job *job, const char *word, struct err *err);
bool sweep_job_add_input(struct sweep_job *job, const char *path, struct err *err);
bool sweep_job_add_label(struct sweep_job *job, const char *name, const char *value, struct err *err);
void sweep_jobs_release(struct sweep_jobs *jobs);

/* Does PARSE take each job's words? False with ERR naming the first job of which it would not. */
bool sweep_jobs_check(const struct sweep_jobs *jobs, run_options_parser *parse, struct err *err);

/* Identities */

/* Which content the files of a sweep have: every file is read once. */
struct sweep_inputs;

/* Never NULL. */
struct sweep_inputs *sweep_inputs_create(void);
void sweep_inputs_free(struct sweep_inputs *inputs);

/* The identity of JOB: SHA-256 of its words, of its inputs and of the program that runs, as hexadecimal digits (to be
 * freed). NULL with ERR naming a file that cannot be read. */
char *sweep_job_identity(const struct sweep_job *job, struct sweep_inputs *inputs, struct err *err);

#endif
