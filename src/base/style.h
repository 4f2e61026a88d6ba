/*
 * Emphasis on a terminal: only if the stream is a terminal, TERM is set and not "dumb", and NO_COLOR is unset or empty
 * (no-color.org). Otherwise all texts here are empty, so that files and pipes get plain text.
 */
#ifndef SIMOS_BASE_STYLE_H
#define SIMOS_BASE_STYLE_H

#include <stdbool.h>
#include <stdio.h>

enum style { STYLE_HEADING, STYLE_ERROR, STYLE_FAINT };

/* Does OUT accept control sequences, such as "erase line"? Assumed for a terminal without TERM. */
bool style_is_terminal(FILE *out);

/* Control sequences that turn on STYLE, and turn off all styles, on OUT; string constants. */
const char *style_on(FILE *out, enum style style);
const char *style_off(FILE *out);

/* Columns of the terminal OUT; 80 if it is not a terminal or the size is unknown. */
int style_columns(FILE *out);

#endif
