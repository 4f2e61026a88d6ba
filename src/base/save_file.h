/*
 * Saves result files such that a failure leaves an existing file unchanged.
 */
#ifndef SIMOS_BASE_SAVE_FILE_H
#define SIMOS_BASE_SAVE_FILE_H

#include "src/base/log.h"
#include <stdio.h>

typedef void save_file_fn(const void *opaque, FILE *out);

/* Write the output of WRITE to the file PATH: to a temporary file in the same directory, which is then renamed. An
 * existing path that is not a regular file, and /dev/stdout and the like, are written directly. ERR begins with WHAT
 * ("statistics file"), the path and the reason. */
bool save_file(const char *what, const char *path, save_file_fn *write, const void *opaque, struct err *err);

/* Open PATH for direct writing, created with mode 0666 if missing; FLAGS (O_TRUNC) are added. A pipe without a reader
 * is rejected without waiting, and a regular file that is open so in another run (flock(2)), which stays as it was. The
 * descriptor; -1 with ERR, which begins as above. */
int save_open(const char *what, const char *path, int flags, struct err *err);

#endif
