/*
 * Random instructions, one at a time: which row of isa.def, and what its fields hold. Private to stream.c and the fuzz.
 */
#ifndef SIMOS_TEST_DIFF_STREAM_ROWS_H
#define SIMOS_TEST_DIFF_STREAM_ROWS_H

#include "cpu/isa.h"
#include "tests/diff/random.h"
#include "tests/diff/stream.h"

struct stream_rows {
    const struct stream_kind *kind;
    struct random *random;
    const struct isa_decoder *decoder;
    uint16_t weight[ISA_COUNT]; /* how often a stream has the row */
    uint32_t total, plain_total;
};

void stream_rows_init(struct stream_rows *rows, const struct stream_kind *kind, struct random *random,
                      const struct isa_decoder *decoder);

/* Plain: no jump, one word, may stand anywhere and be replaced by another one. */
bool stream_rows_is_plain(enum isa_id id);

/* Any row of the kind's; stream.c makes sequences of some. */
enum isa_id stream_rows_pick(struct stream_rows *rows);

/* An instruction of row ID. Branch targets are left to the caller. */
uint32_t stream_rows_encode(struct stream_rows *rows, enum isa_id id);

/* A plain instruction. */
uint32_t stream_rows_plain(struct stream_rows *rows);

#endif
