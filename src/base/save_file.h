/*
 * Saves result files such that a failure leaves an existing file unchanged, and a process that is killed leaves nothing
 * else: the new file has no name until it is complete, where the file system has such files (open(2), O_TMPFILE).
 * Elsewhere it has the name PATH.new-PID-N, which a signal that ends the process leaves behind.
 */
#ifndef SIMOS_BASE_SAVE_FILE_H
#define SIMOS_BASE_SAVE_FILE_H

#include "src/base/log.h"
#include <stdio.h>

/* Does the name of the file PATH end with ENDING (".json")? */
bool path_ends_with(const char *path, const char *ending);

typedef void save_file_fn(const void *opaque, FILE *out);

/* Write the output of WRITE to the file PATH: to a new file in the same directory, which is then renamed. An
 * existing path that is not a regular file, and /dev/stdout and the like, are written directly. ERR begins with WHAT
 * ("statistics file"), the path and the reason. */
bool save_file(const char *what, const char *path, save_file_fn *write, const void *opaque, struct err *err);

/* The same in steps, for a file that is written bit by bit, or of which several are replaced together: begin and write
 * all, complete all, then keep all. */
struct saving;

/* Begin to write PATH. NULL with ERR. */
struct saving *saving_begin(const char *what, const char *path, struct err *err);
/* The stream to write to, until saving_complete(). */
FILE *saving_stream(const struct saving *saving);
/* Write everything to the disk and close the stream. False with ERR. */
bool saving_complete(struct saving *saving, struct err *err);
/* Put the complete file in its place. False with ERR. */
bool saving_keep(struct saving *saving, struct err *err);
/* Free SAVING (NULL is allowed), and remove what has been written unless it is kept. */
void saving_free(struct saving *saving);

/* Open PATH for direct writing, to be closed by one of the functions below; created with mode 0666 if missing; FLAGS
 * (O_TRUNC) are added. A pipe without a reader is rejected without waiting, and a regular file that is open so in
 * another run (flock(2)), which stays as it was. The descriptor; -1 with ERR, which begins as above. */
int save_open(const char *what, const char *path, int flags, struct err *err);
/* Close such a descriptor, or a stream that was made of it, after flushing it. 0, or a value below 0 with errno. */
int save_close(int descriptor);
int save_close_stream(FILE *stream);

#endif
