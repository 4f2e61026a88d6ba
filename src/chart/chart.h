/*
 * Charts as SVG: stacked bars, shares over time, and curves. Each has a title, an axis with ticks and a unit, and a key
 * if it has more than one colour; a mark says its number when the pointer is on it. Whatever the file that a text comes
 * from, it is text (src/base/xml_writer.h).
 *
 * A chart is a file of its own, which has its style, a white background, or a dark one where the reader's system asks
 * for it, and is CHART_FILE_WIDTH wide; or a part of an HTML page, which has chart_put_style() and sets its title, and
 * in which it is CHART_PAGE_WIDTH wide. It grows in height with what it shows, and never in width, so that its text is
 * as readable as that around it.
 *
 * Colours are "#rrggbb" and constants, as units and titles of axes are; other texts are copied.
 */
#ifndef SIMOS_CHART_CHART_H
#define SIMOS_CHART_CHART_H

#include "src/base/types.h"
#include "src/base/log.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* In pixels; the page's style gives its figures this width. */
enum { CHART_FILE_WIDTH = 720, CHART_PAGE_WIDTH = 620 };

enum chart_place { CHART_FILE, CHART_PAGE };

/* Put the rules of style for the charts of a page, whose colours are its variables --text, --faint and --grid. */
void chart_put_style(FILE *out);

/* Stacked bars */

enum chart_direction {
    CHART_LYING,   /* one below the other */
    CHART_UPRIGHT, /* side by side if they and their labels fit, otherwise lying */
};

struct chart_bars;

/* A chart without bars, whose axis is called AXIS ("simulated seconds"). */
struct chart_bars *chart_bars_create(const char *title, const char *axis, enum chart_direction direction);
void chart_bars_free(struct chart_bars *bars);
const char *chart_bars_title(const struct chart_bars *bars);

/* Add a part, which all bars have; before the first bar. The first part is at the axis. */
void chart_bars_add_part(struct chart_bars *bars, const char *label, const char *colour);
/* The bars from here on belong together, and are called LABEL. */
void chart_bars_begin_group(struct chart_bars *bars, const char *label);
/* Add a bar. */
void chart_bars_add(struct chart_bars *bars, const char *label);
/* The length of part PART of the last bar, which is in the file at SOURCE (attribute data-j; NULL: does not say). What
 * is no positive number is drawn as 0. Only the first value of a part counts. */
void chart_bars_set(struct chart_bars *bars, unsigned part, double value, const char *source);

/* Does no bar have any length? */
bool chart_bars_are_empty(const struct chart_bars *bars);
/* Draw the bars. Parts without length are left out of the key. */
void chart_bars_draw(const struct chart_bars *bars, enum chart_place place, FILE *out);
/* Draw them as the file PATH. False with ERR. */
bool chart_bars_save(const struct chart_bars *bars, const char *path, struct err *err);

/* Shares over time */

struct chart_part {
    const char *label, *colour;
};

/* COUNT intervals, the first of which begins at BEGIN. */
struct chart_shares {
    const char *title;
    size_t count;
    double begin;          /* seconds */
    const double *end;     /* of each interval */
    const uint64_t *insns; /* executed since power-on at the end of each interval; NULL: not known */
    const double *share;   /* [interval * parts + part], 0 to 1 */
    unsigned parts;
    const struct chart_part *part; /* the first at the bottom */
};
/* Is there nothing to draw? */
bool chart_shares_are_empty(const struct chart_shares *shares);
void chart_shares_draw(const struct chart_shares *shares, enum chart_place place, FILE *out);
bool chart_shares_save(const struct chart_shares *shares, const char *path, struct err *err);

/* Curves */

/* A scale with the logarithm shows values above 0 only. */
enum chart_scale { CHART_LINEAR, CHART_LOGARITHMIC };

/* LINES lines over COUNT points, in order. */
struct chart_curves {
    const char *title, *x_axis, *y_axis;
    unsigned lines, count;
    const char *const *x; /* names of the points */
    const double *at;     /* the values that they name, ascending; NULL: none, the points are equally far apart */
    enum chart_scale x_scale, y_scale;
    const char *const *label; /* of the lines */
    const char *const *colour;
    const double *y;           /* [line * count + point]; NAN: none */
    const char *const *source; /* of each point; NULL: does not say */
};
/* Is there no line to draw: fewer than two points, or no value above 0? */
bool chart_curves_are_empty(const struct chart_curves *curves);
void chart_curves_draw(const struct chart_curves *curves, enum chart_place place, FILE *out);
bool chart_curves_save(const struct chart_curves *curves, const char *path, struct err *err);

/* Steps: one value after the other, each with its interval, and marks where they have changed */

struct chart_step {
    const char *name; /* of the place on the axis */
    double value;
    double half;          /* half of its interval; NAN: none */
    const char *tip;      /* what is said of it when the pointer is on it */
    const char *label;    /* "+5.2 %": the values step here, up or down; NULL: they do not */
    bool is_less, is_new; /* it steps down; it cannot be compared with those before it */
};

struct chart_steps {
    const char *title, *x_axis, *y_axis;
    unsigned count;
    const struct chart_step *steps;
};
void chart_steps_draw(const struct chart_steps *steps, enum chart_place place, FILE *out);

#endif
