/*
 * Loops: segments of one page from which control comes back to their first one, and the assignment of the host's
 * registers that suits them. In a loop the registers that it uses most have homes in place of those that it does not
 * use; the others wait in memory until it is left.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_LOOPS_H
#define SIMOS_CPU_TRANSLATE_LOOPS_H

#include "cpu/translate/build.h"
#include "cpu/translate/translate.h"

enum loop_head {
    LOOP_UNKNOWN, /* a branch goes back to it: has not been looked at */
    LOOP_NONE,
    LOOP_HEAD, /* a loop begins here that is worth an assignment of its own */
};

/* LOOP_SMALL: so many instructions of a loop are fetched without looking at their lines (x86_lines.c). */
enum { LOOP_REGISTERS = GPR_COUNT + 2, LOOP_SEGMENTS = 32, LOOP_SMALL = 192 };

struct loop {
    unsigned count;
    vaddr pc[LOOP_SEGMENTS]; /* where its segments begin, the head first */
    unsigned insns;
    uint16_t uses[LOOP_REGISTERS]; /* how often the code names each register, HI and LO behind the general ones */
};

/* Find the loop whose head is at PC. False: there is none, or it has calls in it, or is too large. */
bool loop_find(struct loop *loop, const struct build_context *context, vaddr pc);

/* Is PC, in PAGE, the head of a loop that should be translated as one? */
bool loop_is_head(struct code_page *page, const struct build_context *context, vaddr pc);

#endif
