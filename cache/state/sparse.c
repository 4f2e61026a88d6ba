#include "cache/state/sparse.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

size_t sparse_size(const struct sparse *sparse)
{
    return (size_t)sparse->homes * sparse->sets * sparse->ways;
}

void sparse_init(struct sparse *sparse, uint32_t homes, uint32_t entries, uint32_t ways, uint32_t line)
{
    *sparse = (struct sparse){.homes = homes, .line_shift = (uint32_t)__builtin_ctz(line)};
    if (entries == 0)
        return;
    sparse->ways = ways;
    sparse->sets = entries / ways;
    sparse->block = checked_memory(calloc(sparse_size(sparse), sizeof *sparse->block));
}

void sparse_release(struct sparse *sparse)
{
    free(sparse->block);
    sparse->block = NULL;
}

void sparse_clear(struct sparse *sparse)
{
    if (sparse->block)
        memset(sparse->block, 0, sparse_size(sparse) * sizeof *sparse->block);
}

void sparse_use(const struct sparse *sparse, paddr *set, uint32_t way, paddr address)
{
    memmove(set + 1, set, way * sizeof *set);
    set[0] = (address >> sparse->line_shift << sparse->line_shift) | SPARSE_USED;
}
