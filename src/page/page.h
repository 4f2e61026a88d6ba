/*
 * `simos report --html`: one page that explains runs side by side. It is one HTML file that needs nothing else: its
 * drawings are SVG, made when it is written, and its script only sorts and searches tables.
 *
 * Text from the files is text everywhere (src/page/page_html.h), and the page forbids the browser to load anything
 * and to run any script but its own.
 */
#ifndef SIMOS_PAGE_PAGE_H
#define SIMOS_PAGE_PAGE_H

#include "src/report/report.h"

/* Progress of a run that goes on (src/run/live.h). */
struct page_live {
    double share; /* of the run that is done, 0 to 1; negative: unknown */
    double host;  /* seconds since the first instruction */
    double mips;  /* million instructions a host second, since the last picture; negative: unknown */
};

/* Write the page of RUNS; LIVE: they go on, and the page asks for itself again and again. NULL: they have ended. */
void page_write(const struct result_files *runs, const struct page_live *live, FILE *out);

/* Write the page of RUNS, which have ended, to the file PATH. ERR names the file. */
bool page_save(const struct result_files *runs, const char *path, struct err *err);

#endif
