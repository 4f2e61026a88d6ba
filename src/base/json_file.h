/*
 * JSON from outside, by jansson (a small C library that keeps the order of members, checks UTF-8, bounds nesting, and
 * has no global state that matters). A number with a fraction or an exponent is a real, any other an integer.
 */
#ifndef SIMOS_JSON_FILE_H
#define SIMOS_JSON_FILE_H

#include "src/base/log.h"
#include <jansson.h>
#include <stddef.h>

enum { JSON_FILE_MAX = 1 << 30 }; /* bytes */

/* The object in the file PATH: a new reference. NULL with ERR, which begins with WHAT ("statistics file") and PATH, if
 * it cannot be read, is longer than JSON_FILE_MAX, or is not one JSON object without members of the same name. TEXT,
 * unless it is NULL, gets the file's text (to be freed). */
json_t *json_file_read(const char *what, const char *path, char **text, struct err *err);
/* The same of LENGTH bytes of TEXT. */
json_t *json_file_parse(const char *what, const char *path, const char *text, size_t length, struct err *err);

/* TEXT with "?" for what a terminal would not take for text. */
void json_file_make_printable(char *text);

/* TEXT in double quotes, as JSON has it. TEXT must be UTF-8. */
void json_file_put_text(FILE *out, const char *text);

#endif
