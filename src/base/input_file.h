/*
 * Opening files to be read, wherever the path comes from: one that would make the process wait for somebody who may
 * never come is refused. What is written is src/base/save_file.h's.
 */
#ifndef SIMOS_INPUT_FILE_H
#define SIMOS_INPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* PATH to be read. A pipe that nobody writes is refused with ENXIO, not waited for; one that somebody has open may be
 * empty yet. -1, NULL with errno. */
int input_file_open(const char *path);
FILE *input_file_stream(const char *path);

/* strerror() of an errno of these. */
const char *input_file_reason(int error);

#endif
