#include "cache/state/directory.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static size_t chunk_records(const struct directory *directory)
{
    return (size_t)1 << (DIRECTORY_CHUNK_SHIFT - directory->line_shift);
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

struct directory_record *directory_allocate(struct directory *directory, paddr address)
{
    struct directory_record **chunk = &directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    if (!*chunk) {
        *chunk = calloc(chunk_records(directory), sizeof **chunk);
        if (!*chunk)
            log_bug("out of memory for the coherence directory");
    }
    return *chunk + directory_offset(directory, address);
}

bool directory_next(const struct directory *directory, uint64_t *address, struct directory_record *record)
{
    uint64_t size = UINT64_C(1) << directory->line_shift;
    while (*address >> 32 == 0) {
        if (!directory->chunk[*address >> DIRECTORY_CHUNK_SHIFT]) {
            *address = ((*address >> DIRECTORY_CHUNK_SHIFT) + 1) << DIRECTORY_CHUNK_SHIFT;
            continue;
        }
        *record = directory_read(directory, (paddr)*address);
        if (record->sharers != 0 || record->owned || record->modified)
            return true;
        *address += size;
    }
    return false;
}
