/*
 * What a sweep varies: a series of machines that differ in one thing, as the command line gives it.
 *
 *     --over "cache.l2.ways=2 cache.l2.size=256K..4M"
 *
 * Words NAME=VALUE set a parameter of every point. In one to three words the value is a list: FIRST..LAST (each twice
 * the one before) or VALUE|VALUE|...; the points are all combinations. Several names (NAME+NAME=LIST) all get the same
 * value. The ready-made series are those of SOSP'95: figure-4.6, figure-4.7, figure-5.3; words behind the name add to
 * them.
 */
#ifndef SIMOS_SWEEP_SERIES_H
#define SIMOS_SWEEP_SERIES_H

#include "src/base/log.h"
#include "src/base/params.h"

enum { SWEEP_POINTS_MAX = 64, SWEEP_VARIED_MAX = 3, SWEEP_LABEL_SIZE = 32 };

struct sweep_series {
    char name[SWEEP_LABEL_SIZE]; /* "figure-4.6", "series-1" */
    char text[256];              /* what it sets */
    char varied[128];            /* the names in which the points differ */
    unsigned count;
    struct params *params[SWEEP_POINTS_MAX];
    char label[SWEEP_POINTS_MAX][SWEEP_LABEL_SIZE]; /* the values, "64K", "64K/2" */
};

/* Fill SERIES, the NUMBERth, from TEXT; BASE is what the points have in common. False with ERR saying what is wrong in
 * TEXT. Either way sweep_series_release() it. */
bool sweep_series_parse(struct sweep_series *series, const char *text, unsigned number, const struct params *base,
                        struct err *err);
void sweep_series_release(struct sweep_series *series);

#endif
