/* The wheel: time goes on, and what was to come then comes. */
#include "cpu/mxs/window.h"

/* A branch may have the younger ones squashed: they leave the set. */
static void happen(struct mxs *m, uint64_t *set, cycles now)
{
    for (uint64_t number = mxs_set_next(m, set, m->oldest); number < m->next;
         number = mxs_set_next(m, set, number + 1)) {
        struct mxs_entry *e = mxs_entry_at(m, number);
        mxs_set_remove(set, (uint32_t)number & m->slot_mask);
        m->active = true;
        window_give_stores(m, e);
        if (e->op->flags & (OP_CONDITIONAL | OP_INDIRECT))
            mxs_branch_resolve(m, e, now);
    }
}

static bool come_to(struct mxs *m, unsigned at)
{
    uint64_t *set = m->wheel.set + (size_t)at * 2 * m->words;
    uint64_t happens = 0;
    m->wheel.used[at / 64] &= ~(UINT64_C(1) << at % 64);
    for (unsigned i = 0; i < m->words; i++) {
        m->ready[i] |= set[i];
        set[i] = 0;
        happens |= set[m->words + i];
    }
    return happens != 0;
}

static bool is_used(const struct mxs_wheel *wheel, unsigned at)
{
    return wheel->used[at / 64] >> at % 64 & 1;
}

/* All that is far is put in again. */
static void look_far(struct mxs *m)
{
    struct mxs_wheel *wheel = &m->wheel;
    wheel->far_from = CYCLES_NEVER;
    for (unsigned which = WHEEL_READY; which <= WHEEL_HAPPENS; which++) {
        uint64_t *set = wheel->far + (size_t)which * m->words;
        for (uint64_t number = mxs_set_next(m, set, m->oldest); number < m->next;
             number = mxs_set_next(m, set, number + 1)) {
            const struct mxs_entry *e = mxs_entry_at(m, number);
            const uint32_t slot = (uint32_t)number & m->slot_mask;
            mxs_set_remove(set, slot);
            wheel_add(m, which, slot, which == WHEEL_READY ? e->ready_at : e->done_at);
        }
    }
}

/* Time goes on by more than a cycle, or there is something far. */
static void turn_to(struct mxs *m, cycles now)
{
    struct mxs_wheel *wheel = &m->wheel;
    while (wheel->time <= now) {
        const cycles next = mxs_wheel_next(m, wheel->time);
        if (next > now) {
            wheel->time = now + 1;
            return;
        }
        wheel->time = next;
        if (next == wheel->far_from)
            look_far(m);
        wheel->time = next + 1;
        const unsigned at = next % MXS_WHEEL;
        if (is_used(wheel, at) && come_to(m, at))
            happen(m, wheel->set + (size_t)(at * 2 + WHEEL_HAPPENS) * m->words, now);
    }
}

void mxs_wheel_turn(struct mxs *m, cycles now)
{
    struct mxs_wheel *wheel = &m->wheel;
    if (SIM_UNLIKELY(wheel->time != now || wheel->far_from <= now)) {
        turn_to(m, now);
        return;
    }
    const unsigned at = now % MXS_WHEEL;
    wheel->time = now + 1;
    if (is_used(wheel, at) && come_to(m, at))
        happen(m, wheel->set + (size_t)(at * 2 + WHEEL_HAPPENS) * m->words, now);
}

cycles mxs_wheel_next(const struct mxs *m, cycles now)
{
    const struct mxs_wheel *wheel = &m->wheel;
    for (cycles time = now; time < now + MXS_WHEEL;) {
        const unsigned at = time % MXS_WHEEL;
        const uint64_t word = wheel->used[at / 64] >> at % 64;
        if (word != 0) {
            time += (unsigned)__builtin_ctzll(word);
            if (time >= now + MXS_WHEEL)
                break;
            return time < wheel->far_from ? time : wheel->far_from;
        }
        time += 64 - at % 64;
    }
    return wheel->far_from;
}
