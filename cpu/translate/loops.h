/*
 * Loops: sets of basic blocks of one page from which control returns to the first of them, and the register allocation
 * for them. Inside a loop, its most used guest registers replace unused ones in host registers; the replaced guest
 * registers are in memory until the loop is left.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_LOOPS_H
#define SIMOS_CPU_TRANSLATE_LOOPS_H

#include "cpu/translate/build.h"
#include "cpu/translate/translate.h"

enum loop_head {
    LOOP_UNKNOWN, /* target of a backward branch, not analysed yet */
    LOOP_NONE,
    LOOP_HEAD, /* head of a loop that is translated separately */
};

/* LOOP_SMALL: maximum number of instructions of a loop whose lines may be checked once, at its head (x86_lines.c). */
enum { LOOP_REGISTERS = GPR_COUNT + 2, LOOP_BLOCKS = 32, LOOP_SMALL = 192 };

struct loop {
    unsigned count;
    vaddr pc[LOOP_BLOCKS]; /* start addresses of its basic blocks, the head first */
    unsigned insns;
    /* Number of references to each register in the code; HI and LO follow the general registers. */
    uint16_t uses[LOOP_REGISTERS];
};

/* Find the loop with head PC, for which loop_is_head() is true. False: there is none, or it contains calls, or it is
 * too large. */
bool loop_find(struct loop *loop, const struct code_page *page, const struct build_context *context, vaddr pc);

/* Is the code from PC on a handler: straight code up to an eret, or jr with rfe? And does it gain from a register
 * allocation of its own? Such is that of TLB refills, which uses $k0 and $k1 only, each instruction the result of the
 * one before. LOOP then describes it: a loop that is left after the first iteration. */
bool loop_find_handler(struct loop *loop, const struct build_context *context, vaddr pc);

/* Is PC, in PAGE, the head of a loop that should be translated as a loop? */
bool loop_is_head(struct code_page *page, const struct build_context *context, vaddr pc);

#endif
