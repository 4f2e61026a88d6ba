/*
 * Random instruction streams, made from the rows of isa.def.
 *
 * A stream is made of units: an instruction, a branch with its delay slot, or a short sequence that must not be entered
 * in the middle (an address and the jump to it, ll and sc). Control goes to the beginnings of units only. Not made, as
 * UNPREDICTABLE: branches in delay slots, links that destroy their own operand, fields out of range in ext and ins.
 *
 * Registers: $s0..$s3, $s5, $fp point into the windows of image.h, $s4 at the code, $s6 is an index, $s7 is where a
 * failed fetch goes on, $gp counts loops. The rest is for chance.
 */
#ifndef SIMOS_TEST_DIFF_STREAM_H
#define SIMOS_TEST_DIFF_STREAM_H

#include "cpu/isa.h"
#include "tests/diff/image.h"

/* What a stream may do. */
struct stream_kind {
    bool kernel;     /* runs in kernel mode, at first, and does what only a kernel may */
    bool ends;       /* goes forward, but for bounded loops, up to context.end; else it goes round for ever */
    bool time;       /* may look at clocks and set the timer */
    bool interrupts; /* may enable interrupts, and wait for them */
    bool oracle;     /* only what is defined by the architecture, and no documented difference to QEMU */
    bool hard;       /* also what is hard for a translator (stream_hard.c); image_add_spaces() is needed */
    bool fr;         /* 64-bit floating-point registers */
    unsigned length; /* words, about; at most STREAM_MAX - 64 */
    paddr code;      /* physical and user address of its first word */
};

enum { STREAM_MAX = 4096 };

struct stream {
    uint32_t words[STREAM_MAX];
    unsigned count;
    struct context context; /* to start with */
};

/* Make a stream; the words for it to store over itself go into IMAGE, and so does the stream. */
void stream_generate(struct stream *stream, const struct stream_kind *kind, struct random *random,
                     const struct isa_decoder *decoder, struct image *image);

/* Print the stream's words, disassembled. */
void stream_print(const struct stream *stream, const struct isa_decoder *decoder);

#endif
