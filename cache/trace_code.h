/*
 * References as the bytes of a trace file (docs/how-to/trace.md), and back. Private to cache/trace*.c and its tests.
 *
 * A record says what is different from the record before it: the address relative to the last of the same CPU and kind
 * of stream (fetches, data, the rest), everything else only if it has changed. Nothing is remembered from one block to
 * the next.
 */
#ifndef SIMOS_CACHE_TRACE_CODE_H
#define SIMOS_CACHE_TRACE_CODE_H

#include "cache/reference.h"
#include "src/board.h"

enum trace_stream { TRACE_INSTRUCTIONS, TRACE_DATA, TRACE_REST, TRACE_STREAMS };

/* What encoder and decoder remember within a block. */
struct trace_state {
    uint8_t cpu;
    struct trace_cpu {
        uint8_t mode;
        uint16_t process;
        cycles now;
        struct trace_last {
            paddr address;
            uint32_t size;
            uint32_t difference; /* virtual minus physical */
        } last[TRACE_STREAMS];
    } cpus[BOARD_MAX_CPUS];
};

/* A record has no more bytes than this. */
enum { TRACE_RECORD_MAX = 64 };

/* The bytes of REFERENCE to TO, with its time if TIMES; how many. */
size_t trace_encode(struct trace_state *state, const struct reference *reference, bool times, uint8_t *to);
/* The record at FROM, of which COUNT bytes are there: how many it takes; 0 if they are no record of a machine of CPUS.
 */
size_t trace_decode(struct trace_state *state, const uint8_t *from, size_t count, bool times, unsigned cpus,
                    struct reference *reference);

#endif
