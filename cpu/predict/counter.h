/* Saturating counters, with values from 0 to MOST, an odd number: the upper half predicts "taken" (J. E. Smith, ISCA
 * 1981). */
#ifndef SIMOS_CPU_PREDICT_COUNTER_H
#define SIMOS_CPU_PREDICT_COUNTER_H

#include "src/base/types.h"

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

#endif
