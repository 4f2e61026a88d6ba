/*
 * Which kernel module is at an address: asked often, so the kernel's list is read again only when it has grown.
 */
#ifndef SIMOS_ANNOTATIONS_MODULE_RANGES_H
#define SIMOS_ANNOTATIONS_MODULE_RANGES_H

#include "annotations/symbols/kernel_memory.h"

enum { MODULE_RANGES_MAX = 512, MODULE_NAME_BYTES = 60 };

struct module_range {
    char name[MODULE_NAME_BYTES];
    vaddr first;
    uint32_t size;
};

struct module_ranges {
    vaddr list;       /* head; 0: not found yet */
    unsigned tries;   /* to find it */
    uint32_t says[2]; /* of the list, when it was read: the newest and the oldest */
    struct module_range range[MODULE_RANGES_MAX];
    unsigned count;
};

/* The module at ADDRESS, until the next call; NULL: none. RANGES is zero at first. */
const struct module_range *module_ranges_find(struct module_ranges *ranges, const struct kernel_memory *kernel,
                                              struct core *core, vaddr address);

#endif
