/* Exceptions and interrupts: MIPS32 PRA (MD00090) section 6. */
#include "cpu/observe/probe.h"
#include "cpu/privileged/load_delay.h"
#include "cpu/privileged/mode_change.h"

enum {
    PINS = 6,
    PIN_SHIFT = CAUSE_IP_SHIFT + 2, /* pin 0 is IP2 */
};

void exception_begin_observed(struct core *core, vaddr pc, bool delay_slot, uint32_t offset, unsigned line)
{
    const uint32_t status = core->s.cp0[CP0_STATUS];
    const enum mode from = core->mode;
    exception_begin(core, pc, delay_slot, offset, core_sync);
    if (!core->observer->entered)
        return;
    struct core_entry entry = {.code = core->exception.code,
                               .pc = pc,
                               .line = line,
                               .refill = core->exception.code != EXC_INT && offset == core->architecture->refill_offset,
                               .nested = status & core->architecture->exception_level,
                               .from = from};
    core->observer->entered(core->observer_opaque, core, &entry);
}

void exception_enter(struct core *core, vaddr pc, bool delay_slot)
{
    exception_enter_by(core, pc, delay_slot, core_sync);
    if (SIM_UNLIKELY(core->probe != NULL))
        probe_note_exception(core->probe, core->exception.code);
}

void interrupt_enter(struct core *core, vaddr pc, bool delay_slot)
{
    if (!interrupt_pending(core))
        return;
    if (!core_status_is(core, core->architecture->interruptible) || !interrupts_pending(core)) {
        core_raise(core, EXC_WATCH);
        exception_enter(core, pc, delay_slot);
        return;
    }
    const uint32_t *cp0 = core->s.cp0;
    unsigned line = 31 - (unsigned)__builtin_clz(interrupts_pending(core) >> CAUSE_IP_SHIFT);
    core->counts.exceptions[EXC_INT]++;
    core->counts.interrupts[line]++;
    core->exception = (struct exception){.code = EXC_INT};
    uint32_t offset = core->architecture->general_offset;
    if (cp0[CP0_CAUSE] & CAUSE_IV) {
        offset = core->architecture->interrupt_offset;
        /* IntCtl.VS is in units of 32 bytes and in bits 9:5; 0: one vector for all interrupts. */
        if (!(cp0[CP0_STATUS] & STATUS_BEV))
            offset += line * (cp0[CP0_INTCTL] & 0x3e0);
    }
    core->s.waiting = false;
    exception_take(core, pc, delay_slot, offset, line, core_sync);
    if (SIM_UNLIKELY(core->probe != NULL))
        probe_note_exception(core->probe, EXC_INT);
}

void core_settle_load(struct core *core)
{
    if (core->s.delayed_register != 0)
        *load_delay_word(&core->s, core->s.delayed_register) = core->s.delayed_value;
    core->s.delayed_register = 0;
    core->s.delayed_value = 0;
}

void interrupt_set_pin(struct core *core, unsigned pin, bool level)
{
    if (pin >= PINS)
        log_bug("interrupt pin %u", pin);
    uint32_t *cause = &core->s.cp0[CP0_CAUSE], bit = 1u << (PIN_SHIFT + pin);
    if (!level) {
        *cause &= ~bit;
        return;
    }
    *cause |= bit;
    core->attention = true;
    if (interrupts_pending(core))
        core->s.waiting = false;
}
