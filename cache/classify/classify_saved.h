/* Checkpoints of the miss classification. Private to cache/. */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_SAVED_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_SAVED_H

#include "cache/classify/classify.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"

/* Adds the section "classification", timing state. Only lines in the RAM of MEM are ever cached. */
void classify_register_saved(struct classify *classify, const struct physmem *mem, struct saved *saved);

#endif
