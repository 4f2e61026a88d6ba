/*
 * Emphasis on a terminal: only where the stream is one, TERM is set and not "dumb", and NO_COLOR is not set or empty
 * (no-color.org). Elsewhere every text here is empty, so that files and pipes get plain text.
 */
#ifndef SIMOS_STYLE_H
#define SIMOS_STYLE_H

#include <stdbool.h>
#include <stdio.h>

enum style { STYLE_HEADING, STYLE_ERROR, STYLE_FAINT };

/* Does OUT take control sequences, such as "erase the line"? Of a terminal that TERM does not tell of it is assumed. */
bool style_is_terminal(FILE *out);

/* What turns STYLE on and all styles off on OUT; string constants. */
const char *style_on(FILE *out, enum style style);
const char *style_off(FILE *out);

/* Columns of the terminal OUT; 80 if it is none or does not say. */
int style_columns(FILE *out);

#endif
