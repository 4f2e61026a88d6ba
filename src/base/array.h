/*
 * Arrays that grow by one element at a time. Their capacity is not kept: it is the least power of two that is not below
 * the number of elements, so that copying them takes time linear in that number, whatever realloc() does.
 */
#ifndef SIMOS_BASE_ARRAY_H
#define SIMOS_BASE_ARRAY_H

#include "src/base/log.h"
#include <stdlib.h>

/* ARRAY with room for one element more than the COUNT that it has, each of SIZE bytes: NULL at first, and afterwards
 * always what this returned, which the caller frees. */
static inline void *array_room(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return checked_memory(realloc(array, (count ? 2 * count : 1) * size));
}

#endif
