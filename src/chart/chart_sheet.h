/*
 * The sheet that a chart is drawn on: the document, the title, the key; axes with ticks; marks with their numbers.
 */
#ifndef SIMOS_CHART_CHART_SHEET_H
#define SIMOS_CHART_CHART_SHEET_H

#include "src/base/xml_writer.h"
#include "src/chart/chart.h"
#include "src/chart/chart_text.h"

/* Sizes of letters, distances of lines, in pixels. */
enum { SHEET_TITLE = 15, SHEET_TEXT = 12, SHEET_TICK = 11, SHEET_LINE = 15, SHEET_MARGIN = 14 };

struct sheet {
    struct xml_writer xml;
    enum chart_place place;
    double left, right; /* between the margins */
    double top;         /* below the title and the key */
};

/* Begin a chart that is HEIGHT high below its title and its key of COUNT parts; the key is left out if there are fewer
 * than two. */
void sheet_begin(struct sheet *sheet, enum chart_place place, FILE *out, const char *title,
                 const struct chart_part *key, unsigned count, double height);
void sheet_end(struct sheet *sheet);

/* Left and right margin of PLACE, which a chart has to know before it begins. */
double sheet_left(enum chart_place place);
double sheet_right(enum chart_place place);

enum sheet_anchor { SHEET_START, SHEET_MIDDLE, SHEET_END };
/* Put TEXT at X and, with its foot, Y; CLASS may be NULL. */
void sheet_text(struct sheet *sheet, double x, double y, enum sheet_anchor anchor, const char *class, const char *text);
/* Put the lines of what was broken, the first at Y; if it was cut, WHOLE is shown when the pointer is on it. */
void sheet_lines(struct sheet *sheet, double x, double y, enum sheet_anchor anchor, const struct chart_lines *lines,
                 const char *whole);
/* Put a text that is read from below, around Y. */
void sheet_text_upwards(struct sheet *sheet, double x, double y, const char *text);
/* What is shown when the pointer is on the present element: LABEL, PART: VALUE. Without PART, LABEL alone. */
void sheet_tip(struct sheet *sheet, const char *label, const char *part, double value);

/* The axes stand in a group of their own. */
void sheet_begin_axis(struct sheet *sheet);
void sheet_end_axis(struct sheet *sheet);
void sheet_rule(struct sheet *sheet, double x1, double y1, double x2, double y2);

/* A scale of values from FROM to TO. */
struct scale {
    enum chart_scale kind;
    double from, to;
    double begin, length; /* where FROM is, and how far TO is from it: negative upwards */
};
double scale_at(const struct scale *scale, double value);

/* The ticks of a scale: a linear one has about 6, at 1, 2 or 5 times a power of ten; a logarithmic one has powers of
 * ten, and 2 and 5 times them if these are few. */
enum { TICKS_MAX = 64 };
struct ticks {
    unsigned count;
    double value[TICKS_MAX];
    char text[TICKS_MAX][24];
    double widest; /* of the texts, in pixels */
};
void ticks_make(struct ticks *ticks, const struct scale *scale);

/* Draw the vertical axis of SCALE at X, with rules to TO_X, and UNIT left of all. */
void sheet_y_axis(struct sheet *sheet, const struct scale *scale, const struct ticks *ticks, double x, double to_x,
                  const char *unit);
/* The room that such an axis needs at the left. */
double sheet_y_axis_width(const struct ticks *ticks);

/* An axis with names instead of values along SCALE, above FOOT, with its TITLE: each has a tick, and the names of each
 * or of every second, fifth, tenth ... one stand there, so many that none touches another; a name that reaches over an
 * edge is left out. */
struct axis_name {
    const char *name;
    double at;
};
void sheet_name_axis(struct sheet *sheet, const struct scale *scale, const struct axis_name *names, unsigned count,
                     double foot, const char *title);

#endif
