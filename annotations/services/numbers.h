/*
 * Small numbers for values that are wanted as parts of keys, in the order in which the values came; each has one. And
 * what was counted under such keys.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_NUMBERS_H
#define SIMOS_ANNOTATIONS_SERVICES_NUMBERS_H

#include "src/base/hash_map.h"
#include <stddef.h>

enum { NUMBERS_BITS = 26, NUMBERS_MAX = 1 << NUMBERS_BITS };

struct numbers {
    struct hash_map map;
    uint64_t *values;
    size_t count, room;
};

/* The number of VALUE, below NUMBERS_MAX; more values are a bug (abort). */
size_t number_of(struct numbers *numbers, uint64_t value);
void numbers_release(struct numbers *numbers);

struct tally_row {
    uint64_t key, count;
    int64_t cycles;
};

/* A row for each key, in the order in which the keys came. */
struct tally {
    struct hash_map map;
    struct tally_row *rows;
    size_t count, room;
};

/* Add COUNT and CYCLES to the row of KEY. */
void tally_add(struct tally *tally, uint64_t key, uint64_t count, int64_t cycles);
/* Remove all rows. */
void tally_clear(struct tally *tally);
void tally_release(struct tally *tally);

#endif
