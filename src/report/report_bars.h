/*
 * A figure of stacked bars, drawn by gnuplot. All bars have the same parts.
 */
#ifndef SIMOS_REPORT_REPORT_BARS_H
#define SIMOS_REPORT_REPORT_BARS_H

#include "src/base/log.h"
#include <stdio.h>

enum { REPORT_BARS_NAME = 96 };

struct report_bars {
    const char *path, *title, *y_label;
    unsigned bars, parts;
    char (*bar)[REPORT_BARS_NAME];  /* names, shown under the bars */
    char (*part)[REPORT_BARS_NAME]; /* names, shown in the key; the first part is at the bottom */
    const char **colour;            /* of each part; NULL: the default colour of its number */
    double *value;                  /* index: bar * parts + part */
};

/* Create a figure of BARS bars with PARTS parts; all names are empty and all values 0. The strings must outlive it. */
struct report_bars *report_bars_create(const char *path, const char *title, const char *y_label, unsigned bars,
                                       unsigned parts);
void report_bars_free(struct report_bars *bars);
void report_bars_set(struct report_bars *bars, unsigned bar, unsigned part, double value);

/* Draw the figure as an SVG file. Parts that are 0 in all bars are omitted. Returns false with ERR. */
bool report_bars_draw(const struct report_bars *bars, struct err *err);

#endif
