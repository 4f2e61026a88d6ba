#include "cache/directory.h"

#include "src/log.h"
#include <stdlib.h>
#include <string.h>

static size_t chunk_entries(const struct directory *directory)
{
    return (size_t)1 << (DIRECTORY_CHUNK_SHIFT - directory->line_shift);
}

static size_t offset_in_chunk(const struct directory *directory, paddr address)
{
    return (address & ((1u << DIRECTORY_CHUNK_SHIFT) - 1)) >> directory->line_shift;
}

void directory_init(struct directory *directory, uint32_t line)
{
    memset(directory, 0, sizeof *directory);
    directory->line_shift = (uint32_t)__builtin_ctz(line);
}

void directory_release(struct directory *directory)
{
    for (size_t i = 0; i < DIRECTORY_CHUNKS; i++) {
        free(directory->chunk[i]);
        directory->chunk[i] = NULL;
    }
}

void directory_clear(struct directory *directory)
{
    directory_release(directory);
}

void directory_add(struct directory *directory, paddr address, unsigned cpu)
{
    uint16_t **chunk = &directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    if (!*chunk) {
        *chunk = calloc(chunk_entries(directory), sizeof **chunk);
        if (!*chunk)
            log_bug("out of memory for the directory of the caches");
    }
    (*chunk)[offset_in_chunk(directory, address)] |= (uint16_t)(1u << cpu);
}

void directory_remove(struct directory *directory, paddr address, unsigned cpu)
{
    uint16_t *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    if (chunk)
        chunk[offset_in_chunk(directory, address)] &= (uint16_t) ~(1u << cpu);
}

uint64_t directory_population(const struct directory *directory)
{
    uint64_t population = 0;
    for (size_t i = 0; i < DIRECTORY_CHUNKS; i++) {
        if (!directory->chunk[i])
            continue;
        for (size_t entry = 0; entry < chunk_entries(directory); entry++) {
            if (directory->chunk[i][entry])
                population += (unsigned)__builtin_popcount(directory->chunk[i][entry]);
        }
    }
    return population;
}
