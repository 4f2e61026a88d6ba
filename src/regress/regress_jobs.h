/*
 * The jobs of a test: its positions, and the runs from them, as jobs of a sweep in the
 * test's work folder.
 */
#ifndef SIMOS_REGRESS_REGRESS_JOBS_H
#define SIMOS_REGRESS_REGRESS_JOBS_H

#include "src/regress/regress_side.h"
#include "src/sweep/sweep_results.h"
#include <jansson.h>

/* What is run of a repetition: as linked, or placed (repetition 0: in the places of the other kernel). */
struct regress_wanted {
    unsigned repetition;
    bool placed;
};

/* The file that a test's words are from, which has no access to the host; NULL: it is trusted. */
const char *regress_jobs_origin(const struct regress_run *run);

/* The combinations of the file's settings, each a job called PREFIX-MACHINE, from CHECKPOINT (NULL: the file's). False
 * with ERR. */
bool regress_jobs_add(const struct regress_file *file, const char *checkpoint, const char *prefix,
                      struct sweep_jobs *jobs, struct err *err);
/* Add the COUNT runs of SIDE that are WANTED to JOBS, those of one in the order of the machines; their positions are
 * made. *SIGNAL: the signal that interrupted it, or 0. False with ERR. */
bool regress_jobs_prepare(const struct regress_run *run, const struct regress_side *side, unsigned count,
                          const struct regress_wanted *wanted, struct sweep_jobs *jobs, int *signal, struct err *err);
/* A run of SIDE as linked, without perturbation, on MACHINE alone, called NAME, with WORDS, which end with NULL, and
 * functions where the file LIST has them (NULL: where they are linked). False with ERR. */
bool regress_jobs_add_linked(const struct regress_run *run, const struct regress_side *side, unsigned machine,
                             const char *name, const char *const *words, const char *list, struct sweep_jobs *jobs,
                             int *signal, struct err *err);
/* Execute JOBS. False with ERR, also after a signal. */
bool regress_jobs_run(const struct regress_run *run, const struct sweep_jobs *jobs, int *signal, struct err *err);
/* Read the result of JOB, to be released in both cases; *STATISTICS unless NULL: a new reference. False with ERR if it
 * is not finished, or its command failed. */
bool regress_jobs_read(const struct regress_run *run, const struct sweep_job *job, struct sweep_inputs *inputs,
                       struct sweep_result *result, json_t **statistics, struct err *err);
/* Are all of JOBS finished? False with the first one that is not in ERR. */
bool regress_jobs_finished(const struct regress_run *run, const struct sweep_jobs *jobs, struct err *err);

#endif
