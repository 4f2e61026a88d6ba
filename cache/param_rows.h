/* Macros for common rows of the parameter table (src/base/params.h). Private to cache/. */
#ifndef SIMOS_CACHE_PARAM_ROWS_H
#define SIMOS_CACHE_PARAM_ROWS_H

#include "src/base/params.h"

/* Traits of a parameter of the caches, and of one of the memory behind them, which a sweep has not. */
#define MEMORY_TRAITS (TRAIT_TIMED | TRAIT_HARDWARE)
#define CACHE_TRAITS  (MEMORY_TRAITS | TRAIT_SWEPT)

/* A time of up to one millisecond. */
#define TIME_ROW(NAME, TRAITS, INITIAL, TEXT)                                                                          \
    {                                                                                                                  \
        NAME, PARAM_TIME, TRAITS, "ns", INITIAL, 0, 1000000, false, NULL, TEXT                                         \
    }
#define BOOL_ROW(NAME, TRAITS, INITIAL, TEXT)                                                                          \
    {                                                                                                                  \
        NAME, PARAM_BOOL, TRAITS, "", INITIAL, 0, 1, false, NULL, TEXT                                                 \
    }
#define CHOICE_ROW(NAME, TRAITS, INITIAL, CHOICES, TEXT)                                                               \
    {                                                                                                                  \
        NAME, PARAM_CHOICE, TRAITS, "", INITIAL, 0, 0, false, CHOICES, TEXT                                            \
    }
/* Words, or "@FILE"; initially none. */
#define WORDS_ROW(NAME, TRAITS, TEXT)                                                                                  \
    {                                                                                                                  \
        NAME, PARAM_WORDS, TRAITS, "", "", 0, 0, false, NULL, TEXT                                                     \
    }

#endif
