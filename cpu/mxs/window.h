/*
 * Renaming and wakeup in the instruction window of mxs.
 *
 * A result, and the time at which it becomes available, are known when its producer issues. So wakeup passes results to
 * waiting consumers at once, and schedules each consumer for the time at which all of its sources are ready. Only store
 * data is passed when it becomes available, because other entries test whether it is ready.
 *
 * Consumers with sources not ready form a list at the producer, youngest first. Entries are squashed youngest first, so
 * each removes itself from the front of its lists. A link is slot * 16 + source + 1, plus LINK_STORED for store data.
 */
#ifndef SIMOS_CPU_MXS_WINDOW_H
#define SIMOS_CPU_MXS_WINDOW_H

#include "cpu/mxs/mxs.h"
#include <string.h>

enum { LINK_END = 0, LINK_SOURCE = 7, LINK_STORED = 8, LINK_SLOT = 16 };

/* Events of a cycle in the wheel: ready to issue; completion. */
enum { WHEEL_READY, WHEEL_COMPLETE };

/* Index of the set for event WHICH at TIME. */
MXS_INLINE size_t wheel_index(unsigned words, unsigned which, cycles time)
{
    return (size_t)(time % MXS_WHEEL * 2 + which) * words;
}

MXS_INLINE uint64_t *wheel_set(struct mxs *m, unsigned words, unsigned which, cycles time)
{
    return m->wheel.set + wheel_index(words, which, time);
}

/* Schedule event WHICH of SLOT for TIME, which is not in the past of the wheel. */
MXS_INLINE void wheel_add(struct mxs *m, unsigned words, unsigned which, uint32_t slot, cycles time)
{
    struct mxs_wheel *wheel = &m->wheel;
    if (SIM_UNLIKELY(time - wheel->time >= MXS_WHEEL)) {
        mxs_set_add(wheel->overflow + (size_t)which * words, slot);
        if (wheel->overflow_due == CYCLES_NEVER)
            wheel->overflow_due = wheel->time + MXS_WHEEL - 1;
        return;
    }
    mxs_set_add(wheel_set(m, words, which, time), slot);
}

MXS_INLINE void wheel_remove(struct mxs *m, unsigned words, unsigned which, uint32_t slot, cycles time)
{
    mxs_set_remove(wheel_set(m, words, which, time), slot);
    if (SIM_UNLIKELY(m->wheel.overflow_due != CYCLES_NEVER))
        mxs_set_remove(m->wheel.overflow + (size_t)which * words, slot);
}

/* Source I of E will be RESULT of the entry in slot PRODUCER, which is not available yet. */
static inline void window_link(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned i, uint32_t producer,
                               unsigned result, unsigned kind)
{
    uint16_t *first = &m->entry[producer].consumers;
    e->producer[i] = (uint16_t)(producer * OP_RESULTS + result);
    e->next_consumer[i] = *first;
    *first = (uint16_t)(slot * LINK_SLOT + kind + i + 1);
}

/* The entry that will write NAME; NULL if its last writer has graduated. */
MXS_INLINE struct mxs_entry *window_writer(const struct mxs *m, unsigned words, unsigned name)
{
    const uint64_t number = m->rename_table[name];
    return number < m->oldest ? NULL : mxs_entry_at(m, words, number);
}

/* The architectural register NAME; GENERAL: it may be one of the floating-point unit. */
MXS_INLINE uint32_t window_register(const struct mxs *m, unsigned name, bool general)
{
    return general ? mxs_register_read(m, name) : ((const uint32_t *)(const void *)&m->core->s)[name];
}

/* Read source I of E, needed to issue: register NAME. If an entry will write it, raises *READY_AT to the time at which
 * the result is available. Returns the source's bit if that entry has not issued, otherwise 0. */
MXS_INLINE unsigned window_read(struct mxs *m, unsigned words, struct mxs_entry *e, uint32_t slot, unsigned i,
                                unsigned name, bool general, cycles *ready_at)
{
    const struct mxs_entry *producer = window_writer(m, words, name);
    if (producer == NULL) {
        e->value[i] = window_register(m, name, general);
        return 0;
    }
    const unsigned result = producer->result_name[0] != name;
    if (producer->done_at != CYCLES_NEVER) {
        e->value[i] = producer->result[result];
        if (producer->done_at > *ready_at)
            *ready_at = producer->done_at;
        return 0;
    }
    window_link(m, e, slot, i, mxs_slot_of(words, producer->number), result, 0);
    return 1u << i;
}

/* Read source I of the store E, its data or half of it: register NAME. */
MXS_INLINE void window_read_stored(struct mxs *m, unsigned words, struct mxs_entry *e, uint32_t slot, unsigned i,
                                   unsigned name, bool general, cycles now)
{
    const struct mxs_entry *producer = window_writer(m, words, name);
    if (producer == NULL) {
        e->value[i] = window_register(m, name, general);
        return;
    }
    const unsigned result = producer->result_name[0] != name;
    const uint32_t from = mxs_slot_of(words, producer->number);
    if (producer->done_at <= now) {
        e->value[i] = producer->result[result];
        return;
    }
    if (producer->done_at != CYCLES_NEVER)
        wheel_add(m, words, WHEEL_COMPLETE, from, producer->done_at);
    window_link(m, e, slot, i, from, result, LINK_STORED);
    e->data_pending |= (uint8_t)(1u << i);
}

/* Common data of entries fetched in the same cycle. */
struct insertion {
    cycles now, from; /* fetch time; earliest issue time */
    uint64_t *ready;  /* the wheel's ready set for `from` */
};

MXS_INLINE struct insertion window_insertion(struct mxs *m, unsigned words, cycles now)
{
    const cycles from = now + m->config.decode_delay;
    return (struct insertion){.now = now, .from = from, .ready = wheel_set(m, words, WHEEL_READY, from)};
}

/* Insert E, a load or store in SLOT, into the load/store queue. */
static inline void window_enqueue(struct mxs *m, struct mxs_entry *e, uint32_t slot, unsigned flags)
{
    e->queued = true;
    e->accessed = 0;
    m->queued++;
    if (flags & OP_STORE)
        mxs_set_add(m->unknown_stores, slot);
}

/* Initialize entry NUMBER, in SLOT, for OP at PC. The operands are not renamed yet. */
static inline struct mxs_entry *window_begin(struct mxs *m, const struct insertion *where, uint64_t number,
                                             uint32_t slot, const struct mxs_op *op, vaddr pc)
{
    struct mxs_entry *e = &m->entry[slot];
    memset(&e->serialising, 0, 16);
    e->op = op;
    e->number = number;
    e->pc = pc;
    e->done_at = CYCLES_NEVER;
    e->issue_from = where->from;
    return e;
}

static inline void window_write(struct mxs *m, struct mxs_entry *e, unsigned index, unsigned name)
{
    e->result_name[index] = (uint8_t)name;
    e->shadowed[index] = m->rename_table[name];
    m->rename_table[name] = e->number;
}

/* All sources of E have been read, except those in bit mask WAITS: schedule it if none is missing. */
MXS_INLINE void window_end(struct mxs *m, unsigned words, const struct insertion *where, struct mxs_entry *e,
                           uint32_t slot, unsigned waits, cycles ready_at)
{
    e->sources_pending = (uint8_t)waits;
    e->ready_at = ready_at;
    if (waits != 0)
        return;
    if (SIM_LIKELY(ready_at == where->from))
        mxs_set_add(where->ready, slot);
    else
        wheel_add(m, words, WHEEL_READY, slot, ready_at);
}

/*
 * Insert OP at PC into the window, as entry NUMBER. FLAGS: its flags, of which only those of OP_MEMORY matter.
 *
 * GENERAL and HEAD are constants. GENERAL: any instruction; otherwise one that is not OP_GENERAL_OPERANDS, with at most
 * two sources to issue and integer registers only. HEAD: it is serialising, and reads its registers at the head of the
 * window.
 */
MXS_INLINE struct mxs_entry *window_insert(struct mxs *m, unsigned words, const struct insertion *where,
                                           uint64_t number, const struct mxs_op *op, vaddr pc, unsigned flags,
                                           bool general, bool head)
{
    const uint32_t slot = mxs_slot_of(words, number);
    const unsigned addressing = op->addressing, most = general ? OP_SOURCES : 2;
    const bool pairs = general && mxs_has_pairs(m, op);
    struct mxs_entry *e = window_begin(m, where, number, slot, op, pc);
    cycles ready_at = where->from;
    unsigned waits = 0;
    for (unsigned i = 0; !head && i < most && i < addressing; i++)
        waits |= window_read(m, words, e, slot, i, mxs_name_now(pairs, op->source[i], op->wide_sources, i), general,
                             &ready_at);
    if (!head && (flags & OP_MEMORY)) {
        for (unsigned i = addressing; i < op->sources; i++)
            window_read_stored(m, words, e, slot, i, mxs_name_now(pairs, op->source[i], op->wide_sources, i), general,
                               where->now);
        window_enqueue(m, e, slot, flags);
    }
    for (unsigned i = 0; i < (general ? OP_RESULTS : 1) && i < op->results; i++)
        window_write(m, e, i, mxs_name_now(pairs, op->result[i], op->wide_results, i));
    if (head) {
        e->serialising = true;
        e->ready_at = ready_at;
    } else {
        window_end(m, words, where, e, slot, waits, ready_at);
    }
    return e;
}

/* Insert any OP into the window. HEAD: it is serialising. */
struct mxs_entry *mxs_window_insert(struct mxs *m, const struct insertion *where, uint64_t number,
                                    const struct mxs_op *op, vaddr pc, bool head);

/* Schedule the entry in SLOT to be ready at READY_AT, which may be in the past of the wheel. */
MXS_INLINE void window_schedule_ready(struct mxs *m, unsigned words, uint32_t slot, cycles ready_at)
{
    if (SIM_LIKELY(ready_at - m->wheel.time < MXS_WHEEL))
        mxs_set_add(wheel_set(m, words, WHEEL_READY, ready_at), slot);
    else if (ready_at < m->wheel.time)
        mxs_set_add(m->ready, slot);
    else
        wheel_add(m, words, WHEEL_READY, slot, ready_at);
}

/* Wakeup: the results of PRODUCER are known, pass them to waiting consumers. Links of store data stay in the list until
 * the results are available. */
MXS_INLINE void window_wakeup(struct mxs *m, unsigned words, struct mxs_entry *producer)
{
    uint16_t *kept = &producer->consumers;
    unsigned link = *kept;
    const cycles done_at = producer->done_at;
    while (link != LINK_END) {
        const uint32_t slot = mxs_slot_of(words, link / LINK_SLOT);
        const size_t i = (size_t)(link & LINK_SOURCE) - 1;
        struct mxs_entry *e = &m->entry[slot];
        const unsigned next = e->next_consumer[i];
        if (SIM_UNLIKELY(link & LINK_STORED)) {
            *kept = (uint16_t)link;
            kept = &e->next_consumer[i];
        } else {
            e->value[i] = producer->result[e->producer[i] % OP_RESULTS];
            if (done_at > e->ready_at)
                e->ready_at = done_at;
            e->sources_pending &= (uint8_t) ~(1u << i);
            if (e->sources_pending == 0)
                window_schedule_ready(m, words, slot, e->ready_at);
        }
        link = next;
    }
    *kept = LINK_END;
}

/* E has issued; FLAGS are its instruction's flags. */
MXS_INLINE void window_issued(struct mxs *m, unsigned words, struct mxs_entry *e, uint32_t slot, unsigned flags)
{
    bool happens = flags & (OP_CONDITIONAL | OP_INDIRECT);
    if (e->consumers != LINK_END) {
        window_wakeup(m, words, e);
        happens |= e->consumers != LINK_END;
    }
    if (happens)
        wheel_add(m, words, WHEEL_COMPLETE, slot, e->done_at);
}

/* The results of PRODUCER are available: pass them to stores that wait for their data. */
static inline void window_wakeup_stores(struct mxs *m, struct mxs_entry *producer)
{
    uint16_t link = producer->consumers;
    producer->consumers = LINK_END;
    while (link != LINK_END) {
        const unsigned i = (link & LINK_SOURCE) - 1u;
        struct mxs_entry *e = &m->entry[link / LINK_SLOT];
        e->value[i] = producer->result[e->producer[i] % OP_RESULTS];
        e->data_pending &= (uint8_t) ~(1u << i);
        if (e->data_pending == 0 && e->has_address)
            mxs_store_value(m, e);
        link = e->next_consumer[i];
    }
}

/* Process the completion events of the entries in SET, at NOW. A mispredicted branch may squash younger entries, which
 * removes them from SET. */
MXS_INLINE void wheel_complete(struct mxs *m, unsigned words, uint64_t *set, cycles now)
{
    m->did_work = true;
    for (uint64_t number = mxs_set_next(m, words, set, m->oldest); number < m->next;
         number = mxs_set_next(m, words, set, number + 1)) {
        struct mxs_entry *e = mxs_entry_at(m, words, number);
        mxs_set_remove(set, mxs_slot_of(words, number));
        if (e->consumers != LINK_END)
            window_wakeup_stores(m, e);
        if (e->op->flags & (OP_CONDITIONAL | OP_INDIRECT))
            mxs_branch_resolve(m, e, now);
    }
}

/* Process the events of the wheel's current time, at NOW, and advance the wheel. */
MXS_INLINE void wheel_advance(struct mxs *m, unsigned words, cycles now)
{
    uint64_t *set = wheel_set(m, words, WHEEL_READY, m->wheel.time), happens = 0;
    m->wheel.time++;
    for (unsigned i = 0; i < words; i++) {
        m->ready[i] |= set[i];
        set[i] = 0;
        happens |= set[words + i];
    }
    if (happens != 0)
        wheel_complete(m, words, set + words, now);
}

#endif
