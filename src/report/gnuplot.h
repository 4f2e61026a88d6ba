/*
 * Figures, drawn by gnuplot (Debian package gnuplot-nox).
 */
#ifndef SIMOS_GNUPLOT_H
#define SIMOS_GNUPLOT_H

#include "src/base/log.h"
#include <stdio.h>

/* Can figures be drawn? If not a line on stderr says so. */
bool gnuplot_is_installed(void);

/* Draw the figure PATH: gnuplot reads what WRITE prints, which names PATH. False with ERR if it cannot be. */
bool gnuplot_draw(const char *path, void (*write)(const void *opaque, FILE *out), const void *opaque, struct err *err);

/* TEXT as a string of gnuplot's commands; as a field of its data. */
void gnuplot_put_quoted(FILE *out, const char *text);
void gnuplot_put_text(FILE *out, const char *text);

/* Sizes in pixels: of a figure without reason for another, and of a character of its text, on the wide side. */
enum { GNUPLOT_WIDTH = 720, GNUPLOT_HEIGHT = 420, GNUPLOT_CHARACTER = 7 };

/* What a figure begins with: its terminal and file, title, and the style that all have in common. */
struct gnuplot_frame {
    const char *path, *title, *y_label;
    unsigned width, height; /* pixels */
};
void gnuplot_put_frame(FILE *out, const struct gnuplot_frame *frame);

/* The colour of part NUMBER of what is stacked, "#rrggbb"; and of what is in no other part, and of idle time. */
const char *gnuplot_colour(unsigned number);
#define GNUPLOT_OTHER "#999999"
#define GNUPLOT_IDLE  "#e8e8e8"

/* TEXT as a string of gnuplot's commands in lines of at most ROOM characters, broken behind blanks, hyphens and the
 * like, and where there are none anywhere. Returns how many lines; OUT may be NULL. */
unsigned gnuplot_put_lines(FILE *out, const char *text, unsigned room);
/* Only line NUMBER, from 0, of these; empty behind the last. */
void gnuplot_put_line(FILE *out, const char *text, unsigned room, unsigned number);
/* The longest piece of TEXT that should not be broken, in characters, at most GNUPLOT_PIECE. */
enum { GNUPLOT_PIECE = 24 };
unsigned gnuplot_longest_piece(const char *text);

#endif
