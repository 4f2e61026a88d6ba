/*
 * Lookup of kernel modules by address, for frequent use: the kernel's list is read again only after it has changed.
 */
#ifndef SIMOS_ANNOTATIONS_SYMBOLS_MODULE_RANGES_H
#define SIMOS_ANNOTATIONS_SYMBOLS_MODULE_RANGES_H

#include "annotations/symbols/kernel_memory.h"

enum { MODULE_RANGES_MAX = 512, MODULE_NAME_BYTES = 60 };

struct module_range {
    char name[MODULE_NAME_BYTES];
    vaddr first;
    uint32_t size;
};

struct module_ranges {
    vaddr list;             /* head of the kernel's list; 0: not found yet */
    unsigned tries;         /* calls while the list was not found */
    uint32_t head_links[2]; /* links of the list head when the list was read: newest and oldest module */
    struct module_range range[MODULE_RANGES_MAX];
    unsigned count;
};

/* The module at ADDRESS, valid until the next call; NULL: none. RANGES must be zero initially. */
const struct module_range *module_ranges_find(struct module_ranges *ranges, const struct kernel_memory *kernel,
                                              struct core *core, vaddr address);

#endif
