/*
 * Renaming in the window of mxs, on the way of each instruction: from the results of entries to the sources of others.
 *
 * A result is known when its entry issues, and also when it will be there. So it is given to those that wait for it at
 * once, and they become ready at that time. Only the value of a store is given when it is there: others look at whether
 * it is.
 *
 * Sources that are lacking form a list at their producer, the youngest first: as entries are squashed from the young
 * end, each takes itself from the front of its lists. A link is slot * 16 + LINK_STORED, for the value of a store, +
 * source + 1.
 */
#ifndef SIMOS_CPU_MXS_WINDOW_H
#define SIMOS_CPU_MXS_WINDOW_H

#include "cpu/mxs/mxs.h"
#include <string.h>

enum { LINK_END = 0, LINK_SOURCE = 7, LINK_STORED = 8, LINK_SLOT = 16 };

/* Which of the two sets of a cycle in the wheel. */
enum { WHEEL_READY, WHEEL_HAPPENS };

/* Put SLOT into the set WHICH of TIME, which the wheel has not reached. */
static inline void wheel_add(struct mxs *m, unsigned which, uint32_t slot, cycles time)
{
    struct mxs_wheel *wheel = &m->wheel;
    if (SIM_UNLIKELY(time - wheel->time >= MXS_WHEEL)) {
        mxs_set_add(wheel->far + (size_t)which * m->words, slot);
        if (wheel->far_from == CYCLES_NEVER)
            wheel->far_from = wheel->time + MXS_WHEEL - 1;
        return;
    }
    const unsigned at = time % MXS_WHEEL;
    mxs_set_add(wheel->set + (size_t)(at * 2 + which) * m->words, slot);
    wheel->used[at / 64] |= UINT64_C(1) << at % 64;
}

static inline void wheel_remove(struct mxs *m, unsigned which, uint32_t slot, cycles time)
{
    struct mxs_wheel *wheel = &m->wheel;
    mxs_set_remove(wheel->set + (size_t)(time % MXS_WHEEL * 2 + which) * m->words, slot);
    mxs_set_remove(wheel->far + (size_t)which * m->words, slot);
}

/* E, in SLOT, has all that it needs to begin: it is ready at its time. */
static inline void window_wake(struct mxs *m, const struct mxs_entry *e, uint32_t slot)
{
    if (e->head)
        return;
    if (SIM_LIKELY(e->ready_at >= m->wheel.time))
        wheel_add(m, WHEEL_READY, slot, e->ready_at);
    else
        mxs_set_add(m->ready, slot);
}

/* Source I of E is RESULT of the entry in slot PRODUCER, which has not got it yet. */
static inline void window_link(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i, uint32_t producer,
                               unsigned result, unsigned kind)
{
    uint16_t *first = &m->entry[producer].consumers;
    e->producer[i] = (uint16_t)(producer * OP_RESULTS + result);
    e->next_consumer[i] = *first;
    *first = (uint16_t)(slot * LINK_SLOT + kind + i + 1);
}

/* Source I of E, which it needs to begin, is NAME. */
static inline void window_read(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i, unsigned name)
{
    const uint64_t number = m->writer[name];
    if (number < m->oldest) {
        e->value[i] = mxs_register_read(m, name);
        return;
    }
    const struct mxs_entry *producer = mxs_entry_at(m, number);
    const unsigned result = producer->result_name[0] != name;
    if (producer->done_at != CYCLES_NEVER) {
        e->value[i] = producer->result[result];
        if (producer->done_at > e->ready_at)
            e->ready_at = producer->done_at;
        return;
    }
    window_link(m, e, slot, i, (uint32_t)number & m->slot_mask, result, 0);
    e->waits |= (uint8_t)(1u << i);
}

/* Source I of the store E, which is its value or a half of it, is NAME. */
static inline void window_read_stored(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i, unsigned name,
                                      cycles now)
{
    const uint64_t number = m->writer[name];
    if (number < m->oldest) {
        e->value[i] = mxs_register_read(m, name);
        return;
    }
    const struct mxs_entry *producer = mxs_entry_at(m, number);
    const unsigned result = producer->result_name[0] != name;
    const uint32_t from = (uint32_t)number & m->slot_mask;
    if (producer->done_at <= now) {
        e->value[i] = producer->result[result];
        return;
    }
    if (producer->done_at != CYCLES_NEVER)
        wheel_add(m, WHEEL_HAPPENS, from, producer->done_at);
    window_link(m, e, slot, i, from, result, LINK_STORED);
    e->lacks |= (uint8_t)(1u << i);
}

/* What entries that are fetched in the same cycle have in common. */
struct insertion {
    cycles now, from; /* when they are fetched, can issue */
    uint64_t *ready;  /* the wheel's set of that time */
};

static inline struct insertion window_insertion(struct mxs *m, cycles now)
{
    const cycles from = now + m->config.decode_delay;
    const unsigned at = from % MXS_WHEEL;
    m->wheel.used[at / 64] |= UINT64_C(1) << at % 64;
    return (struct insertion){
        .now = now, .from = from, .ready = m->wheel.set + (size_t)(at * 2 + WHEEL_READY) * m->words};
}

/* E, in SLOT, is a load or store that goes through the queue. */
static inline void window_enqueue(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned flags)
{
    e->queued = true;
    m->queued++;
    if (flags & OP_STORE)
        mxs_set_add(m->unknown, slot);
}

/* OP at PC into the window, as the next; sources that are known are read. HEAD: it waits until it is the oldest.
 * MEMORY: it may be a load or store. */
static inline __attribute__((always_inline)) struct mxs_entry *
window_insert(struct mxs *m, const struct insertion *where, const struct mxs_op *op, vaddr pc, bool head, bool memory)
{
    const uint64_t number = m->next++;
    const uint32_t slot = (uint32_t)number & m->slot_mask;
    struct mxs_entry *e = &m->entry[slot];
    const bool pairs = mxs_has_pairs(m, op);
    const unsigned addressing = op->addressing, results = op->results;
    memset(&e->head, 0, 16);
    e->op = op;
    e->number = number;
    e->pc = pc;
    e->done_at = CYCLES_NEVER;
    e->issue_from = e->ready_at = where->from;
    if (addressing > 0) {
        window_read(m, e, slot, 0, mxs_name_now(pairs, op->source[0], op->wide_sources, 0));
        for (unsigned i = 1; i < addressing; i++)
            window_read(m, e, slot, i, mxs_name_now(pairs, op->source[i], op->wide_sources, i));
    }
    if (memory)
        for (unsigned i = addressing; i < op->sources; i++)
            window_read_stored(m, e, slot, i, mxs_name_now(pairs, op->source[i], op->wide_sources, i), where->now);
    if (results > 0) {
        const unsigned name = mxs_name_now(pairs, op->result[0], op->wide_results, 0);
        e->result_name[0] = (uint8_t)name;
        e->shadowed[0] = m->writer[name];
        m->writer[name] = number;
        if (results > 1) {
            const unsigned second = mxs_name_now(pairs, op->result[1], op->wide_results, 1);
            e->result_name[1] = (uint8_t)second;
            e->shadowed[1] = m->writer[second];
            m->writer[second] = number;
        }
    }
    e->head = head;
    if (memory && (op->flags & OP_MEMORY) && !head)
        window_enqueue(m, e, slot, op->flags);
    if (e->waits == 0 && !head) {
        if (e->ready_at == where->from)
            mxs_set_add(where->ready, slot);
        else
            wheel_add(m, WHEEL_READY, slot, e->ready_at);
    }
    return e;
}

/* PRODUCER's results are known: they go to those that lack them. Stores stay in its list, until they are there. */
static inline void window_give(struct mxs *m, struct mxs_entry *producer)
{
    uint16_t *kept = &producer->consumers, link = *kept;
    while (link != LINK_END) {
        const uint32_t slot = link / LINK_SLOT;
        const unsigned i = (link & LINK_SOURCE) - 1u;
        struct mxs_entry *e = &m->entry[slot];
        const uint16_t next = e->next_consumer[i];
        if (SIM_UNLIKELY(link & LINK_STORED)) {
            *kept = link;
            kept = &e->next_consumer[i];
        } else {
            e->value[i] = producer->result[e->producer[i] % OP_RESULTS];
            if (producer->done_at > e->ready_at)
                e->ready_at = producer->done_at;
            e->waits &= (uint8_t) ~(1u << i);
            if (e->waits == 0)
                window_wake(m, e, slot);
        }
        link = next;
    }
    *kept = LINK_END;
}

/* E has issued. */
static inline void window_issued(struct mxs *m, struct mxs_entry *e, uint32_t slot)
{
    window_give(m, e);
    if (e->consumers != LINK_END || (e->op->flags & (OP_CONDITIONAL | OP_INDIRECT)))
        wheel_add(m, WHEEL_HAPPENS, slot, e->done_at);
}

/* PRODUCER is done: stores that wait for it have their value. */
static inline void window_give_stores(struct mxs *m, struct mxs_entry *producer)
{
    uint16_t link = producer->consumers;
    producer->consumers = LINK_END;
    while (link != LINK_END) {
        const unsigned i = (link & LINK_SOURCE) - 1u;
        struct mxs_entry *e = &m->entry[link / LINK_SLOT];
        e->value[i] = producer->result[e->producer[i] % OP_RESULTS];
        e->lacks &= (uint8_t) ~(1u << i);
        if (e->lacks == 0 && e->addressed)
            mxs_store_value(m, e);
        link = e->next_consumer[i];
    }
}

#endif
