/*
 * Prefetch points: instructions of the guest's kernel before which the machine prefetches a line of data, as if a PREF
 * were there that the kernel does not have (docs/reference/prefetch.md). PC hooks; they do not change guest-visible
 * state. A point takes the cycle of a PREF, and no room in the code.
 */
#ifndef SIMOS_MACHINE_PREFETCH_POINTS_H
#define SIMOS_MACHINE_PREFETCH_POINTS_H

#include "src/base/log.h"

struct machine;

/* Set the points of prefetch.points: words INSTRUCTION:OFFSET(REGISTER), as code_words_each() reads them. Without
 * prefetch.data, or without caches, they are only checked. Fails naming the word. */
bool prefetch_points_set(struct machine *machine, struct err *err);
/* Free the points, which no core may reach any more. */
void prefetch_points_free(struct machine *machine);

#endif
