/*
 * Checks the files that a command names, before any of them is opened: a file to be written must not be named twice,
 * nor be one of a folder whose files are read (--symbols, --copy-in), nor one that is made below a folder (--series,
 * --copy-out); it must be in a place where it can be written, and no other run may be writing it
 * (src/base/output_lock.h).
 *
 * Two names denote the same file if they have the same inode (links count) or, for a file that does not exist yet,
 * the same name in the same folder. Pipes and character devices may be named repeatedly, by several runs too. A file
 * that does not exist yet may be made below a folder that is read.
 */
#ifndef SIMOS_HOST_NAMED_FILES_H
#define SIMOS_HOST_NAMED_FILES_H

#include "src/base/log.h"

struct named_files;

struct named_files *named_files_create(void);
/* NULL is allowed. */
void named_files_free(struct named_files *files);

/* Add the input file PATH (NULL: none), called NAME in messages. */
void named_files_add_input(struct named_files *files, const char *name, const char *path);
/* Add the file PATH, which is written. KIND ("statistics file"): named_files_check() sees whether it can be; NULL: who
 * writes it does. */
void named_files_add_output(struct named_files *files, const char *name, const char *kind, const char *path);
/* Add the figures that are drawn in FOLDER (NULL: none). */
void named_files_add_figures(struct named_files *files, const char *folder);

/* Check all files. Returns false with ERR naming two names of the same file, or the outputs that cannot be written with
 * reasons, one line each, or one that another run is writing. Until named_files_free() the outputs are locked, and
 * pipes to be written stay open, so that their readers do not see an end of file early. */
bool named_files_check(struct named_files *files, struct err *err);

/* The next file that is read, from *INDEX on, 0 at first: its NAME in messages and its PATH, both owned by FILES. False
 * if there is none. Left out are folders that are read, and what a restored machine has in its checkpoint. */
bool named_files_next_input(const struct named_files *files, unsigned *index, const char **name, const char **path);

#endif
