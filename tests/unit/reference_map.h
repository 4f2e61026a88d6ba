/* A value for each of many numbers, as the reference models of the memory system keep it for lines, words and pages. */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_MAP_H
#define SIMOS_TESTS_UNIT_REFERENCE_MAP_H

#include <stdint.h>
#include <stdlib.h>

/* A sparse array of cells of SIZE bytes, indexed by a number below 2^30 (of a line or word), initially zero. Cells do
 * not move. */
enum { REF_CHUNK = 1 << 10 };
struct ref_map {
    size_t size;
    char ***chunk; /* [number / REF_CHUNK^2][number / REF_CHUNK % REF_CHUNK]: REF_CHUNK cells */
};

static inline void *ref_cell(struct ref_map *map, uint32_t number)
{
    if (!map->chunk)
        map->chunk = calloc(REF_CHUNK, sizeof *map->chunk);
    char ***chunks = &map->chunk[number / REF_CHUNK / REF_CHUNK];
    if (!*chunks)
        *chunks = calloc(REF_CHUNK, sizeof **chunks);
    char **chunk = &(*chunks)[number / REF_CHUNK % REF_CHUNK];
    if (!*chunk)
        *chunk = calloc(REF_CHUNK, map->size);
    return *chunk + (size_t)(number % REF_CHUNK) * map->size;
}

static inline void ref_map_free(struct ref_map *map)
{
    for (uint32_t i = 0; map->chunk && i < REF_CHUNK; i++) {
        for (uint32_t j = 0; map->chunk[i] && j < REF_CHUNK; j++)
            free(map->chunk[i][j]);
        free(map->chunk[i]);
    }
    free(map->chunk);
    map->chunk = NULL;
}

#endif
