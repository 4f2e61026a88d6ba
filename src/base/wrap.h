/* Wraps text for terminals to lines of at most 80 columns. */
#ifndef SIMOS_BASE_WRAP_H
#define SIMOS_BASE_WRAP_H

#include <stdio.h>

enum { WRAP_COLUMNS = 80 };

/* A line, wrapped between words; continuation lines begin with INDENT blanks. */
struct wrap {
    FILE *out;
    int indent;
    int at; /* present column */
};

/* Print one or more words without a break between them, preceded by BLANKS blanks unless they begin a line. */
void wrap_put(struct wrap *wrap, int blanks, const char *text, int length);
/* Print the words of TEXT, with the blanks between them. */
void wrap_put_words(struct wrap *wrap, const char *text);
void wrap_end(struct wrap *wrap);

/* Print each line of TEXT separately. */
void wrap_lines(FILE *out, int indent, const char *text);

#endif
