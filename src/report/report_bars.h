/*
 * A figure of stacked bars, drawn by gnuplot: a bar a machine, say, of the same parts.
 */
#ifndef SIMOS_REPORT_BARS_H
#define SIMOS_REPORT_BARS_H

#include "src/base/log.h"
#include <stdio.h>

enum { REPORT_BARS_NAME = 96 };

struct report_bars {
    const char *path, *title, *y_label;
    unsigned bars, parts;
    char (*bar)[REPORT_BARS_NAME];  /* names, under the bars */
    char (*part)[REPORT_BARS_NAME]; /* names, in the key; the first is at the bottom */
    const char **colour;            /* of each part; NULL: that of its number */
    double *value;                  /* [bar * parts + part] */
};

/* Room for BARS bars of PARTS parts, names empty, values 0. The texts must outlive it. */
struct report_bars *report_bars_create(const char *path, const char *title, const char *y_label, unsigned bars,
                                       unsigned parts);
void report_bars_free(struct report_bars *bars);
void report_bars_set(struct report_bars *bars, unsigned bar, unsigned part, double value);

/* Draw it, as an SVG file. Parts that are 0 in all bars are left out. */
bool report_bars_draw(const struct report_bars *bars, struct err *err);

#endif
