/*
 * What differs between the statistics files of two runs.
 */
#ifndef SIMOS_RESULTS_DIFFERENCES_H
#define SIMOS_RESULTS_DIFFERENCES_H

#include "src/results/results.h"

enum { DIFFERENCE_TEXT = 64 };

/* A value that differs: a number, a string, or a value that only one file has. */
struct difference {
    char *name;                                                /* "cpu0.mode.user.cycles", printable */
    char old_text[DIFFERENCE_TEXT], new_text[DIFFERENCE_TEXT]; /* printable; a long string is truncated */
    double change;        /* relative change, 0 to 1; 2 if it is not a number in both files */
    double before, after; /* if it is */
    double amount;        /* absolute change */
    size_t order;         /* position in the files */
};

struct differences {
    size_t count, room, seen; /* seen: values that were compared */
    struct difference *row;   /* owned; in order of decreasing relative change */
};

/* The differences of all values but the version of the program. The caller calls differences_release(). */
void differences_find(struct differences *differences, const struct results *before, const struct results *after);
void differences_release(struct differences *differences);

#endif
