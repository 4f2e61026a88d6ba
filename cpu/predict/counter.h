/* Saturating counters, with values from 0 to MOST, an odd number: the upper half predicts "taken" (J. E. Smith, ISCA
 * 1981). */
#ifndef SIMOS_CPU_PREDICT_COUNTER_H
#define SIMOS_CPU_PREDICT_COUNTER_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdlib.h>
#include <string.h>

/* Maximum of a two-bit and of a three-bit counter. */
enum { COUNTER_TWO_BITS = 3, COUNTER_THREE_BITS = 7 };

static inline bool counter_taken(uint8_t counter, unsigned most)
{
    return counter > most / 2;
}

/* Count up or down. */
static inline void counter_train(uint8_t *counter, unsigned most, bool up)
{
    if (up && *counter < most)
        ++*counter;
    else if (!up && *counter > 0)
        --*counter;
}

/* The value that predicts TAKEN with the least confidence. */
static inline uint8_t counter_weak(unsigned most, bool taken)
{
    return (uint8_t)(most / 2 + taken);
}

/* COUNT counters, each of which predicts "not taken" weakly. free() frees them; out of memory aborts. */
static inline uint8_t *counters_create(size_t count, unsigned most)
{
    uint8_t *counters = checked_memory(malloc(count));
    memset(counters, counter_weak(most, false), count);
    return counters;
}

#endif
