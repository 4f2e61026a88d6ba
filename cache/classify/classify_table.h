/*
 * Arrays with an element for each line of the 4 GB physical address space. Host memory is used only for what has been
 * written to; everything is zero at first. Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_TABLE_H
#define SIMOS_CACHE_CLASSIFY_TABLE_H

#include "src/base/types.h"

/* An array of 2^32 >> LINE_SHIFT elements of SIZE bytes. Out of address space aborts. */
void *classify_table_create(uint32_t line_shift, size_t size);
/* TABLE may be NULL. The other arguments as given when it was made. */
void classify_table_free(void *table, uint32_t line_shift, size_t size);

#endif
