/*
 * Exceptions, eret and the change of mode that comes with them, inline: they are most of the cost of a TLB refill. SYNC
 * brings s.cycle and s.insns up to date; a model passes its own function, everyone else core_sync (exception.c,
 * semantics.c and core.c have the functions to call). MIPS32 PRA (MD00090) section 6.
 */
#ifndef SIMOS_CPU_PRIVILEGED_MODE_CHANGE_H
#define SIMOS_CPU_PRIVILEGED_MODE_CHANGE_H

#include "cpu/privileged/cp0.h"
#include "cpu/observe/executions.h"
#include "cpu/privileged/stuck.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/vmap.h"

#define MODE_CHANGE_INLINE static inline __attribute__((always_inline))

typedef void core_sync_fn(struct core *core);

/* core_account() without the counts of executions. */
MODE_CHANGE_INLINE void core_charge(struct core *core)
{
    struct bucket *bucket = core->bucket;
    bucket->cycles += core->s.cycle - core->charged_cycle;
    bucket->insns += core->s.insns - core->charged_insns;
    core->charged_cycle = core->s.cycle;
    core->charged_insns = core->s.insns;
}

/* Are cycles charged to the mode's bucket, not to an annotation's? */
MODE_CHANGE_INLINE bool core_charges_modes(const struct core *core)
{
    return (uintptr_t)core->bucket - (uintptr_t)core->mode_buckets < sizeof core->mode_buckets;
}

/* Call the hooks and the observer of a change of mode. */
void core_notify_mode_changed(struct core *core, enum mode before);

/* core_mode_update() */
MODE_CHANGE_INLINE void core_mode_update_by(struct core *core, core_sync_fn *sync)
{
    const bool user = core_is_user(core);
    const enum mode before = core->mode;
    const enum mode mode = user ? MODE_USER : core->in_idle_loop && !core->idle_interrupted ? MODE_IDLE : MODE_KERNEL;
    if (user != core->user_mode) {
        core->user_mode = user;
        vmap_select(core);
    }
    if (mode == before)
        return;
    core->mode = mode;
    core->counts.mode_changes++;
    if (SIM_UNLIKELY(core->executions != NULL) && (before == MODE_IDLE || mode == MODE_IDLE)) {
        sync(core);
        executions_flush(core);
    }
    if (core_charges_modes(core)) {
        sync(core);
        core_charge(core);
        core->bucket = &core->mode_buckets[mode];
    }
    if (SIM_UNLIKELY(core->observer != NULL || core->reports_mode))
        core_notify_mode_changed(core, before);
}

/* cp0_set_status() */
MODE_CHANGE_INLINE void cp0_set_status_by(struct core *core, uint32_t value, core_sync_fn *sync)
{
    const uint32_t old = core->s.cp0[CP0_STATUS];
    core->s.cp0[CP0_STATUS] = value;
    if (SIM_UNLIKELY(value & ~old & core->architecture->kuseg_unmapped))
        vmap_invalidate_all(core);
    if (SIM_UNLIKELY(core->perf_in_use)) {
        sync(core);
        cp0_perf_mode(core, old);
    }
    core_mode_update_by(core, sync);
}

/* The address from which the vectors of exceptions have their offsets. */
MODE_CHANGE_INLINE vaddr exception_base(const struct core *core)
{
    const uint32_t *cp0 = core->s.cp0;
    return SIM_UNLIKELY(cp0[CP0_STATUS] & STATUS_BEV) ? core->s.bootstrap_base + core->architecture->bootstrap_offset
                                                      : cp0[CP0_EBASE] & EBASE_ADDRESS;
}

/* What an exception makes of STATUS. */
MODE_CHANGE_INLINE uint32_t status_in_handler(const struct architecture *architecture, uint32_t status)
{
    const uint32_t field = architecture->in_handler.shifts;
    return (status & ~field) | (status << architecture->in_handler.by & field) | architecture->in_handler.sets;
}

/* Is the state of an exception handler the same after an exception, taken with STATUS? Without an exception level every
 * exception in kernel mode may be nested. */
MODE_CHANGE_INLINE bool exception_was_nested(const struct architecture *architecture, uint32_t status)
{
    if (architecture->exception_level != 0)
        return status & architecture->exception_level;
    return (status & architecture->user_mode.mask) != architecture->user_mode.value;
}

/* Set EPC, Cause, mode and pc. OFFSET: offset of the vector. */
MODE_CHANGE_INLINE void exception_begin(struct core *core, vaddr pc, bool delay_slot, uint32_t offset,
                                        core_sync_fn *sync)
{
    const struct architecture *architecture = core->architecture;
    uint32_t *cp0 = core->s.cp0;
    const uint32_t status = cp0[CP0_STATUS], nested = status & architecture->exception_level;
    const uint32_t before = cp0[CP0_CAUSE];
    uint32_t cause = before & ~(CAUSE_EXCCODE | 3u << CAUSE_CE_SHIFT);
    cause |= (uint32_t)core->exception.code << CAUSE_EXCCODE_SHIFT;
    cause |= (uint32_t)core->exception.coprocessor << CAUSE_CE_SHIFT;
    if (!nested) {
        cp0[CP0_EPC] = delay_slot ? pc - 4 : pc;
        cause = delay_slot ? cause | CAUSE_BD : cause & ~CAUSE_BD;
    }
    cp0[CP0_CAUSE] = cause;
    if (SIM_UNLIKELY(core->mode == MODE_IDLE)) {
        core->idle_interrupted = true;
        core->idle_stack = core->s.gpr[architecture->calls->stack_pointer];
    }
    core->s.pc = exception_base(core) + offset;
    core->s.in_delay_slot = false;
    if (SIM_UNLIKELY(core->s.delayed_register != 0))
        core_settle_load(core);
    cp0_set_status_by(core, status_in_handler(architecture, status), sync);
    if (SIM_UNLIKELY(core->s.pc == pc) && !delay_slot && exception_was_nested(architecture, status))
        core_fault_repeats(core, before);
}

/* The same with an observer. LINE: the IP line of an interrupt. */
void exception_begin_observed(struct core *core, vaddr pc, bool delay_slot, uint32_t offset, unsigned line);

/* Common part of exceptions and interrupts. */
MODE_CHANGE_INLINE void exception_take(struct core *core, vaddr pc, bool delay_slot, uint32_t offset, unsigned line,
                                       core_sync_fn *sync)
{
    if (SIM_UNLIKELY(core->observer != NULL))
        exception_begin_observed(core, pc, delay_slot, offset, line);
    else
        exception_begin(core, pc, delay_slot, offset, sync);
}

/* exception_enter() */
MODE_CHANGE_INLINE void exception_enter_by(struct core *core, vaddr pc, bool delay_slot, core_sync_fn *sync)
{
    const struct exception *e = &core->exception;
    const struct architecture *architecture = core->architecture;
    if (SIM_UNLIKELY(e->code == EXC_INT && architecture->fpu_interrupts)) { /* of the FPU (fpu_trap()) */
        interrupt_enter(core, pc, delay_slot);
        return;
    }
    const struct tlb_format *tlb = &architecture->tlb;
    uint32_t *cp0 = core->s.cp0;
    uint32_t offset = architecture->general_offset;
    core->counts.exceptions[e->code]++;
    if (e->has_address) {
        cp0[CP0_BADVADDR] = e->address;
        if (e->code == EXC_TLBL || e->code == EXC_TLBS || e->code == EXC_MOD) {
            tlb_set_missed(tlb, cp0, e->address);
            if (e->refill && !(cp0[CP0_STATUS] & architecture->exception_level) &&
                !(e->address & architecture->refill_excludes)) {
                offset = architecture->refill_offset;
                core->counts.tlb_refills[e->code == EXC_TLBS]++;
                core->counts.tlb_fetch_refills += e->address == pc; /* no load reads its own page without a fetch */
            }
        }
    }
    exception_take(core, pc, delay_slot, offset, 0, sync);
}

/* What a return from an exception ends, beside the mode. */
MODE_CHANGE_INLINE void exception_end_idle(struct core *core)
{
    if (SIM_UNLIKELY(core->idle_interrupted) &&
        core->s.gpr[core->architecture->calls->stack_pointer] == core->idle_stack)
        core->idle_interrupted = false;
}

/* sem_eret() of a core that may use coprocessor 0. */
MODE_CHANGE_INLINE void exception_return_by(struct core *core, vaddr *target, core_sync_fn *sync)
{
    uint32_t status = core->s.cp0[CP0_STATUS];
    core->s.ll_bit = false;
    exception_end_idle(core);
    if (SIM_UNLIKELY(status & STATUS_ERL)) {
        *target = core->s.cp0[CP0_ERROREPC];
        status &= ~(uint32_t)STATUS_ERL;
    } else {
        *target = core->s.cp0[CP0_EPC];
        status &= ~(uint32_t)STATUS_EXL;
    }
    cp0_set_status_by(core, status, sync);
    if (interrupt_pending(core))
        core->attention = true;
    if (SIM_UNLIKELY(core->observer != NULL) && core->observer->returned)
        core->observer->returned(core->observer_opaque, core, *target);
}

/* rfe of a core that may use coprocessor 0: the previous mode and interrupt enable become the current ones. Control
 * goes to TARGET after it. */
MODE_CHANGE_INLINE void exception_pop_by(struct core *core, vaddr target, core_sync_fn *sync)
{
    const struct architecture *architecture = core->architecture;
    const uint32_t status = core->s.cp0[CP0_STATUS];
    const uint32_t moved = architecture->in_handler.shifts >> architecture->in_handler.by;
    exception_end_idle(core);
    cp0_set_status_by(core, (status & ~moved) | (status >> architecture->in_handler.by & moved), sync);
    if (SIM_UNLIKELY(core->observer != NULL) && core->observer->returned)
        core->observer->returned(core->observer_opaque, core, target);
}

#endif
