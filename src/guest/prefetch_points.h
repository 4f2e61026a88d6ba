/*
 * Prefetch points: instructions of the guest's kernel before which the machine prefetches a line of data, as if a PREF
 * were there that the kernel does not have (docs/reference/prefetch.md). PC hooks; they do not change guest-visible
 * state. A point takes the cycle of a PREF, and no room in the code.
 */
#ifndef SIMOS_GUEST_PREFETCH_POINTS_H
#define SIMOS_GUEST_PREFETCH_POINTS_H

#include "annotations/symbols/machine_view.h"

struct prefetch_point;

/* Set the points TEXT (the value of prefetch.points) of the kernel of VIEW: words INSTRUCTION:OFFSET(REGISTER), as
 * code_words_each() reads them; they are added to the list *POINTS. Without prefetch.data, or without caches, they are
 * only checked. Fails naming the word. */
bool prefetch_points_set(struct prefetch_point **points, const struct machine_view *view, const char *text,
                         struct err *err);
/* Free the points, which no core may reach any more. */
void prefetch_points_free(struct prefetch_point *points);

#endif
