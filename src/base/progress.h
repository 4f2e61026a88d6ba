/*
 * The progress line of whatever takes longer than two seconds: what is being done, how much of it is done, and how long
 * the rest will take if it goes on so. On stderr, if that is a terminal; nothing anywhere else. Here and in the last
 * line of the results host time is shown, and nowhere else.
 */
#ifndef SIMOS_PROGRESS_H
#define SIMOS_PROGRESS_H

#include <stdbool.h>

struct progress;

/* NULL, which all functions here take, if stderr is no terminal. The work begins now. */
struct progress *progress_create(void);
/* With the line erased. */
void progress_free(struct progress *progress);

/* Is it time to draw the line? Ask often: never in the first two seconds, then twice a second. */
bool progress_is_due(const struct progress *progress);
/* Draw it, with the cursor at the start of a line. SHARE of the work is done, 0 to 1; negative: who knows. */
void progress_draw(struct progress *progress, double share, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Take it away before something else is written. */
void progress_erase(struct progress *progress);

#endif
