/*
 * RAM in a checkpoint: all-zero pages and duplicates of other pages take no space.
 */
#ifndef SIMOS_MEMORY_PHYSMEM_SAVED_H
#define SIMOS_MEMORY_PHYSMEM_SAVED_H

#include "src/memory/physmem.h"
#include "src/base/saved.h"

/* Register the saved section "memory". It is loaded into an unwritten memory of the same size. */
void physmem_register_saved(struct physmem *mem, struct saved *saved);

/* Number of RAM pages that are not all zero. */
uint32_t physmem_used_pages(const struct physmem *mem);

#endif
