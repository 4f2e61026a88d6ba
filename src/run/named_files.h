/*
 * The files that a run names, in its options and in its parameters: what is written may be neither read nor written by
 * another of them, and has to be somewhere where it can be written. That is looked at before any of them is opened.
 *
 * Two names are the same file if it is one on the disk (links count), or, where there is none yet, one name in one
 * folder. Pipes and devices that only take characters may be named as often as one likes.
 */
#ifndef SIMOS_NAMED_FILES_H
#define SIMOS_NAMED_FILES_H

#include "src/run/run_options.h"

struct named_files;

struct named_files *named_files_create(void);
/* NULL is allowed. */
void named_files_free(struct named_files *files);

/* PATH (NULL: none) is read; messages call it NAME. */
void named_files_add_input(struct named_files *files, const char *name, const char *path);
/* What RUN, or PARAMS alone, names. OWNER stands before its names in messages ("node a: "); it may be "". */
void named_files_add_run(struct named_files *files, const char *owner, const struct run_options *run);
void named_files_add_params(struct named_files *files, const char *owner, const struct params *params);

/* False with ERR naming two that are the same, or an output that cannot be written and why; if there are several such
 * outputs, each has a line. A pipe that is to be written is held open until named_files_free(): who reads it does not
 * come to its end before it has been written. */
bool named_files_check(struct named_files *files, struct err *err);

/* All of it, of RUN, which goes on. */
bool named_files_check_run(const struct run_options *run, struct err *err);

#endif
