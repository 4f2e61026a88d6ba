/*
 * Random instruction streams, generated from the rows of isa.def.
 *
 * A stream consists of units: an instruction, a branch with its delay slot, or a short sequence that must not be
 * entered in the middle (an address and the jump to it; ll and sc). Control transfers go to the beginning of units
 * only. Not generated, as UNPREDICTABLE: branches in delay slots, links that overwrite their own operand, fields out
 * of range in ext and ins.
 *
 * Registers: $s0..$s3, $s5, $fp point into the windows of image.h, $s4 to the code; $s6 is an index, $s7 the recovery
 * address after a failed fetch, $gp a loop counter. The others are random.
 */
#ifndef SIMOS_TESTS_DIFF_STREAM_H
#define SIMOS_TESTS_DIFF_STREAM_H

#include "cpu/isa/isa.h"
#include "tests/diff/image.h"

/* Properties of a stream. */
struct stream_kind {
    bool kernel;     /* starts in kernel mode, and uses privileged instructions */
    bool ends;       /* runs forward, except bounded loops, up to context.end; otherwise it loops forever */
    bool time;       /* may read clocks and set the timer */
    bool interrupts; /* may enable interrupts, and wait for them */
    bool oracle;     /* only behaviour that the architecture defines, without documented differences to QEMU */
    bool hard;       /* includes cases that are hard for a translator (stream_hard.c); requires image_add_spaces() */
    bool fr;         /* 64-bit floating-point registers */
    unsigned length; /* approximate number of words; at most STREAM_MAX - 64 */
    paddr code;      /* physical and user address of its first word */
};

enum { STREAM_MAX = 4096 };

struct stream {
    uint32_t words[STREAM_MAX];
    unsigned count;
    struct context context; /* initial registers */
};

/* Generate a stream into IMAGE, with the words that it stores over itself. */
void stream_generate(struct stream *stream, const struct stream_kind *kind, struct random *random,
                     const struct isa_decoder *decoder, struct image *image);

/* Print the stream's words, disassembled. */
void stream_print(const struct stream *stream, const struct isa_decoder *decoder);

#endif
