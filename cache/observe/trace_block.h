/*
 * Format of a binary trace (docs/how-to/trace.md): a header, then blocks of records. Private to
 * cache/observe/trace*.c and tests.
 *
 *   header   "SIMOSTRC", version, level, CPUs, flags (one byte each), bytes of a fetched line (4)
 *   block    uncompressed size (4), compressed size (4), CRC-32 of the compressed bytes (4), compressed bytes (zlib)
 *   end      0 (4), 8 (4), CRC-32 of the next 8 bytes (4), number of references (8)
 *
 * All numbers are little-endian.
 */
#ifndef SIMOS_CACHE_OBSERVE_TRACE_BLOCK_H
#define SIMOS_CACHE_OBSERVE_TRACE_BLOCK_H

#include "cache/observe/trace_code.h"

#define TRACE_MAGIC "SIMOSTRC"
enum {
    TRACE_VERSION = 4,
    TRACE_VERSION_OLDEST = 1, /* that is read: its CACHE instructions have no virtual addresses; 2 has no walks */
    TRACE_VERSION_CALLS = 4,  /* the first with the numbers of system calls */
    TRACE_HEADER_BYTES = 16,
    TRACE_BLOCK_HEADER_BYTES = 12,
    TRACE_BLOCK_BYTES = 1 << 18, /* maximum, uncompressed */
    TRACE_FLAG_TIMES = 1,
    TRACE_FLAG_WHOLE = 2,
    TRACE_FLAG_MIPS1 = 4,   /* level 0 */
    TRACE_FLAG_PROCESS = 8, /* enum trace_process */
    TRACE_FLAG_THREAD = 16, /* likewise */
};

static inline void trace_put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint64_t trace_get(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

/* The fields (enum trace_fields) of the records of a trace of LEVEL, with or without TIMES and, at level 0, CALLS. */
static inline unsigned trace_fields_of(unsigned level, bool times, bool calls)
{
    return (unsigned)(times ? TRACE_HAS_TIMES : 0) |
           (unsigned)(level == 0 ? TRACE_HAS_WORDS | (calls ? TRACE_HAS_CALLS : 0) : 0);
}

#endif
