/*
 * The text format of the cache simulators Dinero III and IV (Hill, Edler), as the manual page of Dinero III has it: a
 * line "LABEL ADDRESS" for each reference; what follows on the line is a comment. The address is hexadecimal, 0 to
 * ffffffff. Labels: 0 read, 1 write, 2 instruction fetch, 3 a reference of unknown type, 4 flush of the caches.
 * Private to cache/observe/trace_*.c and tests.
 */
#ifndef SIMOS_CACHE_OBSERVE_TRACE_DIN_H
#define SIMOS_CACHE_OBSERVE_TRACE_DIN_H

#include "cache/reference.h"

enum din_line { DIN_REFERENCE, DIN_NOTHING, DIN_BAD };

/* Decodes the line of LENGTH bytes at LINE, without its newline. A reference is one of CPU 0 in user mode, of one
 * byte. DIN_NOTHING: an empty line, or label 3. */
enum din_line din_decode(const char *line, size_t length, struct reference *reference);

/* Encodes REFERENCE as a line with its newline to TO. Returns its length, at most 16; 0 if its kind has none. */
size_t din_encode(const struct reference *reference, char *to);

#endif
