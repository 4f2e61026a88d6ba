/*
 * Untrusted JSON files, read by jansson (a small C library that keeps the order of members, checks UTF-8, limits
 * nesting, and has no significant global state). A number with a fraction or an exponent is a real, any other an
 * integer.
 */
#ifndef SIMOS_JSON_FILE_H
#define SIMOS_JSON_FILE_H

#include "src/base/log.h"
#include <jansson.h>
#include <stddef.h>

enum { JSON_FILE_MAX = 1 << 30 }; /* bytes */

/* Read the object in the file PATH: a new reference. NULL with ERR, which begins with WHAT ("statistics file") and
 * PATH, if the file cannot be read, is longer than JSON_FILE_MAX, or is not one JSON object with unique member names.
 * *TEXT, unless TEXT is NULL, is set to the file's text (the caller frees it). */
json_t *json_file_read(const char *what, const char *path, char **text, struct err *err);
/* As json_file_read(), for LENGTH bytes of TEXT. */
json_t *json_file_parse(const char *what, const char *path, const char *text, size_t length, struct err *err);

/* Replace control characters in TEXT by "?". */
void json_file_make_printable(char *text);

#endif
