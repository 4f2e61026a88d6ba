/*
 * Random single instructions: choice of a row of isa.def, and its fields. Internal to stream.c and the fuzzer.
 */
#ifndef SIMOS_TESTS_DIFF_STREAM_ROWS_H
#define SIMOS_TESTS_DIFF_STREAM_ROWS_H

#include "cpu/isa/isa.h"
#include "tests/diff/random.h"
#include "tests/diff/stream.h"

struct stream_rows {
    const struct stream_kind *kind;
    struct random *random;
    const struct isa_decoder *decoder;
    uint16_t weight[ISA_COUNT]; /* relative frequency of the row in a stream */
    uint32_t total, plain_total;
};

void stream_rows_init(struct stream_rows *rows, const struct stream_kind *kind, struct random *random,
                      const struct isa_decoder *decoder);

/* Is the row plain: no control transfer, one word, allowed anywhere and replaceable by another one? */
bool stream_rows_is_plain(enum isa_id id);

/* Choose any row for the kind; stream.c generates sequences for some. */
enum isa_id stream_rows_pick(struct stream_rows *rows);

/* Encode an instruction of row ID. The caller sets branch targets. */
uint32_t stream_rows_encode(struct stream_rows *rows, enum isa_id id);

/* Encode a random plain instruction. */
uint32_t stream_rows_plain(struct stream_rows *rows);

#endif
