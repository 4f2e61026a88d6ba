/*
 * The progress line on a terminal: simulated seconds, guest instructions a host second, and what the CPUs have been
 * doing since the line was last drawn. The only place, with the last line of the results, where host time is shown.
 */
#ifndef SIMOS_PROGRESS_H
#define SIMOS_PROGRESS_H

#include "src/machine.h"

struct progress;

/* On the terminal FD. Nothing is drawn in the first two seconds. */
struct progress *progress_create(int fd);
void progress_free(struct progress *progress);

/* Draw the line anew if it is time to. Call it often, with the cursor at the start of a line. */
void progress_update(struct progress *progress, const struct machine *machine);
/* Take it away before something else is written. */
void progress_erase(struct progress *progress);

#endif
