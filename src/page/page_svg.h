/*
 * Charts of a page (src/chart/chart.h), each a figure with its title. The numbers of bars and points are expressions
 * (src/results/expression.h), as those of tables are.
 */
#ifndef SIMOS_PAGE_PAGE_SVG_H
#define SIMOS_PAGE_PAGE_SVG_H

#include "src/chart/chart.h"
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

/* Add a part with the colour of COLOUR, a word of measure_colour(), unless there are too many. */
void page_parts_add(struct page_parts *parts, const char *label, const char *colour);

/* A chart with the heading TITLE, whose axis is called AXIS ("seconds of CPU time"); both are constants. */
struct chart_bars *page_bars_create(const char *title, const char *axis, const struct page_parts *parts);
/* The length of part PART of the last bar, as the value of an expression. */
void page_bars_set(struct chart_bars *bars, const struct page *page, unsigned part, const char *expression, ...)
    __attribute__((format(printf, 4, 5)));
/* The same as VALUE, which the caller has computed. */
void page_bars_set_value(struct chart_bars *bars, unsigned part, double value, const char *expression, ...)
    __attribute__((format(printf, 4, 5)));
/* Draw and free; nothing is drawn if no bar has any length. */
void page_bars_draw(struct chart_bars *bars, const struct page *page);

/* The same for shares and curves, which name their titles. */
void page_shares_draw(const struct page *page, const struct chart_shares *shares);
void page_curves_draw(const struct page *page, const struct chart_curves *curves);

#endif
