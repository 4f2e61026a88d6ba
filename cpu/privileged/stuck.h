/*
 * Detection of states that a processor cannot leave by itself. Only another processor (through the power controller or
 * by writing to memory), a device that writes to memory, or a debugger can end such a state; no interrupt can be taken
 * in any of them.
 *
 * Not detected: loops of more than one instruction.
 */
#ifndef SIMOS_CPU_PRIVILEGED_STUCK_H
#define SIMOS_CPU_PRIVILEGED_STUCK_H

#include "cpu/core.h"

enum core_stuck {
    CORE_NOT_STUCK, /* none of the states below was detected */
    CORE_OFF,       /* powered down */
    CORE_WAITS,     /* in `wait`, with all interrupt pins masked by Status.IM */
    CORE_FAULTS, /* the first instruction of the exception vector raises an exception that leads to the same vector */
    CORE_LOOPS,  /* a branch to itself with a nop in the delay slot, while no interrupt can be taken */
};

/* Classify the state of CORE, between runs; in the middle of a run only from hooks->fault_repeats. No side effects.
 * *BY_CODE is set if the state lasts only while the instruction in memory stays unchanged. */
enum core_stuck core_find_stuck(const struct core *core, bool *by_code);

/* Read the word at ADDRESS as an instruction fetch would. False, without raising an exception, if the fetch would
 * fail. */
bool core_peek_word(const struct core *core, vaddr address, uint32_t *word);

/* For exception.c: the instruction at s.pc raised an exception whose vector is s.pc, and Status.EXL was already set.
 * BEFORE is the previous value of Cause. */
void core_fault_repeats(struct core *core, uint32_t before);

#endif
