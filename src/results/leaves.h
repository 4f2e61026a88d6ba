/*
 * The leaves of one run: its cycles by everything that one of its accounts distinguishes. They come from the cycles by
 * place (annotations.cycles, `--script cycles`), those by service (annotations.services), or those by mode. In the
 * latter two the service or mode stands in the place of the routine.
 */
#ifndef SIMOS_RESULTS_LEAVES_H
#define SIMOS_RESULTS_LEAVES_H

#include "src/results/results.h"

enum leaf_level { LEAVES_BY_MODE, LEAVES_BY_SERVICE, LEAVES_BY_PLACE };

/* The name of a leaf; the texts belong to the statistics. */
struct leaf_name {
    const char *routine, *cause, *data, *class;
};

struct leaf {
    struct leaf_name name;
    uint64_t count; /* instructions; waits */
    int64_t cycles;
};

/* The leaves of RESULTS at LEVEL, those of the same name as one, sorted by name. The caller frees them. False with ERR
 * if RESULTS, called TITLE, have no such accounts or they do not add up. */
bool leaves_read(const struct results *results, const char *title, enum leaf_level level, struct leaf **rows,
                 size_t *count, struct err *err);
/* The finest level that RESULTS have. */
enum leaf_level leaf_level_of(const struct results *results);
int leaf_name_order(const struct leaf_name *a, const struct leaf_name *b);

#endif
