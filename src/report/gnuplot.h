/*
 * Drawing figures with gnuplot (Debian package gnuplot-nox).
 */
#ifndef SIMOS_REPORT_GNUPLOT_H
#define SIMOS_REPORT_GNUPLOT_H

#include "src/base/log.h"
#include <stdio.h>

/* Is gnuplot installed? If not, prints a line on stderr. */
bool gnuplot_is_installed(void);

/* Draw the figure PATH: WRITE prints a gnuplot script, whose output is the figure. Returns false with ERR, and
 * what was there stays. */
bool gnuplot_draw(const char *path, void (*write)(const void *opaque, FILE *out), const void *opaque, struct err *err);

/* Print TEXT, which may come from outside, as a string of the script. */
void gnuplot_put_quoted(FILE *out, const char *text);

/* Default size of a figure, and the width of a character (an upper estimate), in pixels. */
enum { GNUPLOT_WIDTH = 720, GNUPLOT_HEIGHT = 420, GNUPLOT_CHARACTER = 7 };

/* Head of a script: terminal, title and the common style. */
struct gnuplot_frame {
    const char *title, *y_label;
    unsigned width, height; /* pixels */
};
void gnuplot_put_frame(FILE *out, const struct gnuplot_frame *frame);

/* The colour of the stacked PART as "#rrggbb": modes, stalls and classes of misses have the same in every figure, any
 * other the one of NUMBER; those of the remainder and of idle time. */
const char *gnuplot_colour(const char *part, unsigned number);
#define GNUPLOT_OTHER "#999999"
#define GNUPLOT_IDLE  "#e8e8e8"

/* Print TEXT as a string, broken into lines of at most ROOM characters after blanks, hyphens and similar characters, or
 * anywhere if there are none. Returns the number of lines. OUT may be NULL. */
unsigned gnuplot_put_lines(FILE *out, const char *text, unsigned room);
/* Print only line NUMBER (from 0); empty beyond the last. */
void gnuplot_put_line(FILE *out, const char *text, unsigned room, unsigned number);
/* Print the first line as the label of a tic. */
void gnuplot_put_tic(FILE *out, const char *text, unsigned room);
/* The longest unbreakable piece of TEXT, in characters, at most GNUPLOT_PIECE. */
enum { GNUPLOT_PIECE = 24 };
unsigned gnuplot_longest_word(const char *text);

#endif
