/*
 * A kernel as a linker could have placed it instead: a list of its symbols, for guest.placement_of
 * (src/guest/kernel_placement.h).
 */
#ifndef SIMOS_GUEST_KERNEL_LIST_H
#define SIMOS_GUEST_KERNEL_LIST_H

#include "src/guest/kernel_placement.h"
#include <stdio.h>

/* What the linker is told. {0}: nothing, and all objects are where they are. */
struct kernel_link {
    const char *last;         /* this object is not in the list, and so behind all others; NULL: none */
    const char *const *first; /* these functions come first, in this order, and then the others; NULL: as they are */
    size_t first_count;
    uint32_t alignment; /* bytes, a power of two: each function begins at a multiple; 0: as they are */
};

/* Write the list of OBJECTS as LINK says. Functions in another order keep an alignment of up to 16 bytes. If the code
 * becomes longer than its section, data are higher by whole MB. Names that a list cannot have are left out. */
void kernel_list_write(const struct kernel_objects *objects, const struct kernel_link *link, FILE *out);

/* Is NAME that of exactly one of OBJECTS? */
bool kernel_list_has_one(const struct kernel_objects *objects, const char *name);

#endif
