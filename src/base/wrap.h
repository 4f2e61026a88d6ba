/* Text in lines of at most 80 columns, for people. */
#ifndef SIMOS_WRAP_H
#define SIMOS_WRAP_H

#include <stdio.h>

enum { WRAP_COLUMNS = 80 };

/* One line, cut between words where it becomes too long; what goes on begins after INDENT blanks. */
struct wrap {
    FILE *out;
    int indent;
    int at; /* the column that it has got to */
};

/* A word or more that are kept together, after BLANKS blanks unless it begins a line. */
void wrap_put(struct wrap *wrap, int blanks, const char *text, int length);
/* The words of TEXT, with as many blanks between them as there are. */
void wrap_put_words(struct wrap *wrap, const char *text);
void wrap_end(struct wrap *wrap);

/* Each line of TEXT by itself. */
void wrap_lines(FILE *out, int indent, const char *text);

#endif
