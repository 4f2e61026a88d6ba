/* Arrays with one element for each line of the 4 GB physical address space, initially zero. Only pages that have been
 * written take host memory. Private to cache/. */
#ifndef SIMOS_CACHE_STATE_LINE_TABLE_H
#define SIMOS_CACHE_STATE_LINE_TABLE_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <sys/mman.h>

static inline size_t line_table_bytes(uint32_t line_shift, size_t size)
{
    return ((size_t)1 << (32 - line_shift)) * size;
}

/* Creates an array of 2^32 >> LINE_SHIFT elements of SIZE bytes. Out of address space aborts. */
static inline void *line_table_create(uint32_t line_shift, size_t size)
{
    void *table = mmap(NULL, line_table_bytes(line_shift, size), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED)
        log_bug("out of address space for a table of lines");
    return table;
}

/* Makes all elements of TABLE, which may be NULL, zero. LINE_SHIFT and SIZE as at its creation. */
static inline void line_table_clear(void *table, uint32_t line_shift, size_t size)
{
    if (table && madvise(table, line_table_bytes(line_shift, size), MADV_DONTNEED) != 0)
        log_bug("a table of lines cannot be cleared");
}

/* Frees TABLE, which may be NULL. LINE_SHIFT and SIZE as at its creation. */
static inline void line_table_free(void *table, uint32_t line_shift, size_t size)
{
    if (table)
        munmap(table, line_table_bytes(line_shift, size));
}

#endif
