/*
 * The end of a run within straight-line code.
 */
#include "cpu/mipsy/mipsy.h"

#include <assert.h>

void mipsy_end_run(struct mipsy *m)
{
    if (m->in.budget <= 0)
        return;
    m->in.end -= (cycles)m->in.budget;
    m->in.budget = 0;
    mipsy_set_limits(m);
}

void mipsy_alarm_set(struct mipsy_pages *pages, union mipsy_slot *slot)
{
    pages->alarm.slot = slot;
    pages->alarm.run = slot->insn.run;
    pages->alarm.delayed = mipsy_delayed(slot)->run;
    slot->insn.run = pages->labels.in_order.alarm;
    mipsy_delayed(slot)->run = pages->labels.delayed.alarm;
}

/* A slot that looks at the time by itself begins each window. Of an instruction that begins a group the slot before it
 * is taken: it must not be passed. */
void mipsy_alarm_after(struct mipsy *m, struct mipsy_page *page, const union mipsy_slot *slot)
{
    struct mipsy_pages *pages = m->pages;
    const unsigned index = mipsy_index(pages, page, slot);
    const uint64_t left = m->in.budget > 0 ? (uint64_t)m->in.budget : 0;
    mipsy_alarm_off(pages);
    if (index >= PAGE_INSNS) /* behind the page's last: what enters the next page looks at the time by itself */
        return;
    if (left >= MIPSY_WINDOW - 1 - index % MIPSY_WINDOW)
        return;
    const unsigned first = index + 1 + (unsigned)left;
    assert(first < PAGE_INSNS);
    const bool begins = (first & ((1u << pages->group_shift) - 1)) == 0;
    mipsy_alarm_set(pages, mipsy_place_slot(page, pages->places[first]) - begins);
}
