/*
 * `simos explain A B --placement KERNEL`: what a change costs by itself, and what because the linker put the kernel's
 * functions elsewhere. B runs again with its functions and data seen where KERNEL, that of A, has those of the same
 * names (guest.placement_of): from A to this run is the change's own, from this run to B is its placement.
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_PLACEMENT_H
#define SIMOS_EXPLAIN_EXPLAIN_PLACEMENT_H

#include "src/explain/explain.h"
#include "src/explain/explain_options.h"

/* The two parts of a difference. */
struct explain_placement {
    struct explanation *own, *placement;
};

/* Repeat B, and run it in A's places; E is the explanation of both files. False with ERR if a run fails, B's command
 * does not repeat B, or A's caches saw its kernel by a layout map. In both cases the caller calls
 * explain_placement_release(). */
bool explain_placement_make(struct explain_placement *parts, const struct explain_options *options,
                            const struct explanation *e, struct err *err);
void explain_placement_release(struct explain_placement *parts);

#endif
