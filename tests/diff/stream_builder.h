/*
 * What stream.c and stream_hard.c build a stream with. Private to them.
 */
#ifndef SIMOS_TEST_DIFF_STREAM_BUILDER_H
#define SIMOS_TEST_DIFF_STREAM_BUILDER_H

#include "tests/diff/stream.h"
#include "tests/diff/stream_rows.h"

/* Where a fixup's target goes. */
enum fixup_kind {
    FIXUP_BRANCH,
    FIXUP_JUMP,
    FIXUP_ADDRESS,  /* lui, ori: to jump to */
    FIXUP_RECOVERY, /* lui, ori: $s7 */
    FIXUP_PLAIN,    /* lui, ori: of a plain instruction, to store to */
    FIXUP_SPACE,    /* lui, ori: to jump to, in the window of code that depends on the address space */
};

struct fixup {
    unsigned at;
    enum fixup_kind kind;
};

enum { LAST_WORDS = 8, LOOP_COUNT = 28, RECOVERY = 23, FIXUPS = STREAM_MAX };

struct builder {
    struct stream_rows rows;
    struct stream *stream;
    bool start[STREAM_MAX]; /* control may come here */
    bool plain[STREAM_MAX]; /* any other plain instruction may be stored here */
    struct fixup fixups[FIXUPS];
    unsigned fixup_count;
    unsigned loop;       /* where the open loop's body begins; 0: none is open */
    unsigned loop_units; /* until it ends */
    unsigned callees[8]; /* routines that are made to be called and changed: their first words */
    unsigned callee_count;
};

static inline struct random *stream_chance(struct builder *b)
{
    return b->rows.random;
}

/* Append a word; remember that the next one needs a target; append lui and ori. */
void stream_emit(struct builder *b, uint32_t word);
void stream_fix(struct builder *b, enum fixup_kind kind);
void stream_emit_constant(struct builder *b, unsigned reg, uint32_t value);
/* lui and ori of an address, once it is known. */
void stream_emit_address(struct builder *b, unsigned reg, enum fixup_kind kind);
/* A plain instruction, at which control may arrive and over which another may be stored. */
void stream_emit_plain(struct builder *b);
/* Begin a loop over the next UNITS units, COUNT times. None is open. */
void stream_begin_loop(struct builder *b, unsigned count, unsigned units);
/* An address at which no code is. */
uint32_t stream_bad_target(struct builder *b);
/* The index of a word to go to, from the one at AT. */
unsigned stream_choose_target(struct builder *b, unsigned at);

/* stream_hard.c: one of the units that kind->hard is about. False if it chose to do nothing. */
bool stream_emit_hard(struct builder *b);
/* The words that such units jump by. */
void stream_put_targets(struct builder *b, struct image *image);
/* Address of the word at TARGET in the window of code, as address space SPACE (0, 1) has it. */
vaddr stream_space_address(const struct builder *b, unsigned target, unsigned space);

#endif
