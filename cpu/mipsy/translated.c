/*
 * What translated code calls (translator.h): accesses and fetches that are not known to hit, with the interpreter's
 * bookkeeping around them. Mostly the second level answers: each looks at that first, and does no more than it needs.
 */
#include "cpu/mipsy/translator.h"

/* Time of the instruction at SITE, ticks. */
static inline int64_t time_at(const struct mipsy_hot *hot, uint32_t site)
{
    return hot->frame.now + (int64_t)mipsy_site_index(site) * MIPSY_TICKS;
}

/* A stall. */
static inline void take(struct mipsy_hot *hot, cycles stall)
{
    hot->frame.now += (int64_t)stall << MIPSY_TICK_SHIFT;
}

/* Does the run end within a window? Then the interpreter has to see to it. */
static inline bool ends_soon(const struct mipsy_hot *hot, uint32_t site)
{
    return SIM_UNLIKELY(time_at(hot, site) > hot->limit);
}

/* Loads and stores behind SITE are not counted yet; or again. Mostly there are none. */
static inline void uncount(struct core *core, uint32_t site)
{
    if (!mipsy_site_counts(site))
        return;
    const struct mipsy_site s = mipsy_site_unpack(site);
    core->counts.loads -= s.loads;
    core->counts.stores -= s.stores;
}
static inline void count(struct core *core, uint32_t site)
{
    if (!mipsy_site_counts(site))
        return;
    const struct mipsy_site s = mipsy_site_unpack(site);
    core->counts.loads += s.loads;
    core->counts.stores += s.stores;
}

static union mipsy_slot *slot_of(const struct mipsy_hot *hot, uint32_t site)
{
    return &hot->frame.page->slots[mipsy_site_unpack(site).slot];
}

static vaddr pc_of(const struct mipsy *m, const struct mipsy_hot *hot, uint32_t site)
{
    return hot->frame.base + 4 * mipsy_index(m->pages, hot->frame.page, slot_of(hot, site));
}

/* Leave the block because of WHY, to go on with the instruction at SITE, or after it; what follows is uncounted. */
static uint32_t leave_at(struct mipsy_hot *hot, enum mipsy_leave why, uint32_t site, bool after)
{
    hot->frame.where = (mipsy_site_unpack(site).slot + after) * MIPSY_TICKS;
    hot->frame.now = time_at(hot, site) + (after ? MIPSY_TICKS : 0);
    return why;
}

uint32_t mipsy_on_fetch(struct core *core, uint32_t offset, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const unsigned forgotten = m->pages->forgotten;
    const cycles now = (cycles)time_at(hot, site) >> MIPSY_TICK_SHIFT;
    const paddr line = hot->frame.page->page + (offset & -m->in.fetch_line);
    cycles stall = MEMSYS_ASK;
    if (m->in.fetch_exchange != NULL)
        stall = memsys_exchange_fetch(m->in.fetch_exchange, line, now, core->bucket);
    if (SIM_LIKELY(stall != MEMSYS_ASK)) {
        m->in.stalls += stall;
    } else {
        uncount(core, site);
        stall = inorder_fetch_line_at(&m->in, hot->frame.base + offset, line, now);
        count(core, site);
    }
    take(hot, stall);
    /* in a delay slot: the next block looks at everything */
    if (mipsy_site_unpack(site).delayed || (!ends_soon(hot, site) && SIM_LIKELY(m->pages->forgotten == forgotten)))
        return MIPSY_GO_ON;
    uncount(core, site);
    return leave_at(hot, MIPSY_FETCHED, site, false);
}

/* The access at SITE took STALL and nothing else. WHY: how to leave if need be. After a delay slot the next block looks
 * at everything. */
static inline uint32_t end_at_once(struct core *core, struct mipsy_hot *hot, uint32_t site, cycles stall,
                                   enum mipsy_leave why)
{
    take(hot, stall);
    if (!ends_soon(hot, site) || mipsy_site_unpack(site).delayed)
        return MIPSY_GO_ON;
    uncount(core, site);
    return leave_at(hot, why, site, true);
}

/* Any access: before it, */
static inline __attribute__((always_inline)) unsigned begin_access(struct mipsy *m, struct mipsy_hot *hot,
                                                                   uint32_t site)
{
    uncount(m->in.core, site);
    m->in.budget = (int64_t)m->in.end - (time_at(hot, site) >> MIPSY_TICK_SHIFT);
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
    const bool delayed = mipsy_site_unpack(site).delayed;
    hot->frame.now = ((int64_t)m->in.end - m->in.budget) * MIPSY_TICKS - (int64_t)mipsy_site_index(site) * MIPSY_TICKS;
    if (raised)
        return leave_at(hot, delayed ? MIPSY_DELAYED_FAULT : MIPSY_FAULT, site, false);
    if (SIM_UNLIKELY(core->attention))
        mipsy_end_run(m);
    if (!delayed && (ends_soon(hot, site) || SIM_UNLIKELY(m->pages->forgotten != forgotten)))
        return leave_at(hot, why, site, true);
    count(core, site);
    return MIPSY_GO_ON;
}

static const uint8_t sizes[] = {[MIPSY_U8] = 1,  [MIPSY_S8] = 1,        [MIPSY_U16] = 2,   [MIPSY_S16] = 2,
                                [MIPSY_U32] = 4, [MIPSY_UNALIGNED] = 4, [MIPSY_MERGED] = 4};

static inline uint32_t read_host(const void *host, enum mipsy_type type)
{
    switch (type) {
    case MIPSY_U8: return *(const uint8_t *)host;
    case MIPSY_S8: return (uint32_t) * (const int8_t *)host;
    case MIPSY_U16: return *(const uint16_t *)host;
    case MIPSY_S16: return (uint32_t) * (const int16_t *)host;
    default: return *(const uint32_t *)host;
    }
}

static inline void write_host(void *host, enum mipsy_type type, uint32_t value)
{
    if (type == MIPSY_U8)
        *(uint8_t *)host = (uint8_t)value;
    else if (type == MIPSY_U16)
        *(uint16_t *)host = (uint16_t)value;
    else
        *(uint32_t *)host = value;
}

static int load(struct inorder *in, vaddr address, enum mipsy_type type, uint32_t *value)
{
    if (type == MIPSY_UNALIGNED)
        return inorder_load_unaligned(in, address, value);
    uint32_t word = 0;
    const int raised = inorder_load(in, address, sizes[type], &word);
    *value = read_host(&word, type);
    return raised;
}

uint32_t mipsy_on_load(struct core *core, vaddr address, uint32_t site)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const enum mipsy_type type = mipsy_site_type(site);
    const cycles now = (cycles)time_at(hot, site) >> MIPSY_TICK_SHIFT;
    cycles stall;
    const void *host = inorder_exchange(&m->in, ACCESS_LOAD, address, sizes[type], now, &stall);
    if (SIM_LIKELY(host != NULL)) {
        hot->frame.value = read_host(host, type);
        return end_at_once(core, hot, site, stall, MIPSY_FINISH);
    }
    const unsigned forgotten = begin_access(m, hot, site);
    return end_access(m, site, forgotten, load(&m->in, address, type, &hot->frame.value), MIPSY_FINISH);
}

static int store(struct inorder *in, vaddr address, enum mipsy_type type, uint32_t value, uint32_t mask)
{
    return type == MIPSY_MERGED ? inorder_store_merged(in, address, value, mask)
                                : inorder_store(in, address, sizes[type], value);
}

uint32_t mipsy_on_store(struct core *core, vaddr address, uint32_t site, uint32_t value, uint32_t mask)
{
    struct mipsy_hot *hot = mipsy_hot(core);
    struct mipsy *m = hot->mipsy;
    const enum mipsy_type type = mipsy_site_type(site);
    const cycles now = (cycles)time_at(hot, site) >> MIPSY_TICK_SHIFT;
    cycles stall;
    void *host =
        type == MIPSY_MERGED ? NULL : inorder_exchange(&m->in, ACCESS_STORE, address, sizes[type], now, &stall);
    if (SIM_LIKELY(host != NULL)) {
        write_host(host, type, value);
        return end_at_once(core, hot, site, stall, MIPSY_HERE);
    }
    const unsigned forgotten = begin_access(m, hot, site);
    return end_access(m, site, forgotten, store(&m->in, address, type, value, mask), MIPSY_HERE);
}

uint32_t mipsy_on_trap(struct core *core, uint32_t code, uint32_t site)
{
    core_raise(core, (enum exception_code)code);
    uncount(core, site);
    return leave_at(mipsy_hot(core), mipsy_site_unpack(site).delayed ? MIPSY_DELAYED_FAULT : MIPSY_FAULT, site, false);
}
