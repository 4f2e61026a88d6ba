/*
 * Hash map from a 64-bit key to a pointer or a number. Open addressing; it grows by doubling.
 *
 * A longer key (a name, a page) is stored as its 64-bit hash, and the caller keeps the key itself: different keys may
 * have the same hash, so a function of the caller compares the keys. One map has keys of one kind only.
 *
 * The slots have no order that means anything: nothing printed or saved may depend on it. A caller that needs an order
 * keeps a list or an array beside the map.
 */
#ifndef SIMOS_BASE_HASH_MAP_H
#define SIMOS_BASE_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key and its value, which the caller sets. A pointer to a slot is valid until the map is changed. */
struct hash_slot {
    uint64_t key; /* or the hash of the key */
    bool used;
    union {
        void *pointer;
        size_t number;
    };
};

/* A map of all zero bytes is empty. */
struct hash_map {
    struct hash_slot *slot;
    size_t count, capacity; /* capacity: number of slots, 0 or a power of two; at most half of them are used */
    unsigned shift;         /* 64 - log2 of the capacity */
};

/* True if SLOT holds the key that SOUGHT describes. Called only for slots with the same hash. */
typedef bool hash_equal_fn(const void *sought, const struct hash_slot *slot);

/* The slot of KEY, or NULL. */
struct hash_slot *hash_map_find(const struct hash_map *map, uint64_t key);
/* The slot of the key with HASH for which EQUAL(SOUGHT, slot) is true, or NULL. */
struct hash_slot *hash_map_find_equal(const struct hash_map *map, uint64_t hash, hash_equal_fn *equal,
                                      const void *sought);

/* Add KEY, or a key with the hash KEY, which must not be in MAP. The value of the returned slot is 0. Aborts if memory
 * is exhausted. */
struct hash_slot *hash_map_add(struct hash_map *map, uint64_t key);
/* Make room for COUNT keys in total. Returns false if memory is exhausted; MAP is unchanged then. */
bool hash_map_reserve(struct hash_map *map, size_t count);
/* Remove SLOT, a used slot of MAP. */
void hash_map_remove(struct hash_map *map, struct hash_slot *slot);

/* The used slot after SLOT, in no particular order; SLOT NULL: the first one. NULL at the end. */
struct hash_slot *hash_map_next(const struct hash_map *map, const struct hash_slot *slot);

/* Remove all keys; the memory is kept for new ones. */
void hash_map_clear(struct hash_map *map);
/* Remove all keys and free the memory. What the values point to is the caller's. */
void hash_map_release(struct hash_map *map);

/* Hash of SIZE bytes (FNV-1a, 64 bits): the same on every host. */
uint64_t hash_bytes(const void *bytes, size_t size);
/* Hash of TEXT without its final 0, equal to hash_bytes() of it. */
uint64_t hash_text(const char *text);

#endif
