/*
 * A checkpoint section in memory, written through struct saved_out and read through struct saved_in.
 */
#ifndef SIMOS_TESTS_UNIT_TAPE_H
#define SIMOS_TESTS_UNIT_TAPE_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdlib.h>
#include <string.h>

/* Zero-initialised: empty. The owner releases it. */
struct record_options {
    uint8_t *bytes;
    size_t size, at, capacity;
};

static inline void tape_put(void *opaque, const void *bytes, size_t count)
{
    struct record_options *tape = opaque;
    if (count == 0)
        return;
    if (tape->size + count > tape->capacity) {
        tape->capacity = 2 * (tape->size + count);
        tape->bytes = checked_memory(realloc(tape->bytes, tape->capacity));
    }
    memcpy(tape->bytes + tape->size, bytes, count);
    tape->size += count;
}

static inline bool tape_get(void *opaque, void *bytes, size_t count)
{
    struct record_options *tape = opaque;
    if (count > tape->size - tape->at)
        return false;
    if (count > 0)
        memcpy(bytes, tape->bytes + tape->at, count);
    tape->at += count;
    return true;
}

static inline void tape_release(struct record_options *tape)
{
    free(tape->bytes);
    *tape = (struct record_options){0};
}

#endif
