/*
 * The instruction window: renaming, results on their way to those that wait, what is undone.
 *
 * Sources that are not there yet form a list at their producer, the youngest first: as entries are squashed from the
 * young end, each takes itself from the front of its lists.
 */
#include "cpu/mxs/mxs.h"
#include <string.h>

enum { LINK_END = 0 };

static uint16_t link_to(uint32_t slot, unsigned source)
{
    return (uint16_t)(slot * 8 + source + 1);
}

static inline void rename_source(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i, unsigned name)
{
    const uint64_t number = m->writer[name];
    if (number < m->oldest) {
        e->value[i] = mxs_register_read(m, name);
        return;
    }
    struct mxs_entry *producer = mxs_entry_at(m, number);
    const unsigned second = producer->result_name[0] != name;
    if (producer->state == MXS_DONE) {
        e->value[i] = producer->result[second];
        return;
    }
    e->producer[i] = (uint16_t)(number & m->slot_mask);
    e->next_consumer[i] = producer->consumers;
    producer->consumers = link_to(slot, i);
    e->waits |= (uint8_t)(1u << i);
    e->second |= (uint8_t)(second << i);
    e->lacking++;
    if (i < e->op->addressing)
        e->lacking_address++;
}

static void enqueue(struct mxs *m, struct mxs_entry *e, uint32_t slot)
{
    e->queued = true;
    e->queue = m->queue_next++;
    e->addressed = e->valued = false;
    e->forwarder = 0;
    m->queue[e->queue & m->queue_mask] = (uint16_t)slot;
}

struct mxs_entry *mxs_window_insert(struct mxs *m, const struct mxs_op *op, vaddr pc, bool head, cycles now)
{
    const uint64_t number = m->next++;
    const uint32_t slot = (uint32_t)number & m->slot_mask;
    struct mxs_entry *e = &m->entry[slot];
    const bool pairs = mxs_has_pairs(m, op);
    e->op = op;
    e->pc = pc;
    e->number = number;
    e->head = head;
    memset(&e->unsure, 0, 8);
    e->consumers = LINK_END;
    e->epoch = m->epoch;
    e->issue_from = now + m->config.decode_delay;
    for (unsigned i = 0; i < op->sources; i++)
        rename_source(m, e, slot, i, mxs_name_now(pairs, op->source[i], op->wide_sources, i));
    e->results = op->results;
    for (unsigned i = 0; i < op->results; i++) {
        const unsigned name = mxs_name_now(pairs, op->result[i], op->wide_results, i);
        e->result_name[i] = (uint8_t)name;
        e->shadowed[i] = m->writer[name];
        m->writer[name] = number;
    }
    if ((op->flags & OP_MEMORY) && !head)
        enqueue(m, e, slot);
    if (e->lacking_address > 0 || head) {
        e->state = MXS_WAITING;
    } else {
        e->state = MXS_READY;
        mxs_set_add(m->ready, slot);
    }
    return e;
}

void mxs_window_schedule(struct mxs *m, struct mxs_entry *e, cycles time)
{
    e->state = MXS_EXECUTING;
    e->done_at = time;
    const unsigned at = time - m->wheel_time < MXS_WHEEL ? time % MXS_WHEEL : (m->wheel_time - 1) % MXS_WHEEL;
    e->place = (uint8_t)at;
    mxs_set_add(m->wheel + (size_t)at * m->words, (uint32_t)e->number & m->slot_mask);
    m->wheel_used[at / 64] |= UINT64_C(1) << at % 64;
}

static void source_arrives(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i)
{
    e->waits &= (uint8_t) ~(1u << i);
    e->lacking--;
    if (i < e->op->addressing && --e->lacking_address == 0 && !e->head) {
        e->state = MXS_READY;
        mxs_set_add(m->ready, slot);
    }
    if ((e->op->flags & OP_STORE) && e->lacking == 0 && e->addressed)
        mxs_store_value(m, e);
    if (e->lacking == 0 && e->state == MXS_ADDRESSED)
        e->state = MXS_DONE;
}

void mxs_window_deliver(struct mxs *m, struct mxs_entry *producer)
{
    uint16_t link = producer->consumers;
    producer->consumers = LINK_END;
    while (link != LINK_END) {
        const uint32_t slot = (uint32_t)(link - 1) / 8;
        const unsigned i = (link - 1u) % 8;
        struct mxs_entry *e = &m->entry[slot];
        e->value[i] = producer->result[e->second >> i & 1];
        link = e->next_consumer[i];
        source_arrives(m, e, slot, i);
    }
}

/* ENTRY's time has come. */
static void finish(struct mxs *m, struct mxs_entry *e, cycles now)
{
    if (e->op->flags & OP_STORE) {
        e->state = e->lacking > 0 ? MXS_ADDRESSED : MXS_DONE;
        return;
    }
    e->state = MXS_DONE;
    mxs_window_deliver(m, e);
    if (e->op->flags & OP_CONTROL)
        mxs_branch_resolve(m, e, now);
}

/* A branch may have the younger ones squashed: they leave the set. */
static void arrive_at(struct mxs *m, unsigned at, cycles now)
{
    uint64_t *set = m->wheel + (size_t)at * m->words;
    m->wheel_used[at / 64] &= ~(UINT64_C(1) << at % 64);
    for (uint64_t number = mxs_set_next(m, set, m->oldest); number < m->next;
         number = mxs_set_next(m, set, number + 1)) {
        struct mxs_entry *e = mxs_entry_at(m, number);
        mxs_set_remove(set, (uint32_t)number & m->slot_mask);
        m->active = true;
        if (e->done_at > now)
            mxs_window_schedule(m, e, e->done_at);
        else
            finish(m, e, now);
    }
}

void mxs_window_arrive(struct mxs *m, cycles now)
{
    if (SIM_LIKELY(m->wheel_time == now)) {
        const unsigned at = now % MXS_WHEEL;
        m->wheel_time = now + 1;
        if (m->wheel_used[at / 64] >> at % 64 & 1)
            arrive_at(m, at, now);
        return;
    }
    while (m->wheel_time <= now) {
        const cycles next = mxs_window_next(m, m->wheel_time - 1);
        if (next > now) {
            m->wheel_time = now + 1;
            return;
        }
        m->wheel_time = next + 1;
        arrive_at(m, next % MXS_WHEEL, now);
    }
}

cycles mxs_window_next(const struct mxs *m, cycles now)
{
    const cycles first = now + 1;
    for (cycles time = first; time < first + MXS_WHEEL;) {
        const unsigned at = time % MXS_WHEEL;
        const uint64_t word = m->wheel_used[at / 64] >> at % 64;
        if (word != 0) {
            time += (unsigned)__builtin_ctzll(word);
            return time < first + MXS_WHEEL ? time : CYCLES_NEVER;
        }
        time += 64 - at % 64;
    }
    return CYCLES_NEVER;
}

void mxs_window_unpark(struct mxs *m)
{
    for (uint64_t number = mxs_set_next(m, m->parked, m->oldest); number < m->next;
         number = mxs_set_next(m, m->parked, number + 1))
        mxs_entry_at(m, number)->state = MXS_READY;
    for (unsigned i = 0; i < m->words; i++) {
        m->ready[i] |= m->parked[i];
        m->parked[i] = 0;
    }
}

static void leave_lists(struct mxs *m, struct mxs_entry *e)
{
    for (unsigned i = e->op->sources; e->waits != 0 && i-- > 0;)
        if (e->waits >> i & 1) {
            m->entry[e->producer[i]].consumers = e->next_consumer[i];
            e->waits &= (uint8_t) ~(1u << i);
        }
}

static void leave_sets(struct mxs *m, const struct mxs_entry *e, uint32_t slot)
{
    switch (e->state) {
    case MXS_READY: mxs_set_remove(m->ready, slot); break;
    case MXS_PARKED: mxs_set_remove(m->parked, slot); break;
    case MXS_EXECUTING: mxs_set_remove(m->wheel + (size_t)e->place * m->words, slot); break;
    default: break;
    }
}

void mxs_window_squash(struct mxs *m, uint64_t number)
{
    while (m->next > number) {
        const uint32_t slot = (uint32_t)--m->next & m->slot_mask;
        struct mxs_entry *e = &m->entry[slot];
        m->counts->squashed++;
        if (SIM_UNLIKELY(m->viewer != NULL))
            mxs_viewer_squash(m->viewer, e->number, m->core->s.cycle);
        leave_lists(m, e);
        leave_sets(m, e, slot);
        for (unsigned i = e->results; i-- > 0;)
            m->writer[e->result_name[i]] = e->shadowed[i];
        if (e->queued)
            m->queue_next--;
        if (e->unsure)
            m->unsure--;
    }
}
