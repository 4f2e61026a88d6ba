/*
 * Serialising instructions: executed one at a time at the head of the window, on the architectural state, with the
 * semantics that all models share. Younger entries stay, unless control goes elsewhere or the context in which they
 * were fetched and executed changes.
 */
#include "cpu/mxs/memory.h"
#include "cpu/mxs/probe.h"
#include <string.h>

/* State other than registers and memory on which entries of the window depend. */
struct context {
    uint32_t status, asid, config, fcr31, watch_writes;
};

static struct context context_of(const struct core *core)
{
    enum { FCSR_REPORTS = 0x3f << 12 | 0x1f << 2 };
    const uint32_t *cp0 = core->s.cp0;
    return (struct context){.status = cp0[CP0_STATUS] & ~(uint32_t)(STATUS_IE | STATUS_IM),
                            .asid = core_asid(core),
                            .config = cp0[CP0_CONFIG],
                            .watch_writes = core->watch_writes,
                            .fcr31 = core->s.fcr31 & ~(uint32_t)FCSR_REPORTS};
}

static bool is_same_context(const struct context *a, const struct context *b)
{
    return a->status == b->status && a->asid == b->asid && a->config == b->config && a->fcr31 == b->fcr31 &&
           a->watch_writes == b->watch_writes;
}

/* Does fetch, or the next entry, continue at the present pc? */
static bool is_fetch_consistent(const struct mxs *m)
{
    const struct cpu *s = &m->core->s;
    if (m->oldest == m->next)
        return !m->fetch.stopped && m->fetch.pc == s->pc && m->fetch.in_slot == s->in_delay_slot;
    const struct mxs_entry *e = mxs_entry_at(m, m->words, m->oldest);
    return e->pc == s->pc && e->in_slot == s->in_delay_slot;
}

static void charge_hooks(struct mxs *m, cycles duration)
{
    mxs_charge_hooks(m, duration, 0, m->core->s.pc);
    if (SIM_UNLIKELY(m->probe != NULL))
        mxs_probe_hooked(m, duration);
}

static void step(struct mxs *m, const struct mxs_op *op, cycles now)
{
    enum { FAR = 1 << 30 };
    struct inorder *in = &m->in;
    struct core *core = m->core;
    const struct bucket *bucket = core->bucket;
    uint64_t before[STALL_COUNT];
    memcpy(before, bucket->stall, sizeof before);
    const struct memsys_profile_keys place =
        m->profiled ? mxs_profile_oldest(m) : (struct memsys_profile_keys){.routine = 0};
    const uint64_t stalls = in->stalls;
    const cycles hooked = op->flags & OP_HOOKED ? core_hook_duration(core, core->s.pc) : 0;
    in->end = now + FAR;
    in->budget = FAR - 1; /* its own cycle has already been charged */
    inorder_begin_counting(in, now);
    if (SIM_UNLIKELY(hooked > 0))
        charge_hooks(m, hooked);
    m->stepping = true;
    if (op->flags & OP_STOPS_FETCH) {     /* it may be uncached, or its fetch may raise an exception */
        core->resume.hook_stopped = true; /* the hooks have already been called */
        core->resume.hook_pc = core->s.pc;
        inorder_step(in, true);
    } else {
        inorder_take_hook_cycles(in, hooked);
        if (SIM_UNLIKELY(core->has_load_delay)) /* where the next instruction is read */
            core->resume.fetched_line = mxs_pages_find(m->pages, op)->page;
        inorder_step_decoded(in, (enum isa_id)op->id, &op->insn);
    }
    inorder_sync(in);
    m->stepping = false;
    core->resume.hook_stopped = false;
    core->resume.fetched_pc = CORE_NO_PC;
    if (in->stalls != stalls)
        mxs_count_serialised(m, before, bucket->stall, &place);
}

/* How many exceptions have been taken; 0 where the machine does not say what they cost. */
static uint64_t exceptions_of(const struct mxs *m)
{
    uint64_t count = 0;
    if (m->config.exception_delay == 0 && m->config.eret_delay == 0)
        return 0;
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
        count += m->core->counts.exceptions[i];
    return count;
}

void mxs_head_execute(struct mxs *m, struct mxs_entry *e, cycles now)
{
    struct core *core = m->core;
    const struct context before = context_of(core);
    const uint64_t tlb_writes = core->counts.tlb_writes, exceptions = exceptions_of(m);
    bool delayed = core->s.delayed_register != 0;
    mxs_charge_serialised(m); /* before it changes the mode or the service */
    if (SIM_UNLIKELY(m->probe != NULL))
        mxs_probe_graduates(m, e, true, now);
    step(m, e->op, now);
    m->walk.charged = false;
    if (m->walk.state == MXS_WALK_DONE) /* it may have changed what the tables are */
        m->walk.state = MXS_WALK_IDLE;
    delayed |= core->s.delayed_register != 0; /* younger entries have read another value of its register */
    if (SIM_UNLIKELY(m->viewer != NULL))
        mxs_viewer_graduate(m->viewer, e->number, now, now);
    mxs_checker_disturb(m->checker);
    m->oldest++;
    if (e->queued)
        memory_dequeue(m, m->words, e);
    m->unresolved -= e->unresolved;
    for (unsigned i = 0; i < e->op->results; i++)
        e->result[i] = mxs_register_read(m, e->result_name[i]);
    mxs_window_wakeup(m, e, now);
    m->graduated = 1;
    m->serialised = m->did_work = true;
    m->counts->serialised++;
    if (core->counts.tlb_writes != tlb_writes) {
        m->outdated = m->next;
        m->fetch.page = NULL;
        m->fetch.line = MXS_NO_LINE;
    }
    const struct context after = context_of(core);
    if (m->squash_pending || delayed || !is_fetch_consistent(m) || !is_same_context(&before, &after)) {
        const bool again = (e->op->flags & OP_LOAD) && e->has_value; /* memory had changed since it was read */
        const bool raised =
            (!(e->op->flags & OP_STOPS_FETCH) || e->op == mxs_fetch_unfetchable()) && !is_fetch_consistent(m);
        const unsigned own = exceptions_of(m) != exceptions ? m->config.exception_delay
                             : e->op->id == ISA_ERET        ? m->config.eret_delay
                                                            : 0,
                       delay = own ? own : m->config.redirect_delay;
        mxs_fetch_restart(m, core->s.cycle + delay, again ? LOST_REPLAYED : raised ? LOST_EXCEPTION : LOST_SERIALISED);
    }
    if (e->queued)
        mxs_lsq_retry(m, m->words);
}
