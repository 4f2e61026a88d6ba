/*
 * The hash map, compared with a plain array over random operations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/base/hash_map.h"

enum { KEYS = 600, STEPS = 40000 };

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Kinds of keys that the simulator has: numbers, addresses of structures and pages, packed pairs; and random ones. */
static uint64_t nth_key(unsigned kind, unsigned n)
{
    uint64_t seed = n + 1;
    switch (kind) {
    case 0: return n;
    case 1: return 0x80000000u + 0x40 * n;
    case 2: return (uint64_t)n << 12;
    case 3: return (uint64_t)n << 32 | 0xc0000000u;
    case 4: return UINT64_MAX - n;
    default: random_next(&seed); return random_next(&seed);
    }
}
enum { KINDS = 6 };

/* The map holds just the keys with present[n], with the value values[n]. */
static void assert_map(const struct hash_map *map, unsigned kind, const bool *present, const size_t *values)
{
    size_t count = 0, walked = 0;
    for (unsigned n = 0; n < KEYS; n++) {
        const struct hash_slot *slot = hash_map_find(map, nth_key(kind, n));
        assert_int_equal(slot != NULL, present[n]);
        if (slot) {
            assert_true(slot->key == nth_key(kind, n));
            assert_int_equal(slot->number, values[n]);
        }
        count += present[n];
    }
    for (const struct hash_slot *slot = hash_map_next(map, NULL); slot; slot = hash_map_next(map, slot)) {
        assert_ptr_equal(slot, hash_map_find(map, slot->key));
        walked++;
    }
    assert_int_equal(map->count, count);
    assert_int_equal(walked, count);
    assert_true(2 * count <= map->capacity);
}

static void is_as_an_array(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct hash_map map = {.count = 0};
        bool present[KEYS] = {false};
        size_t values[KEYS] = {0};
        for (unsigned step = 0; step < STEPS; step++) {
            const uint64_t random = random_next(&seed);
            const unsigned n = (unsigned)(random % KEYS);
            const uint64_t key = nth_key(kind, n);
            struct hash_slot *slot = hash_map_find(&map, key);
            assert_int_equal(slot != NULL, present[n]);
            if (!slot) {
                slot = hash_map_add(&map, key);
                assert_int_equal(slot->number, 0);
                slot->number = values[n] = (size_t)(random >> 32);
                present[n] = true;
            } else if (random >> 32 & 1) {
                assert_int_equal(slot->number, values[n]);
                hash_map_remove(&map, slot);
                present[n] = false;
            } else {
                slot->number = values[n] = (size_t)(random >> 33);
            }
            if (step % 997 == 0)
                assert_map(&map, kind, present, values);
            if (step % 9973 == 0) {
                hash_map_clear(&map);
                memset(present, 0, sizeof present);
            }
        }
        assert_map(&map, kind, present, values);
        hash_map_release(&map);
        assert_int_equal(map.count, 0);
    }
}

/* All keys have one of a few hashes, so that only the comparison tells them apart. */
struct word {
    char text[16];
    bool present;
};

static bool is_word(const void *sought, const struct hash_slot *slot)
{
    return strcmp(((const struct word *)slot->pointer)->text, sought) == 0;
}

static void equal_hashes_are_told_apart(void **state)
{
    (void)state;
    for (unsigned hashes = 1; hashes <= 4; hashes++) {
        struct hash_map map = {.count = 0};
        struct word words[100];
        uint64_t seed = 7;
        for (unsigned n = 0; n < 100; n++) {
            snprintf(words[n].text, sizeof words[n].text, "word %u", n);
            words[n].present = false;
        }
        for (unsigned step = 0; step < 4000; step++) {
            struct word *word = &words[random_next(&seed) % 100];
            const uint64_t hash = hash_text(word->text) % hashes;
            struct hash_slot *slot = hash_map_find_equal(&map, hash, is_word, word->text);
            assert_int_equal(slot != NULL, word->present);
            if (slot) {
                assert_ptr_equal(slot->pointer, word);
                hash_map_remove(&map, slot);
            } else {
                hash_map_add(&map, hash)->pointer = word;
            }
            word->present = !word->present;
        }
        hash_map_release(&map);
    }
}

static void an_empty_map_finds_nothing(void **state)
{
    (void)state;
    struct hash_map map = {.count = 0};
    assert_null(hash_map_find(&map, 0));
    assert_null(hash_map_next(&map, NULL));
    hash_map_clear(&map);
    hash_map_release(&map);
    assert_true(hash_map_reserve(&map, 100));
    assert_null(hash_map_find(&map, 0));
    assert_null(hash_map_next(&map, NULL));
    hash_map_release(&map);
}

/* Room that was reserved is enough: a pointer to a slot stays valid while it is filled. */
static void reserved_room_does_not_move(void **state)
{
    (void)state;
    struct hash_map map = {.count = 0};
    assert_true(hash_map_reserve(&map, 1000));
    const struct hash_slot *first = hash_map_add(&map, 5);
    const size_t capacity = map.capacity;
    for (unsigned n = 1; n < 1000; n++)
        hash_map_add(&map, 5 + n)->number = n;
    assert_int_equal(map.capacity, capacity);
    assert_ptr_equal(first, hash_map_find(&map, 5));
    hash_map_add(&map, 5000);
    assert_int_equal(map.capacity, map.count * 2 > capacity ? 2 * capacity : capacity);
    assert_int_equal(hash_map_find(&map, 1004)->number, 999);
    hash_map_release(&map);
}

/* The hash is FNV-1a: values from its authors' test suite. */
static void hashes_are_fnv1a(void **state)
{
    (void)state;
    assert_true(hash_text("") == UINT64_C(0xcbf29ce484222325));
    assert_true(hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hash_text("foobar") == UINT64_C(0x85944171f73967e8));
    assert_true(hash_bytes("foobar\0more", 6) == hash_text("foobar"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_an_array),
        cmocka_unit_test(equal_hashes_are_told_apart),
        cmocka_unit_test(an_empty_map_finds_nothing),
        cmocka_unit_test(reserved_room_does_not_move),
        cmocka_unit_test(hashes_are_fnv1a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
