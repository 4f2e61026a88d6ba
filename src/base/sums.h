/*
 * Sums of numbers that come from files. Each number has been read as one that fits, but a file that somebody else made
 * may have so many that their sum does not: it then stays at the largest (or least) number there is, instead of
 * becoming a small one. Readers for which a wrong sum would be a wrong verdict refuse the file.
 */
#ifndef SIMOS_BASE_SUMS_H
#define SIMOS_BASE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Add MORE to *SUM. False if the sum does not fit: it is UINT64_MAX. */
static inline bool sum_add(uint64_t *sum, uint64_t more)
{
    if (!__builtin_add_overflow(*sum, more, sum))
        return true;
    *sum = UINT64_MAX;
    return false;
}

/* The same, of numbers that may be negative: INT64_MAX or INT64_MIN. */
static inline bool sum_add_signed(int64_t *sum, int64_t more)
{
    if (!__builtin_add_overflow(*sum, more, sum))
        return true;
    *sum = more > 0 ? INT64_MAX : INT64_MIN;
    return false;
}

#endif
