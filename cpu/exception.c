/* Exceptions and interrupts: MIPS32 PRA (MD00090) section 6. */
#include "cpu/cp0.h"
#include "cpu/stuck.h"

enum {
    VECTOR_REFILL = 0,
    VECTOR_GENERAL = 0x180,
    VECTOR_INTERRUPT = 0x200,
    VECTOR_BOOTSTRAP = 0x200,
    PINS = 6,
    PIN_SHIFT = CAUSE_IP_SHIFT + 2, /* pin 0 is IP2 */
};

/* Set EPC, Cause, mode and pc. OFFSET: offset of the vector. */
static inline void begin(struct core *core, vaddr pc, bool delay_slot, uint32_t offset)
{
    uint32_t *cp0 = core->s.cp0;
    uint32_t status = cp0[CP0_STATUS];
    const uint32_t before = cp0[CP0_CAUSE];
    uint32_t cause = before & ~(CAUSE_EXCCODE | 3u << CAUSE_CE_SHIFT);
    cause |= (uint32_t)core->exception.code << CAUSE_EXCCODE_SHIFT;
    cause |= (uint32_t)core->exception.coprocessor << CAUSE_CE_SHIFT;
    if (!(status & STATUS_EXL)) {
        cp0[CP0_EPC] = delay_slot ? pc - 4 : pc;
        cause = delay_slot ? cause | CAUSE_BD : cause & ~CAUSE_BD;
    }
    cp0[CP0_CAUSE] = cause;
    if (core->mode == MODE_IDLE) {
        core->idle_interrupted = true;
        core->idle_stack = core->s.gpr[29];
    }
    vaddr base = status & STATUS_BEV ? core->s.bootstrap_base + VECTOR_BOOTSTRAP : cp0[CP0_EBASE] & 0xfffff000u;
    core->s.pc = base + offset;
    core->s.in_delay_slot = false;
    cp0_set_status(core, status | STATUS_EXL);
    if (SIM_UNLIKELY(status & STATUS_EXL) && core->s.pc == pc && !delay_slot)
        core_fault_repeats(core, before);
}

static __attribute__((noinline)) void begin_observed(struct core *core, vaddr pc, bool delay_slot, uint32_t offset,
                                                     unsigned line)
{
    const uint32_t status = core->s.cp0[CP0_STATUS];
    const enum mode from = core->mode;
    begin(core, pc, delay_slot, offset);
    if (!core->observer->entered)
        return;
    struct core_entry entry = {.code = core->exception.code,
                               .pc = pc,
                               .line = line,
                               .refill = core->exception.code != EXC_INT && offset == VECTOR_REFILL,
                               .nested = status & STATUS_EXL,
                               .from = from};
    core->observer->entered(core->observer_opaque, core, &entry);
}

/* Common part of exceptions and interrupts. LINE: the IP line of an interrupt. */
static inline void enter(struct core *core, vaddr pc, bool delay_slot, uint32_t offset, unsigned line)
{
    if (SIM_UNLIKELY(core->observer != NULL))
        begin_observed(core, pc, delay_slot, offset, line);
    else
        begin(core, pc, delay_slot, offset);
}

void exception_enter(struct core *core, vaddr pc, bool delay_slot)
{
    const struct exception *e = &core->exception;
    uint32_t *cp0 = core->s.cp0;
    uint32_t offset = VECTOR_GENERAL;
    core->counts.exceptions[e->code]++;
    if (e->has_address) {
        cp0[CP0_BADVADDR] = e->address;
        if (e->code == EXC_TLBL || e->code == EXC_TLBS || e->code == EXC_MOD) {
            cp0[CP0_CONTEXT] = (cp0[CP0_CONTEXT] & 0xff800000u) | (e->address >> 9 & 0x007ffff0u);
            cp0[CP0_ENTRYHI] = (cp0[CP0_ENTRYHI] & 0xff) | (e->address & 0xffffe000u);
            if (e->refill && !(cp0[CP0_STATUS] & STATUS_EXL)) {
                offset = VECTOR_REFILL;
                core->counts.tlb_refills[e->code == EXC_TLBS]++;
                core->counts.tlb_fetch_refills += e->address == pc; /* no load reads its own page without a fetch */
            }
        }
    }
    enter(core, pc, delay_slot, offset, 0);
}

void interrupt_enter(struct core *core, vaddr pc, bool delay_slot)
{
    if (!interrupt_pending(core))
        return;
    const uint32_t *cp0 = core->s.cp0;
    unsigned line = 31 - (unsigned)__builtin_clz(interrupts_pending(core) >> CAUSE_IP_SHIFT);
    core->counts.exceptions[EXC_INT]++;
    core->counts.interrupts[line]++;
    core->exception = (struct exception){.code = EXC_INT};
    uint32_t offset = VECTOR_GENERAL;
    if (cp0[CP0_CAUSE] & CAUSE_IV) {
        offset = VECTOR_INTERRUPT;
        /* IntCtl.VS is in units of 32 bytes and in bits 9:5; 0: one vector for all interrupts. */
        if (!(cp0[CP0_STATUS] & STATUS_BEV))
            offset += line * (cp0[CP0_INTCTL] & 0x3e0);
    }
    core->s.waiting = false;
    enter(core, pc, delay_slot, offset, line);
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
