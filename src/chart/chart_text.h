/*
 * Texts of a chart: their widths, and how they are broken into lines. A browser has the font, this program has not:
 * widths are those of DejaVu Sans, the widest of the sans-serif fonts in common use, so that what fits here fits there.
 */
#ifndef SIMOS_CHART_CHART_TEXT_H
#define SIMOS_CHART_CHART_TEXT_H

#include <stdbool.h>

/* The fonts of a chart, the first of which is there. */
#define CHART_FONTS "system-ui, \"DejaVu Sans\", sans-serif"

/* The width of TEXT in pixels, in letters of SIZE pixels; upper estimate. */
double chart_text_width(const char *text, double size);

enum { CHART_LINES = 3, CHART_LINE = 160 };

/* A text in lines. */
struct chart_lines {
    unsigned count;
    bool cut; /* shortened: the last line ends with an ellipsis */
    char line[CHART_LINES][CHART_LINE];
};

/* Break TEXT into at most MOST (up to CHART_LINES) lines of WIDTH pixels, after blanks, hyphens and similar characters,
 * or anywhere if there are none. What does not fit is cut. */
void chart_break(struct chart_lines *lines, const char *text, double width, double size, unsigned most);

/* The width of the longest piece of TEXT, between places where a line may be broken. */
double chart_longest_piece(const char *text, double size);

#endif
