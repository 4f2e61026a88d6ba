/*
 * Checks the files that a run names in its options and parameters, before any of them is opened: a file to be written
 * must not be named twice, and must be in a place where it can be written.
 *
 * Two names denote the same file if they have the same inode (links count) or, for a file that does not exist yet,
 * the same name in the same folder. Pipes and character devices may be named repeatedly.
 */
#ifndef SIMOS_NAMED_FILES_H
#define SIMOS_NAMED_FILES_H

#include "src/run/run_options.h"

struct named_files;

struct named_files *named_files_create(void);
/* NULL is allowed. */
void named_files_free(struct named_files *files);

/* Add the input file PATH (NULL: none), called NAME in messages. */
void named_files_add_input(struct named_files *files, const char *name, const char *path);
/* Add the files that RUN, or PARAMS alone, names. OWNER: prefix for messages ("node a: ", or ""). */
void named_files_add_run(struct named_files *files, const char *owner, const struct run_options *run);
void named_files_add_params(struct named_files *files, const char *owner, const struct params *params);

/* Check all files. Returns false with ERR naming two names of the same file, or the outputs that cannot be written with
 * reasons, one line each. Pipes to be written stay open until named_files_free(), so that their readers do not see an
 * end of file early. */
bool named_files_check(struct named_files *files, struct err *err);

/* All steps for LINE. */
bool named_files_check_run(const struct run_options *run, struct err *err);

#endif
