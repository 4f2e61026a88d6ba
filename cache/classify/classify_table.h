/* Arrays with one element for each line of the 4 GB physical address space, initially zero. Only pages that have been
 * written take host memory. Private to cache/classify*. */
#ifndef SIMOS_CACHE_CLASSIFY_TABLE_H
#define SIMOS_CACHE_CLASSIFY_TABLE_H

#include "src/base/types.h"

/* Creates an array of 2^32 >> LINE_SHIFT elements of SIZE bytes. Out of address space aborts. */
void *classify_table_create(uint32_t line_shift, size_t size);
/* Frees TABLE, which may be NULL. LINE_SHIFT and SIZE as at its creation. */
void classify_table_free(void *table, uint32_t line_shift, size_t size);

#endif
