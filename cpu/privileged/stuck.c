#include "cpu/privileged/stuck.h"

#include <string.h>

/* Only the pins: the processor itself sets the software interrupts. */
#define STATUS_IM_PINS (STATUS_IM & ~CAUSE_IP_SOFTWARE)

bool core_peek_word(const struct core *core, vaddr address, uint32_t *word)
{
    paddr pa;
    if ((address & 3) != 0 || !tlb_probe_address(core, address, &pa) || !physmem_page_is_ram(core->mem, pa))
        return false;
    memcpy(word, physmem_host(core->mem, pa), sizeof *word);
    return true;
}

/*
 * Why one such exception suffices: before and after it, s.pc is the vector and Status.EXL is set, or the mode is that
 * of a handler in an architecture without it. It changed only the rest of Cause, EPC, BadVAddr, Context, EntryHi.VPN2
 * and time, and no instruction's exceptions depend on these. So the same instruction raises the same exception again.
 */
void core_fault_repeats(struct core *core, uint32_t before)
{
    struct core_fault *fault = &core->fault;
    const uint8_t code = (uint8_t)((before & CAUSE_EXCCODE) >> CAUSE_EXCCODE_SHIFT);
    const vaddr epc = core->s.cp0[CP0_EPC];
    if (code != core->exception.code || epc != fault->epc)
        fault->code_before = code;
    core_sync(core);
    fault->insns = core->s.insns;
    fault->epc = epc;
    fault->pc = core->s.pc;
    fault->has_code = core_peek_word(core, fault->pc, &fault->word);
    fault->valid = true;
    if (core->hooks && core->hooks->fault_repeats)
        core->hooks->fault_repeats(core->hooks_opaque, core);
}

/* The core has executed nothing since then. Others may have changed the instruction, or, by a reset, everything. */
static bool faults(const struct core *core, bool *by_code)
{
    const struct core_fault *fault = &core->fault;
    uint32_t word = 0;
    if (!fault->valid || core->s.insns - fault->insns > 1 || core->s.pc != fault->pc || core->s.in_delay_slot ||
        (core->s.cp0[CP0_STATUS] & core->architecture->exception_level) != core->architecture->exception_level ||
        core_peek_word(core, fault->pc, &word) != fault->has_code)
        return false;
    *by_code = fault->has_code;
    return !fault->has_code || word == fault->word;
}

static bool can_be_interrupted(const struct core *core)
{
    return core_status_is(core, core->architecture->interruptible) && core->s.cp0[CP0_STATUS] & STATUS_IM;
}

/* A branch to itself that is always taken, followed by nop. */
static bool loops(const struct core *core)
{
    const vaddr pc = core->s.in_delay_slot ? core->s.pc - 4 : core->s.pc;
    uint32_t branch, slot;
    struct insn insn;
    if (can_be_interrupted(core) || (core->s.in_delay_slot && core->s.branch_target != pc) ||
        !core_peek_word(core, pc, &branch) || !core_peek_word(core, pc + 4, &slot))
        return false;
    const enum isa_id id = isa_decode(core->decoder, branch, &insn);
    const struct isa_control control = isa_control(id, &insn, pc);
    return control.direct && !control.conditional && control.target == pc &&
           isa_is_nop(isa_decode(core->decoder, slot, &insn), &insn);
}

enum core_stuck core_find_stuck(const struct core *core, bool *by_code)
{
    *by_code = false;
    if (!core->s.running)
        return CORE_OFF;
    if (core->s.waiting)
        return core->s.cp0[CP0_STATUS] & STATUS_IM_PINS ? CORE_NOT_STUCK : CORE_WAITS;
    if (faults(core, by_code))
        return CORE_FAULTS;
    *by_code = loops(core);
    return *by_code ? CORE_LOOPS : CORE_NOT_STUCK;
}
