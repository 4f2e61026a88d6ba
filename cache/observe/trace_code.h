/*
 * Encoding of references as bytes of a trace file (docs/how-to/trace.md). Private to cache/observe/trace*.c and its
 * tests.
 *
 * A record contains the differences to earlier records: the address relative to the last one of the same CPU and kind
 * of stream (fetches, data, the rest), other fields only if they have changed. The state is reset at the start of each
 * block.
 */
#ifndef SIMOS_CACHE_OBSERVE_TRACE_CODE_H
#define SIMOS_CACHE_OBSERVE_TRACE_CODE_H

#include "cache/reference.h"
#include "src/base/board.h"

enum trace_stream { TRACE_INSTRUCTIONS, TRACE_DATA, TRACE_REST, TRACE_STREAMS };

/* State of the encoder and decoder within a block. */
struct trace_state {
    uint8_t cpu;
    struct trace_cpu {
        uint8_t mode;
        uint16_t process;
        cycles now;
        struct trace_last {
            paddr address;
            uint32_t size;
            uint32_t difference; /* virtual minus physical address */
        } last[TRACE_STREAMS];
    } cpus[BOARD_MAX_CPUS];
};

/* Maximum size of a record in bytes. */
enum { TRACE_RECORD_MAX = 64 };

/* What the records of a trace have that others do not. */
enum trace_fields {
    TRACE_HAS_TIMES = 1, /* each its time */
    TRACE_HAS_WORDS = 2, /* level 0: fetches the instruction; and there are exceptions */
    TRACE_HAS_CALLS = 4, /* likewise: exceptions by a system call its number */
};

/* Encodes REFERENCE to TO, with FIELDS (enum trace_fields). Returns the number of bytes. */
size_t trace_encode(struct trace_state *state, const struct reference *reference, unsigned fields, uint8_t *to);
/* Decodes the record at FROM, where COUNT bytes are available. Returns the number of bytes it takes, 0 if it is not a
 * valid record of a machine with CPUS processors. */
size_t trace_decode(struct trace_state *state, const uint8_t *from, size_t count, unsigned fields, unsigned cpus,
                    struct reference *reference);

#endif
