/*
 * Locks of output files by name, so that of two runs on this host that begin at once with the same output one is
 * refused, before anything is written and whether the file exists or not. src/base/save_file.h and
 * devices/disk/disk_file.h also lock files that are open while the run writes them (flock(2)), which holds across hosts
 * and for other names of the file.
 *
 * A lock belongs to the file's folder, and is seen by every process of this kernel that reaches the folder, whatever
 * container it is in: a lock for reading of one byte of the folder, at a place made of the file's name there (fcntl(2),
 * F_OFD_SETLK). Read locks can be set on a folder, write locks cannot; so a process sets its own, and then asks whether
 * another one is there (F_OFD_GETLK). A lock leaves nothing in the file system and ends with the process. Where a
 * folder cannot be read or locked a line says so.
 */
#ifndef SIMOS_BASE_OUTPUT_LOCK_H
#define SIMOS_BASE_OUTPUT_LOCK_H

#include "src/base/log.h"

struct output_lock;

/* Lock the output PATH: a file, or a folder in which the run makes files. Symbolic links are followed. A name that this
 * process has locked already is counted. NULL with ERR, which begins with WHAT and PATH, if another process has it. */
struct output_lock *output_lock_take(const char *what, const char *path, struct err *err);
/* The same for a symbolic link that this process makes: PATH is not followed. */
struct output_lock *output_lock_take_link(const char *what, const char *path, struct err *err);
void output_lock_release(struct output_lock *lock); /* NULL is allowed */

/* Has this process locked PATH? */
bool output_lock_is_held(const char *path);

#endif
