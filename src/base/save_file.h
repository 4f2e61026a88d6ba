/*
 * Saving a file of results, so that a failure leaves what was there.
 */
#ifndef SIMOS_SAVE_FILE_H
#define SIMOS_SAVE_FILE_H

#include "src/base/log.h"
#include <stdio.h>

typedef void save_file_fn(const void *opaque, FILE *out);

/* What WRITE prints becomes the file PATH: written to a temporary file beside it and renamed. An existing path that is
 * no regular file, and /dev/stdout and its like, are written directly. ERR begins with WHAT ("statistics file"), the
 * path and the reason. */
bool save_file(const char *what, const char *path, save_file_fn *write, const void *opaque, struct err *err);

/* Open PATH to be written as its contents come, created with mode 0666 if need be; FLAGS (O_TRUNC) besides. A pipe that
 * nobody reads is refused, not waited for. The descriptor; -1 with ERR, which begins as above. */
int save_open(const char *what, const char *path, int flags, struct err *err);

#endif
