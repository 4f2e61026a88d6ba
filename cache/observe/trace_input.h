/*
 * The bytes of a trace file, unpacked: a file compressed by gzip (RFC 1952), xz or zstd (RFC 8878) is recognised by its
 * first bytes, whatever it is called. Private to cache/observe/trace_read.c and tests.
 */
#ifndef SIMOS_CACHE_OBSERVE_TRACE_INPUT_H
#define SIMOS_CACHE_OBSERVE_TRACE_INPUT_H

#include "src/base/log.h"
#include <stddef.h>

struct trace_input;

/* Returns NULL with ERR naming the file if it cannot be opened. */
struct trace_input *trace_input_open(const char *path, struct err *err);
void trace_input_close(struct trace_input *input); /* NULL is ignored */

/* Reads COUNT bytes to TO. Returns fewer only at the end of the file, or at an error. */
size_t trace_input_read(struct trace_input *input, void *to, size_t count);
/* The error that ended reading; NULL: none so far. */
const char *trace_input_error(const struct trace_input *input);

/* The fraction of the file, compressed or not, that has been read, 0 to 1; -1 if unknown. */
double trace_input_fraction(const struct trace_input *input);

#endif
