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

/* In a core with load delay: the register of the result of INSN, at PC, if the instruction executed after it, at NEXT,
 * might notice that it does not get it yet; 0: the result may be written at once. All CPU models decide by this, so
 * that their states are the same at each instruction. WORDS: the page of PC; what is in another one is not known. */
static inline unsigned load_delay_result(const struct core *core, enum isa_id id, const struct insn *insn, vaddr pc,
                                         vaddr next, const uint32_t *words)
{
    const unsigned result = isa_delayed_register(id, insn);
    if (result == 0 || next >> PAGE_SHIFT != pc >> PAGE_SHIFT || (next & 3) != 0)
        return result;
    const struct isa_decoded *successor = isa_decode_cached(core->decoder, next, words[(next & (PAGE_SIZE - 1)) / 4]);
    return isa_notices_delay(id, insn, (enum isa_id)successor->id, &successor->insn);
}

/* Can NUMBER be delayed_register? */
static inline bool load_delay_is_register(unsigned number)
{
    return number < GPR_SINK || (number >= ISA_REG_FPR && number < ISA_REG_FCC);
}

#endif
