/*
 * Placement of the kernel: the caches see its functions and its data elsewhere, while the guest executes the same
 * instructions at the same addresses (docs/how-to/placement.md). Each object, a function or a datum from its symbol to
 * the next one, stays whole and keeps its alignment. A place is that of an object of the same name in another kernel
 * ("held"), or one in a random order, by a seed.
 *
 * Objects are seen in the window BOARD_PLACED_BASE, at the distance from its beginning that their places have from
 * address 0: no memory is there, and sets of caches whose ways are a power of two long are those of the places.
 *
 * Not moved: the kernel's initialization, per-CPU data, modules, and what it allocates.
 */
#ifndef SIMOS_GUEST_KERNEL_PLACEMENT_H
#define SIMOS_GUEST_KERNEL_PLACEMENT_H

#include "cache/placement/layout_map.h"
#include "src/base/symbols.h"

/* An object of a kernel. */
struct kernel_object {
    const char *name; /* of several symbols at one address, that of symbols_at() */
    paddr at;
    uint32_t size;   /* bytes, up to the next object; with AT a multiple of LAYOUT_UNIT */
    uint8_t section; /* enum kernel_section */
};

/* The parts of a kernel whose objects keep together. */
enum kernel_section { KERNEL_CODE, KERNEL_DATA, KERNEL_BSS, KERNEL_SECTIONS };

struct kernel_objects {
    size_t count;
    struct kernel_object *object; /* by address */
    paddr first[KERNEL_SECTIONS], end[KERNEL_SECTIONS];
};

/* The objects of the kernel with SYMBOLS, which must outlive them: its code, and its DATA. False with ERR if its code
 * is not known to begin and end in memory below the devices, or if it has moved itself. The caller calls
 * kernel_objects_release(). */
bool kernel_objects_find(struct kernel_objects *objects, const struct symbols *symbols, bool data, struct err *err);
void kernel_objects_release(struct kernel_objects *objects);

/* Of each object of OWN, the index of the object of LIKE that has its name, in WHERE [own->count]; -1: there is none.
 * Static functions of one name are told apart by the functions before them. */
enum { KERNEL_OBJECT_NEW = -1 };
void kernel_objects_match(const struct kernel_objects *own, const struct kernel_objects *like, int64_t *where);

/* Where the caches see the objects of OWN: PIECES [own->count], by index. An object that LIKE has too (LIKE may be OWN)
 * has the place of that one, if it is no larger; the others follow behind all of LIKE's. Places are LIKE's addresses
 * with SEED 0; otherwise they are in an order that only SEED and the names decide, the same for all kernels that have
 * these objects. False with ERR if the window is full. *MOVED: something is seen elsewhere. */
bool kernel_placement_make(const struct kernel_objects *own, const struct kernel_objects *like, uint32_t seed,
                           struct layout_piece *pieces, bool *moved, struct err *err);

#endif
