/* The instruction window: insertion of any instruction, irregular wakeup, and squash. */
#include "cpu/mxs/memory.h"
#include "cpu/mxs/window.h"

void mxs_window_wakeup(struct mxs *m, struct mxs_entry *e, cycles now)
{
    e->done_at = now;
    window_wakeup(m, e);
    window_wakeup_stores(m, e);
}

/* As window_read(), for any source. */
static unsigned read_source(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i, unsigned name, cycles now,
                            cycles *ready_at)
{
    const struct mxs_entry *producer = window_writer(m, name);
    if (producer == NULL)
        e->value[i] = mxs_register_read(m, name);
    else if (i < e->op->addressing)
        return window_read(m, e, slot, i, name, producer, ready_at);
    else
        window_read_stored(m, e, slot, i, name, producer, now);
    return 0;
}

struct mxs_entry *mxs_window_insert(struct mxs *m, const struct insertion *where, uint64_t number,
                                    const struct mxs_op *op, vaddr pc, bool head)
{
    const uint32_t slot = mxs_slot_of(m, number);
    struct mxs_entry *e = window_begin(m, where, number, slot, op, pc);
    const bool pairs = mxs_has_pairs(m, op);
    cycles ready_at = where->from;
    unsigned waits = 0;
    e->serialising = head;
    if (!head)
        for (unsigned i = 0; i < op->sources; i++)
            waits |= read_source(m, e, slot, i, mxs_name_now(pairs, op->source[i], op->wide_sources, i), where->now,
                                 &ready_at);
    for (unsigned i = 0; i < op->results; i++)
        window_write(m, e, i, mxs_name_now(pairs, op->result[i], op->wide_results, i));
    e->ready_at = ready_at;
    if (head)
        return e;
    if (op->flags & OP_MEMORY)
        window_enqueue(m, e, slot, op->flags);
    window_end(m, where, e, slot, waits, ready_at);
    return e;
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
        wheel_remove(m, WHEEL_COMPLETE, slot, e->done_at);
    } else if (e->sources_pending == 0) {
        mxs_set_remove(m->ready, slot);
        mxs_set_remove(m->lsq_waiting, slot);
        wheel_remove(m, WHEEL_READY, slot, e->ready_at);
    }
}

void mxs_window_squash(struct mxs *m, uint64_t number)
{
    while (m->next > number) {
        const uint32_t slot = mxs_slot_of(m, --m->next);
        struct mxs_entry *e = &m->entry[slot];
        m->counts->squashed++;
        if (SIM_UNLIKELY(m->viewer != NULL))
            mxs_viewer_squash(m->viewer, e->number, m->core->s.cycle);
        leave_lists(m, e);
        leave_sets(m, e, slot);
        for (unsigned i = e->op->results; i-- > 0;)
            m->rename_table[e->result_name[i]] = e->shadowed[i];
        if (e->queued)
            memory_dequeue(m, e);
        if (e->unresolved)
            m->unresolved--;
    }
    if (m->outdated > m->next)
        m->outdated = m->next;
}
