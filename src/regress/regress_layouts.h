/*
 * What a row is in many layouts of one kernel: where they lie, whether they fall into two groups, and where the linked
 * layout is among them. Layouts are not exchangeable with the linked one: no mean of them stands for it.
 */
#ifndef SIMOS_REGRESS_REGRESS_LAYOUTS_H
#define SIMOS_REGRESS_REGRESS_LAYOUTS_H

#include "src/base/types.h"
#include <stdbool.h>

enum { LAYOUTS_STRIP = 48 };

/* The COUNT values of a row. */
struct regress_layouts {
    unsigned count;
    uint64_t least, most;
    /* Two groups: the gap between them is wider than either, and each has a fifth of all values, or more. */
    bool has_groups;
    unsigned low_count;
    double low, high; /* means of the groups */
};

/* Describe COUNT VALUES, at least one. */
struct regress_layouts regress_layouts_of(const uint64_t *values, unsigned count);

/* VALUES and LINKED on one line from the least to the most of them: a place has "." for one value, ":" for two, "|" for
 * more, and "L" for LINKED. */
void regress_layouts_strip(const uint64_t *values, unsigned count, uint64_t linked, char strip[LAYOUTS_STRIP + 1]);

#endif
