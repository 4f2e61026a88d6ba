#include "cache/classify/classify_table.h"

#include "src/base/log.h"
#include <sys/mman.h>

static size_t bytes_of(uint32_t line_shift, size_t size)
{
    return ((size_t)1 << (32 - line_shift)) * size;
}

void *classify_table_create(uint32_t line_shift, size_t size)
{
    void *table = mmap(NULL, bytes_of(line_shift, size), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED)
        log_bug("out of address space for the classification of misses");
    return table;
}

void classify_table_free(void *table, uint32_t line_shift, size_t size)
{
    if (table)
        munmap(table, bytes_of(line_shift, size));
}
