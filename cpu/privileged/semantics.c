/* System instructions, common to all engines. */
#include "cpu/privileged/semantics.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/privileged/tlb.h"
#include "src/base/board.h"

enum {
    HWR_CPUNUM = 0,
    HWR_SYNCI_STEP = 1,
    HWR_CC = 2,
    HWR_CCRES = 3,
    HWR_ULR = 29,
};

int sem_check_coprocessor0(struct core *core)
{
    if (SIM_UNLIKELY(core->user_mode && !(core->s.cp0[CP0_STATUS] & STATUS_CU0)))
        return core_raise_coprocessor(core, 0);
    return 0;
}

static unsigned register_number(const struct insn *insn)
{
    return CP0_NUMBER(insn->rd & 31u, (uint32_t)insn->imm & 7);
}

int sem_use_coprocessor0(struct core *core, const struct insn *insn)
{
    (void)insn;
    return sem_check_coprocessor0(core);
}

int sem_mfc0(struct core *core, const struct insn *insn)
{
    if (sem_check_coprocessor0(core))
        return 1;
    core->s.gpr[insn->rt] = cp0_read(core, register_number(insn));
    return 0;
}

int sem_mtc0(struct core *core, const struct insn *insn)
{
    if (sem_check_coprocessor0(core))
        return 1;
    cp0_write(core, register_number(insn), core->s.gpr[insn->rt]);
    return 0;
}

/* There is only one register set: both instructions are a move. */
int sem_rdpgpr(struct core *core, const struct insn *insn)
{
    if (sem_check_coprocessor0(core))
        return 1;
    core->s.gpr[insn->rd] = core->s.gpr[insn->rt];
    return 0;
}

static int set_interrupt_enable(struct core *core, const struct insn *insn, uint32_t enable)
{
    if (sem_check_coprocessor0(core))
        return 1;
    uint32_t status = core->s.cp0[CP0_STATUS];
    core->s.gpr[insn->rt] = status;
    core->s.cp0[CP0_STATUS] = (status & ~(uint32_t)STATUS_IE) | enable;
    if (interrupt_pending(core))
        core->attention = true;
    return 0;
}

int sem_di(struct core *core, const struct insn *insn)
{
    return set_interrupt_enable(core, insn, 0);
}

int sem_ei(struct core *core, const struct insn *insn)
{
    return set_interrupt_enable(core, insn, STATUS_IE);
}

/* The entry that Index selects. Its bit 31 is P, set by tlbp if no entry matched. */
static unsigned selected_entry(const struct core *core)
{
    return (core->s.cp0[CP0_INDEX] & 0x7fffffff) >> core->architecture->tlb.index_shift;
}

int sem_tlbr(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (sem_check_coprocessor0(core))
        return 1;
    tlb_read(core, selected_entry(core));
    return 0;
}

int sem_tlbwi(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (sem_check_coprocessor0(core))
        return 1;
    tlb_write(core, selected_entry(core));
    return 0;
}

int sem_tlbwr(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (sem_check_coprocessor0(core))
        return 1;
    tlb_write(core, tlb_random(core));
    return 0;
}

int sem_tlbp(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (sem_check_coprocessor0(core))
        return 1;
    int found = tlb_find(core, core->s.cp0[CP0_ENTRYHI]);
    core->s.cp0[CP0_INDEX] = found < 0 ? 0x80000000u : (uint32_t)found << core->architecture->tlb.index_shift;
    return 0;
}

/* If an interrupt is already pending (enabled or not: Config7.WII), `wait` does nothing. */
int sem_wait(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (sem_check_coprocessor0(core))
        return 1;
    if (!(core->s.cp0[CP0_CAUSE] & core->s.cp0[CP0_STATUS] & CAUSE_IP)) {
        core->s.waiting = true;
        core->attention = true;
        if (core->observer && core->observer->wait_begins)
            core->observer->wait_begins(core->observer_opaque, core);
    }
    return 0;
}

int sem_eret(struct core *core, vaddr *target)
{
    if (sem_check_coprocessor0(core))
        return 1;
    exception_return_by(core, target, core_sync);
    return 0;
}

int sem_rfe(struct core *core, const struct insn *insn)
{
    (void)insn;
    if (sem_check_coprocessor0(core))
        return 1;
    const bool user = core->user_mode;
    exception_pop_by(core, core->s.in_delay_slot ? core->s.branch_target : core->s.pc + 4, core_sync);
    if (core->user_mode != user || interrupt_pending(core))
        core->attention = true;
    return 0;
}

/* CCRes (MD00086, RDHWR): the number of CPU cycles for each tick of CC. The register holds an integer: the nearest one
 * if the CPU clock is not a multiple of Count's, and 1 if it is slower. */
static uint32_t cc_resolution(const struct core *core)
{
    const uint64_t clock = core->queue->clock_hz, nearest = (clock + BOARD_COUNT_HZ / 2) / BOARD_COUNT_HZ;
    return nearest > UINT32_MAX ? UINT32_MAX : nearest > 0 ? (uint32_t)nearest : 1;
}

/* In user mode, HWREna selects the registers that rdhwr may read. */
int sem_rdhwr(struct core *core, const struct insn *insn)
{
    unsigned number = insn->rd & 31;
    bool allowed = sem_check_coprocessor0(core) == 0 || core->s.cp0[CP0_HWRENA] >> number & 1;
    uint32_t value = 0;
    switch (number) {
    case HWR_CPUNUM: value = core->number; break;
    case HWR_SYNCI_STEP: value = CP0_CACHE_LINE; break;
    case HWR_CC: value = allowed ? cp0_read(core, CP0_COUNT) : 0; break;
    case HWR_CCRES: value = cc_resolution(core); break;
    case HWR_ULR: value = core->s.cp0[CP0_USERLOCAL]; break;
    default: allowed = false;
    }
    if (!allowed)
        return core_raise(core, EXC_RI);
    core->s.gpr[insn->rt] = value;
    return 0;
}

int sem_synci(struct core *core, const struct insn *insn, paddr *pa, bool *cached)
{
    return tlb_translate(core, core->s.gpr[insn->rs] + (uint32_t)insn->imm, ACCESS_LOAD, pa, cached);
}

int sem_coprocessor2(struct core *core, const struct insn *insn)
{
    (void)insn;
    return core_raise_coprocessor(core, 2);
}

int sem_coprocessor3(struct core *core, const struct insn *insn)
{
    (void)insn;
    return core_raise_coprocessor(core, 3);
}

/* Coprocessor Unusable has priority (MIPS32 vol. III, "exception priority"). */
int sem_reserved(struct core *core, const struct insn *insn)
{
    enum { COP0 = 0x10, COP1 = 0x11, COP1X = 0x13 };
    unsigned opcode = (uint32_t)insn->imm >> 26;
    if (opcode == COP0 && sem_check_coprocessor0(core))
        return 1;
    if ((opcode == COP1 || opcode == COP1X) && !fpu_usable(core))
        return core_raise_coprocessor(core, 1);
    return core_raise(core, EXC_RI);
}
