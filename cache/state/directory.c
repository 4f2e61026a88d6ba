#include "cache/state/directory.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static size_t chunk_records(const struct units *units)
{
    return (size_t)1 << (DIRECTORY_CHUNK_SHIFT - units->line_shift);
}

void directory_init(struct units *units, uint32_t line)
{
    memset(units, 0, sizeof *units);
    units->line_shift = (uint32_t)__builtin_ctz(line);
}

void directory_release(struct units *units)
{
    for (size_t i = 0; i < DIRECTORY_CHUNKS; i++) {
        free(units->chunk[i]);
        units->chunk[i] = NULL;
    }
}

void directory_clear(struct units *units)
{
    directory_release(units);
}

uint32_t *directory_allocate(struct units *units, paddr address)
{
    uint32_t **chunk = &units->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    if (!*chunk) {
        *chunk = calloc(chunk_records(units), sizeof **chunk);
        if (!*chunk)
            log_bug("out of memory for the coherence directory");
    }
    return *chunk + directory_offset(units, address);
}

bool directory_next(const struct units *units, uint64_t *address, uint32_t *record)
{
    uint64_t unit = UINT64_C(1) << units->line_shift;
    while (*address >> 32 == 0) {
        if (!units->chunk[*address >> DIRECTORY_CHUNK_SHIFT]) {
            *address = ((*address >> DIRECTORY_CHUNK_SHIFT) + 1) << DIRECTORY_CHUNK_SHIFT;
            continue;
        }
        *record = directory_read(units, (paddr)*address);
        if (*record != 0)
            return true;
        *address += unit;
    }
    return false;
}
