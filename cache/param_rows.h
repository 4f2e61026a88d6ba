/* Macros for common rows of the parameter table (src/base/params.h). Private to cache/. */
#ifndef SIMOS_CACHE_PARAM_ROWS_H
#define SIMOS_CACHE_PARAM_ROWS_H

#include "src/base/params.h"

/* A time of up to one millisecond. */
#define TIME_ROW(NAME, INITIAL, TEXT)                                                                                  \
    {                                                                                                                  \
        NAME, PARAM_TIME, "ns", INITIAL, 0, 1000000, false, NULL, TEXT                                                 \
    }
#define BOOL_ROW(NAME, INITIAL, TEXT)                                                                                  \
    {                                                                                                                  \
        NAME, PARAM_BOOL, "", INITIAL, 0, 1, false, NULL, TEXT                                                         \
    }
#define CHOICE_ROW(NAME, INITIAL, CHOICES, TEXT)                                                                       \
    {                                                                                                                  \
        NAME, PARAM_CHOICE, "", INITIAL, 0, 0, false, CHOICES, TEXT                                                    \
    }

#endif
