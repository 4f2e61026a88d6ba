/*
 * Is a processor in a state that it cannot leave by itself? Then only another processor (by the power controller, or by
 * what it writes to memory), a device that writes to memory, or a debugger can help it. Interrupts do not: in all of
 * these states none can be taken.
 *
 * Not found: loops of more than one instruction.
 */
#ifndef SIMOS_CPU_STANDSTILL_H
#define SIMOS_CPU_STANDSTILL_H

#include "cpu/core.h"

enum core_standstill {
    CORE_GOES_ON, /* or nobody knows better */
    CORE_OFF,     /* no power */
    CORE_WAITS,   /* in `wait`, and Status.IM lets no interrupt pin through */
    CORE_FAULTS,  /* the first instruction of the exception vector raises an exception, which leads there again */
    CORE_LOOPS,   /* a branch to itself with an empty delay slot, interrupts off */
};

/* Between runs, of CORE; of one in the middle of its run only from hooks->fault_repeats. Changes nothing. *BY_CODE: the
 * state lasts only as long as the instruction in memory stays as it is. */
enum core_standstill core_find_standstill(const struct core *core, bool *by_code);

/* The word at ADDRESS, as the core would fetch it; false, and no exception, if there is none. */
bool core_peek_word(const struct core *core, vaddr address, uint32_t *word);

/* For exception.c: an exception of the instruction at s.pc has just led to s.pc, with Status.EXL set before too. BEFORE
 * is Cause as it was. */
void core_fault_repeats(struct core *core, uint32_t before);

#endif
