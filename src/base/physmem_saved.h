/*
 * RAM as something that is saved: pages that are all zero, and pages that another one is equal to, take no room.
 */
#ifndef SIMOS_PHYSMEM_SAVED_H
#define SIMOS_PHYSMEM_SAVED_H

#include "src/base/physmem.h"
#include "src/base/saved.h"

/* Add the section "memory". It is loaded into a memory of the same size that nobody has written to yet. */
void physmem_register_saved(struct physmem *mem, struct saved *saved);

/* Pages of RAM that are not all zero. */
uint32_t physmem_used_pages(const struct physmem *mem);

#endif
