/*
 * Untrusted JSON files, read by jansson (a small C library that keeps the order of members, checks UTF-8, limits
 * nesting, and has no significant global state). A number with a fraction or an exponent is a real, any other an
 * integer.
 */
#ifndef SIMOS_BASE_JSON_FILE_H
#define SIMOS_BASE_JSON_FILE_H

#include "src/base/input_file.h"
#include <jansson.h>
#include <stddef.h>

/* Bytes of memory for the values of a text: JSON_MEMORY_LEAST, and JSON_MEMORY_FACTOR for each byte of it. Statistics
 * as simos writes them need about 6 for each byte, 13 without white space; a list of empty arrays needs 45. */
enum { JSON_MEMORY_LEAST = 128 << 20, JSON_MEMORY_FACTOR = 8 };

/* Read the object in the file PATH: a new reference. NULL with ERR, which begins with the name of KIND and PATH, if
 * input_file_read() or json_file_parse() refuses it. *TEXT, unless TEXT is NULL, is set to the file's text (the caller
 * frees it). */
json_t *json_file_read(enum input_kind kind, const char *path, char **text, struct err *err);
/* Parse LENGTH bytes of TEXT, of WHAT ("statistics file") PATH. NULL with ERR if it is not one JSON object with unique
 * member names, or needs more memory than JSON_MEMORY_LEAST + JSON_MEMORY_FACTOR * LENGTH bytes. */
json_t *json_file_parse(const char *what, const char *path, const char *text, size_t length, struct err *err);

#endif
