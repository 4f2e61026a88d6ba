/*
 * What translated code calls (translator.h): accesses and fetches that are not known to hit, the TLB's refills,
 * exceptions; with the interpreter's bookkeeping around them.
 */
#include "cpu/mipsy/translator.h"

#include "cpu/semantics.h"
#include "cpu/tlb.h"
#include "cpu/vmap.h"

/* Time of the instruction at SITE, ticks. */
static inline int64_t time_at(const struct mipsy_hot *hot, uint32_t site)
{
    return hot->frame.now + (int64_t)mipsy_site_index(site) * MIPSY_TICKS;
}

/* Who looks at the time finds NOW, ticks, of an instruction that has taken its cycle. */
static inline void set_budget(struct mipsy *m, int64_t now)
{
    m->in.budget = (int64_t)m->in.end - (now >> MIPSY_TICK_SHIFT);
}

/* Does the run end within a window? Then the interpreter has to see to it. */
static inline bool ends_soon(const struct mipsy_hot *hot, uint32_t site)
{
    return SIM_UNLIKELY(time_at(hot, site) > mipsy_limit(hot));
}

/* Loads and stores behind SITE are counted again, or, with SIGN -1, not yet. Mostly there are none. */
static inline void count_rest(struct core *core, uint32_t site, int64_t sign)
{
    if (!mipsy_site_counts(site))
        return;
    const struct mipsy_site s = mipsy_site_unpack(site);
    core->counts.loads += (uint64_t)(sign * s.loads);
    core->counts.stores += (uint64_t)(sign * s.stores);
}
static inline void uncount(struct core *core, uint32_t site)
{
    count_rest(core, site, -1);
}
static inline void count(struct core *core, uint32_t site)
{
    count_rest(core, site, 1);
}

static union mipsy_slot *slot_of(const struct mipsy_hot *hot, uint32_t site)
{
    return &hot->frame.page->slots[mipsy_site_unpack(site).slot];
}

static vaddr pc_of(const struct mipsy *m, const struct mipsy_hot *hot, uint32_t site)
{
    return hot->frame.base + 4 * mipsy_index(m->pages, hot->frame.page, slot_of(hot, site));
}

/* Leave the block because of WHY, to go on with the instruction at SITE, or after it. */
static uint32_t leave_at(struct mipsy_hot *hot, enum mipsy_leave why, uint32_t site, bool after)
{
    uncount(hot->mipsy->in.core, site);
    hot->frame.where = (mipsy_site_unpack(site).slot + after) * MIPSY_TICKS;
    hot->frame.now = time_at(hot, site) + (after ? MIPSY_TICKS : 0);
    return why;
}

/* Leave it after the instruction at SITE, unless that is in a delay slot: the next block looks at everything. */
static uint32_t leave_after(struct mipsy_hot *hot, enum mipsy_leave why, uint32_t site)
{
    return mipsy_site_unpack(site).delayed ? MIPSY_GO_ON : leave_at(hot, why, site, true);
}

/* Control goes to s.pc, whose instruction begins at NOW, ticks; unless the core wants attention before, which finds the
 * time in the budget. */
static uint32_t go_on_at_pc(struct mipsy *m, struct mipsy_hot *hot, int64_t now)
{
    struct core *core = m->in.core;
    core->s.in_delay_slot = false;
    hot->frame.now = now;
    hot->frame.where = core->s.pc;
    return SIM_UNLIKELY(core->attention) ? MIPSY_ASKED : MIPSY_JUMP;
}

/* The instruction at SITE raises an exception, or has done so. Returns its time, ticks, which the budget says too. */
static inline int64_t stop_at(struct mipsy *m, const struct mipsy_hot *hot, uint32_t site)
{
    const int64_t now = time_at(hot, site);
    uncount(m->in.core, site);
    set_budget(m, now);
    return now;
}

/* It has raised core->exception. */
static uint32_t enter_exception(struct mipsy *m, struct mipsy_hot *hot, uint32_t site)
{
    const int64_t now = stop_at(m, hot, site);
    exception_enter(m->in.core, pc_of(m, hot, site), mipsy_site_unpack(site).delayed);
    return go_on_at_pc(m, hot, now + MIPSY_TICKS);
}

/* It makes an ACCESS to ADDRESS, which the TLB misses. */
static uint32_t enter_refill(struct mipsy *m, struct mipsy_hot *hot, uint32_t site, enum access access, vaddr address)
{
    const int64_t now = stop_at(m, hot, site);
    exception_enter_refill(m->in.core, access, address, pc_of(m, hot, site), mipsy_site_unpack(site).delayed);
    return go_on_at_pc(m, hot, now + MIPSY_TICKS);
}

uint32_t mipsy_on_fetch(struct core *core, uint32_t offset, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const unsigned forgotten = m->pages->forgotten;
    const cycles now = (cycles)time_at(hot, site) >> MIPSY_TICK_SHIFT;
    const paddr line = hot->frame.page->page + (offset & -m->in.fetch_line);
    uncount(core, site);
    const vaddr pc = hot->frame.base + offset;
    const uint32_t number = mipsy_place_quick(hot->frame.page, m->pages->places[offset / 4]);
    const cycles stall = inorder_fetch_line_at(&m->in, pc, line, number, now);
    count(core, site);
    hot->frame.now += (int64_t)stall << MIPSY_TICK_SHIFT;
    /* in a delay slot: the next block looks at everything */
    if (mipsy_site_unpack(site).delayed || (!ends_soon(hot, site) && SIM_LIKELY(m->pages->forgotten == forgotten)))
        return MIPSY_GO_ON;
    return leave_at(hot, MIPSY_FETCHED, site, false);
}

/* Any access: before it, */
static inline __attribute__((always_inline)) unsigned begin_access(struct mipsy *m, struct mipsy_hot *hot,
                                                                   uint32_t site)
{
    uncount(m->in.core, site);
    set_budget(m, time_at(hot, site));
    if (SIM_UNLIKELY(m->in.wants_pc))
        m->in.core->s.pc = pc_of(m, hot, site);
    return m->pages->forgotten;
}

/* and after it; it has RAISED an exception. */
static inline __attribute__((always_inline)) uint32_t end_access(struct mipsy *m, uint32_t site, unsigned forgotten,
                                                                 int raised, enum mipsy_leave why)
{
    struct core *core = m->in.core;
    struct mipsy_hot *hot = mipsy_hot(core);
    count(core, site);
    hot->frame.now = ((int64_t)m->in.end - m->in.budget) * MIPSY_TICKS - (int64_t)mipsy_site_index(site) * MIPSY_TICKS;
    if (raised)
        return enter_exception(m, hot, site);
    if (SIM_UNLIKELY(core->attention))
        mipsy_end_run(m);
    if (ends_soon(hot, site) || SIM_UNLIKELY(m->pages->forgotten != forgotten))
        return leave_after(hot, why, site);
    return MIPSY_GO_ON;
}

/* The instruction at SITE makes an access of TYPE to ADDRESS. Where the flat tables know nothing, mostly the TLB
 * refuses it: then the exception has been entered, and *WHY says how to go on. Otherwise nothing has been done. */
static inline bool is_refused(struct mipsy *m, struct mipsy_hot *hot, uint32_t site, enum access access, vaddr address,
                              uint32_t *why)
{
    struct core *core = m->in.core;
    const uintptr_t *map = access == ACCESS_STORE ? core->store_map : core->load_map;
    paddr pa;
    bool cached;
    if (map[address >> PAGE_SHIFT] != 0 || (address & (mipsy_size_of(mipsy_site_type(site)) - 1)) != 0)
        return false;
    if (SIM_LIKELY(tlb_is_missed(core, address)))
        *why = enter_refill(m, hot, site, access, address);
    else if (tlb_translate(core, address, access, &pa, &cached))
        *why = enter_exception(m, hot, site);
    else
        return false;
    return true;
}

static inline uint32_t extended(uint32_t word, enum mipsy_type type)
{
    return type == MIPSY_S8 ? (uint32_t)(int8_t)word : type == MIPSY_S16 ? (uint32_t)(int16_t)word : word;
}

static int load(struct inorder *in, vaddr address, enum mipsy_type type, uint32_t *value)
{
    if (type == MIPSY_UNALIGNED)
        return inorder_load_unaligned(in, address, value);
    uint32_t word = 0;
    const int raised = inorder_load(in, address, mipsy_size_of(type), &word);
    *value = extended(word, type);
    return raised;
}

uint32_t mipsy_on_load(struct core *core, vaddr address, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const enum mipsy_type type = mipsy_site_type(site);
    uint32_t why;
    if (is_refused(m, hot, site, ACCESS_LOAD, address, &why))
        return why;
    const unsigned forgotten = begin_access(m, hot, site);
    const int raised = load(&m->in, address, type, &hot->frame.value);
    return end_access(m, site, forgotten, raised, MIPSY_FINISH);
}

static int store(struct inorder *in, vaddr address, enum mipsy_type type, uint32_t value, uint32_t mask)
{
    if (type == MIPSY_MERGED)
        return inorder_store_merged(in, address, value, mask);
    return inorder_store(in, address, mipsy_size_of(type), value);
}

uint32_t mipsy_on_store(struct core *core, vaddr address, uint32_t site, uint32_t value, uint32_t mask)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const enum mipsy_type type = mipsy_site_type(site);
    uint32_t why;
    if (is_refused(m, hot, site, ACCESS_STORE, address, &why))
        return why;
    const unsigned forgotten = begin_access(m, hot, site);
    const int raised = store(&m->in, address, type, value, mask);
    return end_access(m, site, forgotten, raised, MIPSY_HERE);
}

uint32_t mipsy_on_trap(struct core *core, uint32_t code, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    core_raise(core, (enum exception_code)code);
    return enter_exception(hot->mipsy, hot, site);
}

/* The TLB entry that has just been written is mostly that of the last miss. If that was a fetch, the instruction will
 * be fetched next: where it was executed before, it is found at once. */
static inline void enter_missed_code(struct mipsy *m)
{
    struct core *core = m->in.core;
    const vaddr address = core->s.cp0[CP0_BADVADDR];
    paddr pa;
    if (core->s.cp0[CP0_EPC] != address || !vmap_missed_page(core, address, &pa))
        return;
    struct mipsy_page *page = mipsy_page_find(m->pages, address, pa, false);
    if (page != NULL)
        vmap_enter_missed_code(core, address, page);
}

uint32_t mipsy_on_tlbwr(struct core *core, uint32_t unused, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    (void)unused;
    set_budget(m, time_at(hot, site));
    core->s.pc = pc_of(m, hot, site);
    if (SIM_UNLIKELY(sem_tlbwr(core, NULL)))
        return enter_exception(m, hot, site);
    enter_missed_code(m);
    if (SIM_LIKELY(!core->attention))
        return MIPSY_GO_ON;
    mipsy_end_run(m);
    return leave_after(hot, MIPSY_HERE, site);
}

uint32_t mipsy_on_eret(struct core *core, uint32_t unused, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const int64_t now = time_at(hot, site);
    (void)unused;
    set_budget(m, now);
    if (SIM_UNLIKELY(sem_eret(core, &core->s.pc)))
        return enter_exception(m, hot, site);
    return go_on_at_pc(m, hot, now + MIPSY_TICKS);
}

uint32_t mipsy_on_jump(struct core *core, vaddr address)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const int64_t now = hot->frame.now;
    hot->frame.where = address;
    if (SIM_UNLIKELY(now > mipsy_limit(hot)))
        return MIPSY_AT_ADDRESS;
    const bool missed = tlb_is_missed(core, address);
    if (!missed && SIM_LIKELY(mipsy_lookup(m, address) != NULL))
        return core->code_map[address >> PAGE_SHIFT] != NULL ? MIPSY_JUMP : MIPSY_AT_ADDRESS;
    set_budget(m, now); /* the fetch takes a cycle */
    core->resume.fetched_pc = CORE_NOWHERE;
    if (missed)
        exception_enter_refill(core, ACCESS_FETCH, address, address, false);
    else
        exception_enter(core, address, false);
    return go_on_at_pc(m, hot, now + MIPSY_TICKS);
}
