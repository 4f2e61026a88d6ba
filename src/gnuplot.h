/*
 * Figures, drawn by gnuplot (Debian package gnuplot-nox).
 */
#ifndef SIMOS_GNUPLOT_H
#define SIMOS_GNUPLOT_H

#include "src/log.h"
#include <stdio.h>

/* Can figures be drawn? If not a line on stderr says so. */
bool gnuplot_is_installed(void);

/* Draw the figure PATH: gnuplot reads what WRITE prints, which names PATH. False with ERR if it cannot be. */
bool gnuplot_draw(const char *path, void (*write)(const void *opaque, FILE *out), const void *opaque, struct err *err);

/* TEXT as a string of gnuplot's commands; as a field of its data. */
void gnuplot_put_quoted(FILE *out, const char *text);
void gnuplot_put_text(FILE *out, const char *text);

#endif
