/*
 * Shared by stream.c and stream_hard.c; internal.
 */
#ifndef SIMOS_TESTS_DIFF_STREAM_BUILDER_H
#define SIMOS_TESTS_DIFF_STREAM_BUILDER_H

#include "tests/diff/stream.h"
#include "tests/diff/stream_rows.h"

/* Kinds of references to a target that is resolved later. */
enum fixup_kind {
    FIXUP_BRANCH,
    FIXUP_JUMP,
    FIXUP_ADDRESS,  /* lui, ori: a jump target */
    FIXUP_RECOVERY, /* lui, ori: $s7 */
    FIXUP_PLAIN,    /* lui, ori: address of a plain instruction, to overwrite it */
    FIXUP_SPACE,    /* lui, ori: a jump target in the window of code that depends on the address space */
};

struct fixup {
    unsigned at;
    enum fixup_kind kind;
};

enum { LAST_WORDS = 8, LOOP_COUNT = 28, RECOVERY = 23, FIXUPS = STREAM_MAX };

struct builder {
    struct stream_rows rows;
    struct stream *stream;
    bool start[STREAM_MAX]; /* control transfers may go here */
    bool plain[STREAM_MAX]; /* may be overwritten with any other plain instruction */
    struct fixup fixups[FIXUPS];
    unsigned fixup_count;
    unsigned loop;       /* start of the open loop's body; 0: none is open */
    unsigned loop_units; /* units until it ends */
    unsigned callees[8]; /* first words of routines that are called and modified */
    unsigned callee_count;
};

static inline struct random *stream_chance(struct builder *b)
{
    return b->rows.random;
}

/* Append a word; record a reference from the next word; append lui and ori. */
void stream_emit(struct builder *b, uint32_t word);
void stream_fix(struct builder *b, enum fixup_kind kind);
void stream_emit_constant(struct builder *b, unsigned reg, uint32_t value);
/* Append lui and ori of an address that is resolved later. */
void stream_emit_address(struct builder *b, unsigned reg, enum fixup_kind kind);
/* Append a plain instruction, which may be a jump target and may be overwritten. */
void stream_emit_plain(struct builder *b);
/* Begin a loop with COUNT iterations over the next UNITS units. No loop may be open. */
void stream_begin_loop(struct builder *b, unsigned count, unsigned units);
/* An address outside of code. */
uint32_t stream_bad_target(struct builder *b);
/* Choose a jump target for the word at AT; returns its index. */
unsigned stream_choose_target(struct builder *b, unsigned at);

/* stream_hard.c: append one of the cases of kind->hard. False if it appended nothing. */
bool stream_emit_hard(struct builder *b);
/* Store the jump targets of these cases in IMAGE. */
void stream_put_targets(struct builder *b, struct image *image);
/* The address of word TARGET in the window of code of address space SPACE (0 or 1). */
vaddr stream_space_address(const struct builder *b, unsigned target, unsigned space);

#endif
