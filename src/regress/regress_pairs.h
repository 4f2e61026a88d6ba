/*
 * Functions and data that evict each other in a cache more often as linked than in the places of another kernel: what
 * makes a placement unlucky (docs/reference/miss-classes.md, "Who evicted it").
 */
#ifndef SIMOS_REGRESS_REGRESS_PAIRS_H
#define SIMOS_REGRESS_REGRESS_PAIRS_H

#include "src/regress/regress_row.h"
#include "src/results/results.h"

/* The pairs of one run, by "CACHE: MISSED, evicted by EVICTOR": their misses, and their sets (0: several, else the
 * number of the set and 1). */
struct regress_pairs {
    struct regress_parts misses, sets;
};

/* Add the pairs of RESULTS, which need not have any. The caller calls regress_pairs_release(). */
void regress_pairs_read(struct regress_pairs *pairs, const struct results *results);
void regress_pairs_release(struct regress_pairs *pairs);

/* A pair that misses more as linked. */
struct regress_pair {
    const char *text; /* owned by the pairs */
    int64_t more;     /* misses */
    int64_t set;      /* -1: in several sets */
};

/* The names of PAIR: what missed, and what had evicted it. */
enum { REGRESS_PAIR_NAME = 208 };
void regress_pair_names(const struct regress_pair *pair, char missed[REGRESS_PAIR_NAME],
                        char evicted_by[REGRESS_PAIR_NAME]);

enum { REGRESS_PAIRS_SHOWN = 3 };
/* Those of the caches of ROW that miss most more in LINKED than in HELD, at most REGRESS_PAIRS_SHOWN, largest first.
 * Returns their number. */
unsigned regress_pairs_compare(const struct regress_pairs *linked, const struct regress_pairs *held,
                               const struct regress_row *row, struct regress_pair found[REGRESS_PAIRS_SHOWN]);

#endif
