/*
 * The stored result of a job in the work folder. NAME.stats.json: its statistics. NAME.job.json, the record: how the
 * job ended, the identity of the job, and the SHA-256 of the statistics. The record is written last, so a job without
 * a matching record counts as not executed.
 */
#ifndef SIMOS_SWEEP_SWEEP_RECORD_H
#define SIMOS_SWEEP_SWEEP_RECORD_H

#include "src/sweep/sweep_results.h"
#include <jansson.h>
#include <limits.h>

/* Build the path WORK/NAME SUFFIX. Returns false with ERR if it is too long. */
bool sweep_record_path(char path[PATH_MAX], const char *work, const char *name, const char *suffix, struct err *err);

/* Build the same path, and remove what is there: the folder may come from somebody else, and a file must not be written
 * through a link in it, nor to a pipe. Returns false with ERR if that cannot be done (a folder). */
bool sweep_record_remove(char path[PATH_MAX], const char *work, const char *name, const char *suffix, struct err *err);

/* Read the result of job NAME. The state is SWEEP_MISSING if there is no result, or it is damaged or has another
 * identity. The caller releases RESULT (sweep_results_release). *STATISTICS, unless STATISTICS is NULL: those of a job
 * that finished, parsed (a new reference), or NULL. */
void sweep_record_read(struct sweep_result *result, const char *work, const char *name, const char *identity,
                       json_t **statistics);

/* Write the record of RESULT; its statistics are already in NAME.stats.json. Returns false with ERR. */
bool sweep_record_write(const struct sweep_result *result, const char *work, const char *name, const char *identity,
                        struct err *err);

/* Determine the result of job NAME in WORK, whose process has ended with exit status STATUS, or by signal SIGNAL (0: it
 * exited), from its statistics and from what it SAID: the lines of src/base/error_lines.h, of which the last ones
 * count. Its stderr is not read: the guest writes there too. */
void sweep_record_evaluate(struct sweep_result *result, const char *work, const char *name, int status, int signal,
                           const char *said);

#endif
