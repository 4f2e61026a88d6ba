/*
 * Load delay (struct cpu, delayed_register): where the result of a load goes.
 *
 * MIPS I gives the instruction after a load the old value of the register. A second load to the register cancels the
 * first; any other write to it by that instruction prevails; lwl and lwr merge with what the first has loaded. An
 * exception between them lets the result arrive. Moves from coprocessors, and to the FPU's registers, are delayed like
 * loads.
 */
#ifndef SIMOS_CPU_PRIVILEGED_LOAD_DELAY_H
#define SIMOS_CPU_PRIVILEGED_LOAD_DELAY_H

#include "cpu/core.h"

/* The word of register NUMBER, that of a load. */
static inline uint32_t *load_delay_word(struct cpu *s, unsigned number)
{
    return number < GPR_COUNT ? &s->gpr[number] : &s->fpr[number - ISA_REG_FPR][0];
}

/* Can NUMBER be delayed_register? */
static inline bool load_delay_is_register(unsigned number)
{
    return number < GPR_SINK || (number >= ISA_REG_FPR && number < ISA_REG_FCC);
}

#endif
