/*
 * A series of sweep points: memory systems that differ in few parameters, as the option --over describes them.
 *
 *     --over "cache.l2.ways=2 cache.l2.size=256K..4M"
 *
 * A word NAME=VALUE sets a parameter of all points. In one to three words the value is a list: FIRST..LAST (each
 * value twice the previous one) or VALUE|VALUE|...; the points are all combinations. NAME+NAME=LIST gives several
 * parameters the same value. Predefined series are those of SOSP'95: figure-4.6, figure-4.7, figure-5.3; words after
 * the name modify them.
 */
#ifndef SIMOS_OBSERVE_SWEEP_SERIES_H
#define SIMOS_OBSERVE_SWEEP_SERIES_H

#include "src/base/log.h"
#include "src/base/params.h"

enum { SWEEP_POINTS_MAX = 64, SWEEP_VARIED_MAX = 3, SWEEP_LABEL_SIZE = 32 };

struct sweep_series {
    char name[SWEEP_LABEL_SIZE]; /* "figure-4.6", "series-1" */
    char text[256];              /* its words */
    char varied[128];            /* names of the parameters that vary */
    unsigned count;
    struct params *params[SWEEP_POINTS_MAX];
    char label[SWEEP_POINTS_MAX][SWEEP_LABEL_SIZE]; /* the values: "64K", "64K/2" */
};

/* Parse TEXT into SERIES, number NUMBER of the command line. BASE: parameters common to all points. Returns false with
 * ERR. In both cases the caller calls sweep_series_release(). */
bool sweep_series_parse(struct sweep_series *series, const char *text, unsigned number, const struct params *base,
                        struct err *err);
void sweep_series_release(struct sweep_series *series);

#endif
