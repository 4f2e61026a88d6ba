#include "cpu/mxs/checker.h"

#include "cpu/mxs/mxs.h"
#include "src/base/log.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct mxs_checker {
    struct event_queue *queue; /* separate: events scheduled in it never fire */
    struct core *core;
    struct inorder in;
    bool disturbed;
    uint64_t stored; /* previous contents of the doubleword that a store writes */
};

struct mxs_checker *mxs_checker_create(const struct core *core)
{
    struct mxs_checker *c = calloc(1, sizeof *c);
    struct err err = {""};
    if (c == NULL)
        log_bug("out of memory");
    c->disturbed = true;
    c->queue = event_queue_create(core->queue->clock_hz);
    const struct core_config config = {.architecture = core->architecture,
                                       .cpus = 1,
                                       .tlb_entries = core->tlb_entries,
                                       .fpu_traps_denormals = core->fpu_traps_denormals,
                                       .decoder = core->decoder,
                                       .mem = core->mem,
                                       .queue = c->queue,
                                       .log = core->log};
    c->core = core_create(&config, &err);
    if (c->core == NULL)
        log_bug("no room for the checker: %s", err.text);
    inorder_init(&c->in, c->core, NULL, false);
    return c;
}

void mxs_checker_free(struct mxs_checker *c)
{
    if (c == NULL)
        return;
    core_free(c->core);
    event_queue_free(c->queue);
    free(c);
}

enum { REGISTERS = offsetof(struct cpu, cp0), SYSTEM = offsetof(struct cpu, ll_bit) - REGISTERS };

/* Copy CORE's state before an instruction; state derived from CP0 and TLB is recomputed if they changed. */
static void copy_state(struct mxs_checker *c, const struct core *core)
{
    if (SIM_LIKELY(!c->disturbed)) {
        memcpy(&c->core->s, &core->s, REGISTERS);
        return;
    }
    c->disturbed = false;
    const bool same = memcmp(c->core->s.cp0, core->s.cp0, SYSTEM) == 0;
    memcpy(&c->core->s, &core->s, sizeof core->s);
    if (!same)
        core_state_changed(c->core);
}

void mxs_checker_disturb(struct mxs_checker *c)
{
    if (c != NULL)
        c->disturbed = true;
}

static uint64_t *doubleword_of(const struct core *core, const struct mxs_entry *e)
{
    return (uint64_t *)(void *)physmem_host(core->mem, e->address & ~7u);
}

void mxs_checker_before(struct mxs_checker *c, const struct core *core, const struct mxs_entry *e)
{
    copy_state(c, core);
    if (e->op->flags & OP_STORE)
        memcpy(&c->stored, doubleword_of(core, e), 8);
}

/* Execute the instruction on the checker's registers. A store is made to the previous contents of memory, without
 * notifying other models. */
static void execute(struct mxs_checker *c, const struct core *core, const struct mxs_entry *e)
{
    enum { FAR = 1 << 30 };
    struct core *own = c->core;
    uint8_t *flags = &core->mem->page_flags[e->address >> PAGE_SHIFT], kept = 0;
    uint64_t after = 0, *at = doubleword_of(core, e);
    const bool store = e->op->flags & OP_STORE;
    own->resume = (struct core_resume){.hook_pc = CORE_NO_PC, .fetched_pc = CORE_NO_PC};
    c->in.end = own->s.cycle + FAR;
    c->in.budget = FAR;
    inorder_begin_counting(&c->in, own->s.cycle);
    if (store) {
        kept = *flags;
        *flags &= (uint8_t) ~(PAGE_HAS_CODE | PAGE_LL_WATCH);
        memcpy(&after, at, 8);
        memcpy(at, &c->stored, 8);
    }
    inorder_step(&c->in, true);
    if (!store)
        return;
    *flags = kept;
    if (memcmp(&after, at, 8) != 0)
        log_bug("mxs, CPU %u: the store at 0x%08x leaves %016" PRIx64 " at 0x%08x, not %016" PRIx64, core->number,
                e->pc, after, e->address & ~7u, *at);
    memcpy(at, &after, 8);
}

static void report_difference(const struct core *core, const struct core *right, const struct mxs_entry *e)
{
    const struct cpu *a = &core->s, *b = &right->s;
    if (a->pc != b->pc || a->in_delay_slot != b->in_delay_slot)
        log_bug("mxs, CPU %u: after the instruction at 0x%08x control is at 0x%08x%s, not at 0x%08x%s", core->number,
                e->pc, a->pc, a->in_delay_slot ? " (delay slot)" : "", b->pc, b->in_delay_slot ? " (delay slot)" : "");
    if (a->in_delay_slot && a->branch_target != b->branch_target)
        log_bug("mxs, CPU %u: the branch at 0x%08x goes to 0x%08x, not to 0x%08x", core->number, e->pc,
                a->branch_target, b->branch_target);
    for (unsigned i = 1; i < GPR_SINK; i++)
        if (a->gpr[i] != b->gpr[i])
            log_bug("mxs, CPU %u: the instruction at 0x%08x leaves 0x%08x in $%u, not 0x%08x", core->number, e->pc,
                    a->gpr[i], i, b->gpr[i]);
    log_bug("mxs, CPU %u: the instruction at 0x%08x (%s) leaves HI, LO or floating-point registers wrong", core->number,
            e->pc, isa_table[e->op->id].mnemonic);
}

void mxs_checker_after(struct mxs_checker *c, const struct core *core, const struct mxs_entry *e)
{
    struct cpu *s = &c->core->s;
    execute(c, core, e);
    s->gpr[GPR_SINK] = core->s.gpr[GPR_SINK];
    if (!core->s.in_delay_slot && !s->in_delay_slot)
        s->branch_target = core->s.branch_target;
    if (memcmp(s, &core->s, REGISTERS) != 0)
        report_difference(core, c->core, e);
}
