/*
 * Sparse files on their way into the guest: a file with at least COPY_SPARSE_MIN bytes of zeros, in whole blocks of
 * COPY_SPARSE_BLOCK bytes, travels as its other blocks. It is its contents that decide, not where the host's file
 * system has holes, so that a run does not depend on it; holes are not read.
 */
#ifndef SIMOS_HOST_COPY_SPARSE_H
#define SIMOS_HOST_COPY_SPARSE_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { COPY_SPARSE_BLOCK = 65536, COPY_SPARSE_MIN = 1 << 20 };

/* Consecutive blocks of a file that are not all zeros. */
struct copy_part {
    uint64_t first, count;
};

struct copy_parts {
    struct copy_part *parts; /* owned; free() */
    unsigned count;
    uint64_t blocks; /* of all parts */
};

/* Find the parts of the open FILE of SIZE bytes. -1 with errno; 0 if it is not sparse, with no parts; 1 if it is. */
int copy_parts_find(struct copy_parts *parts, int file, uint64_t size);

/* Are the COUNT BYTES all zeros? */
bool copy_is_zero(const void *bytes, size_t count);

#endif
