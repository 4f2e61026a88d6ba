/* The event wheel: advances time and processes events. */
#include "cpu/mxs/window.h"

/* Insert the events that were beyond the wheel again. */
static void reinsert_far(struct mxs *m)
{
    struct mxs_wheel *wheel = &m->wheel;
    wheel->overflow_due = CYCLES_NEVER;
    for (unsigned which = WHEEL_READY; which <= WHEEL_COMPLETE; which++) {
        uint64_t *set = wheel->overflow + (size_t)which * m->words;
        for (uint64_t number = mxs_set_next(m, m->words, set, m->oldest); number < m->next;
             number = mxs_set_next(m, m->words, set, number + 1)) {
            const struct mxs_entry *e = mxs_entry_at(m, m->words, number);
            const uint32_t slot = mxs_slot_of(m->words, number);
            mxs_set_remove(set, slot);
            wheel_add(m, m->words, which, slot, which == WHEEL_READY ? e->ready_at : e->done_at);
        }
    }
}

void mxs_wheel_advance_far(struct mxs *m, cycles now)
{
    struct mxs_wheel *wheel = &m->wheel;
    while (wheel->time <= now) {
        const cycles next = mxs_wheel_next(m, wheel->time, now + 1);
        wheel->time = next;
        if (next > now)
            return;
        if (next == wheel->overflow_due)
            reinsert_far(m);
        wheel_advance(m, m->words, now);
    }
}

cycles mxs_wheel_next(const struct mxs *m, cycles now, cycles until)
{
    const struct mxs_wheel *wheel = &m->wheel;
    if (wheel->overflow_due < until)
        until = wheel->overflow_due;
    const cycles end = until < now + MXS_WHEEL ? until : now + MXS_WHEEL;
    for (cycles time = now; time < end; time++) {
        const uint64_t *set = wheel->set + (size_t)(time % MXS_WHEEL) * 2 * m->words;
        for (unsigned i = 0; i < 2 * m->words; i++)
            if (set[i] != 0)
                return time;
    }
    return until;
}
