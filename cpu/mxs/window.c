/* The instruction window: insertion of any instruction, irregular wakeup, and squash. */
#include "cpu/mxs/memory.h"
#include "cpu/mxs/window.h"
#include "cpu/observe/probe.h"

void mxs_window_wakeup(struct mxs *m, struct mxs_entry *e, cycles now)
{
    e->done_at = now;
    window_wakeup(m, m->words, e);
    window_wakeup_stores(m, e);
}

struct mxs_entry *mxs_window_insert(struct mxs *m, const struct insertion *where, uint64_t number,
                                    const struct mxs_op *op, vaddr pc, bool head)
{
    return head ? window_insert(m, m->words, where, number, op, pc, op->flags, true, true)
                : window_insert(m, m->words, where, number, op, pc, op->flags, true, false);
}

/* E must be the youngest entry. */
static void leave_lists(struct mxs *m, const struct mxs_entry *e)
{
    for (unsigned i = e->op->sources, lacking = e->sources_pending | e->data_pending; lacking != 0 && i-- > 0;)
        if (lacking >> i & 1)
            m->entry[e->producer[i] / OP_RESULTS].consumers = e->next_consumer[i];
}

static void leave_sets(struct mxs *m, const struct mxs_entry *e, uint32_t slot)
{
    if (e->done_at != CYCLES_NEVER) {
        wheel_remove(m, m->words, WHEEL_COMPLETE, slot, e->done_at);
    } else if (e->sources_pending == 0) {
        mxs_set_remove(m->ready, slot);
        mxs_set_remove(m->lsq_waiting, slot);
        wheel_remove(m, m->words, WHEEL_READY, slot, e->ready_at);
    }
}

void mxs_window_squash(struct mxs *m, uint64_t number)
{
    if (SIM_UNLIKELY(m->core->probe != NULL) && m->next > number)
        probe_note_squash(m->core->probe, m->next - number);
    while (m->next > number) {
        const uint32_t slot = mxs_slot_of(m->words, --m->next);
        struct mxs_entry *e = &m->entry[slot];
        m->counts->squashed++;
        if (SIM_UNLIKELY(m->viewer != NULL))
            mxs_viewer_squash(m->viewer, e->number, m->core->s.cycle);
        leave_lists(m, e);
        leave_sets(m, e, slot);
        for (unsigned i = e->op->results; i-- > 0;)
            m->rename_table[e->result_name[i]] = e->shadowed[i];
        if (e->queued)
            memory_dequeue(m, m->words, e);
        if (e->unresolved)
            m->unresolved--;
    }
    if (m->outdated > m->next)
        m->outdated = m->next;
}
