#include "src/base/hash_map.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16, KEY_BITS = 64 };

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME  UINT64_C(0x100000001b3)

/* The slot where the search for KEY begins. Keys are often addresses, which differ in a few bits: the multiplication by
 * 2^64 / golden ratio (Knuth, volume 3, 6.4) spreads them over the upper bits. */
static size_t home_of(const struct hash_map *map, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> map->shift);
}

static inline struct hash_slot *search(const struct hash_map *map, uint64_t key, hash_equal_fn *equal,
                                       const void *sought)
{
    if (map->count == 0)
        return NULL;
    const size_t mask = map->capacity - 1;
    for (size_t i = home_of(map, key); map->slot[i].used; i = (i + 1) & mask)
        if (map->slot[i].key == key && (!equal || equal(sought, &map->slot[i])))
            return &map->slot[i];
    return NULL;
}

struct hash_slot *hash_map_find(const struct hash_map *map, uint64_t key)
{
    return search(map, key, NULL, NULL);
}

struct hash_slot *hash_map_find_equal(const struct hash_map *map, uint64_t hash, hash_equal_fn *equal,
                                      const void *sought)
{
    return search(map, hash, equal, sought);
}

/* A free slot for KEY, marked as used. */
static struct hash_slot *take_slot(struct hash_map *map, uint64_t key)
{
    const size_t mask = map->capacity - 1;
    size_t i = home_of(map, key);
    while (map->slot[i].used)
        i = (i + 1) & mask;
    map->slot[i].key = key;
    map->slot[i].used = true;
    map->count++;
    return &map->slot[i];
}

bool hash_map_reserve(struct hash_map *map, size_t count)
{
    struct hash_map bigger = {.capacity = map->capacity ? map->capacity : FIRST_CAPACITY};
    if (2 * count <= map->capacity)
        return true;
    while (bigger.capacity < 2 * count)
        bigger.capacity *= 2;
    bigger.shift = KEY_BITS - (unsigned)__builtin_ctzll(bigger.capacity);
    bigger.slot = calloc(bigger.capacity, sizeof *bigger.slot);
    if (!bigger.slot)
        return false;
    for (const struct hash_slot *old = hash_map_next(map, NULL); old; old = hash_map_next(map, old))
        *take_slot(&bigger, old->key) = *old;
    free(map->slot);
    *map = bigger;
    return true;
}

struct hash_slot *hash_map_add(struct hash_map *map, uint64_t key)
{
    if (!hash_map_reserve(map, map->count + 1))
        log_bug("out of memory for a map of %zu keys", map->count);
    return take_slot(map, key);
}

/* A search ends at the first free slot. So each later slot up to there moves into the gap, unless that is before its
 * home. */
void hash_map_remove(struct hash_map *map, struct hash_slot *slot)
{
    const size_t mask = map->capacity - 1;
    size_t gap = (size_t)(slot - map->slot);
    for (size_t i = (gap + 1) & mask; map->slot[i].used; i = (i + 1) & mask) {
        if (((i - home_of(map, map->slot[i].key)) & mask) < ((i - gap) & mask))
            continue;
        map->slot[gap] = map->slot[i];
        gap = i;
    }
    memset(&map->slot[gap], 0, sizeof map->slot[gap]);
    map->count--;
}

struct hash_slot *hash_map_next(const struct hash_map *map, const struct hash_slot *slot)
{
    for (size_t i = slot ? (size_t)(slot - map->slot) + 1 : 0; i < map->capacity; i++)
        if (map->slot[i].used)
            return &map->slot[i];
    return NULL;
}

void hash_map_clear(struct hash_map *map)
{
    if (map->count)
        memset(map->slot, 0, map->capacity * sizeof *map->slot);
    map->count = 0;
}

void hash_map_release(struct hash_map *map)
{
    free(map->slot);
    *map = (struct hash_map){.slot = NULL};
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    uint64_t hash = FNV_OFFSET;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ from[i]) * FNV_PRIME;
    return hash;
}

uint64_t hash_text(const char *text)
{
    return hash_bytes(text, strlen(text));
}
