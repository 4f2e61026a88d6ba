/*
 * Small numbers for values that are wanted as parts of keys, in the order in which the values came; each has one.
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

#endif
