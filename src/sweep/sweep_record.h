/*
 * What is kept of a job in the work folder: NAME.stats.json, its statistics, and NAME.job.json, how it ended, which
 * says whose result that is (the job's identity) and which statistics belong to it (their SHA-256). The latter is
 * written last: it is there, and fits, or the job counts as not done.
 */
#ifndef SIMOS_SWEEP_RECORD_H
#define SIMOS_SWEEP_RECORD_H

#include "src/sweep/sweep_results.h"
#include <limits.h>

/* WORK/NAME SUFFIX into PATH. False with ERR if that is too long for a path. */
bool sweep_record_path(char path[PATH_MAX], const char *work, const char *name, const char *suffix, struct err *err);

/* The result of the job NAME whose identity is IDENTITY. One that is not there, is damaged, or is of another identity
 * is SWEEP_MISSING. To be released (sweep_results_release). */
void sweep_record_read(struct sweep_result *result, const char *work, const char *name, const char *identity);

/* Keep RESULT; its statistics are in NAME.stats.json already. */
bool sweep_record_write(const struct sweep_result *result, const char *work, const char *name, const char *identity,
                        struct err *err);

/* The process of job NAME in WORK has ended with STATUS, of which SIGNAL is the signal's number (0: it has exited):
 * what that means, by what it has left there. */
void sweep_record_judge(struct sweep_result *result, const char *work, const char *name, int status, int signal);

#endif
