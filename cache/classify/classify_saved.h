/*
 * The classification of misses as something that is saved. Private to cache/.
 */
#ifndef SIMOS_CACHE_CLASSIFY_SAVED_H
#define SIMOS_CACHE_CLASSIFY_SAVED_H

#include "cache/classify/classify.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"

/* Add the section "classification", of timing. All lines that were ever in a cache are of the RAM of MEM. */
void classify_register_saved(struct classify *classify, const struct physmem *mem, struct saved *saved);

#endif
