/*
 * Charts of a page, as SVG: horizontal stacked bars, shares over time, and curves. Each has a title, an axis with ticks
 * and a unit, and a key if it has more than one colour. The numbers of bars are expressions (src/results/expression.h),
 * as those of tables are; a bar shows its number when the pointer is on it.
 */
#ifndef SIMOS_PAGE_PAGE_SVG_H
#define SIMOS_PAGE_PAGE_SVG_H

#include "src/page/page_html.h"

enum { PAGE_PARTS_MAX = 40, PAGE_LABEL = 96 };

struct page_part {
    char label[PAGE_LABEL];
    const char *colour;
};

/* The parts of a chart, in order. */
struct page_parts {
    unsigned count;
    struct page_part part[PAGE_PARTS_MAX];
};

/* Add a part with the colour of COLOUR, a word of page_colour(), unless there are too many. */
void page_parts_add(struct page_parts *parts, const char *label, const char *colour);

/* The colour of what a word denotes: a mode, a kind of stall, a class of misses. The same on the whole page. */
const char *page_colour(const char *word);

struct page_bars;

/* A chart with the heading TITLE, whose axis is called AXIS ("seconds of CPU time"); both are constants. PARTS must
 * outlive it. */
struct page_bars *page_bars_create(const char *title, const char *axis, const struct page_parts *parts);
/* Add a bar called LABEL. */
void page_bars_add(struct page_bars *bars, const char *label);
/* The length of part PART of the last bar, as the value of an expression. */
void page_bars_set(struct page_bars *bars, const struct page *page, unsigned part, const char *expression, ...)
    __attribute__((format(printf, 4, 5)));
/* The same as VALUE, which the caller has computed. */
void page_bars_set_value(struct page_bars *bars, unsigned part, double value, const char *expression, ...)
    __attribute__((format(printf, 4, 5)));
/* Draw and free. Parts without length are left out of the key; nothing is drawn if no bar has any length. */
void page_bars_draw(struct page_bars *bars, const struct page *page);

/* Shares over time: COUNT intervals, the first of which begins at BEGIN. */
struct page_shares {
    const char *title; /* text */
    size_t count;
    double begin;        /* seconds */
    const double *end;   /* of each interval */
    const double *share; /* [interval * parts->count + part], 0 to 1 */
    const struct page_parts *parts;
};
void page_shares_draw(const struct page *page, const struct page_shares *shares);

/* Curves: LINES lines over COUNT points. */
enum { PAGE_POINT = 128 /* bytes of an expression */ };
struct page_curves {
    const char *title, *x_axis, *y_axis; /* texts */
    unsigned lines, count;
    const char *const *x;     /* names of the points */
    const char *const *label; /* of the lines */
    const char *const *colour;
    const double *y;                      /* [line * count + point]; NAN: none */
    const char (*expression)[PAGE_POINT]; /* of each point, whose value it is */
};
void page_curves_draw(const struct page *page, const struct page_curves *curves);

#endif
