/*
 * Opens files for reading, from any source of paths: a file on which the process could block forever is rejected.
 * src/base/save_file.h opens files for writing.
 */
#ifndef SIMOS_INPUT_FILE_H
#define SIMOS_INPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Open PATH for reading. A pipe without a writer is rejected with ENXIO; one with a writer may still be empty. -1 or
 * NULL with errno. */
int input_file_open(const char *path);
FILE *input_file_stream(const char *path);

/* Error text for an errno set by these functions. */
const char *input_file_reason(int error);

#endif
