/*
 * Progress line of operations that take longer than two seconds: the operation, the fraction done, and the estimated
 * remaining time. Shown on stderr if that is a terminal; otherwise not at all. Host time is shown only here and in the
 * last line of the results.
 */
#ifndef SIMOS_BASE_PROGRESS_H
#define SIMOS_BASE_PROGRESS_H

#include <stdbool.h>

struct progress;

/* Begin an operation. NULL, which all functions here accept, if stderr is not a terminal. */
struct progress *progress_create(void);
/* Erase the line and free. */
void progress_free(struct progress *progress);

/* Is the line due to be drawn? First after two seconds, then twice per second; cheap to call often. */
bool progress_is_due(const struct progress *progress);
/* Draw the line, from column 0. SHARE is the fraction done, 0 to 1; negative: unknown. */
void progress_draw(struct progress *progress, double share, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Erase the line before other output. */
void progress_erase(struct progress *progress);

#endif
