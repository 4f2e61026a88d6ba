#include "cpu/mxs/walk.h"

#include "cpu/mxs/memory.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/translation_caches.h"

/* Make LOAD at NOW. False: it must be tried again, at walk->ready_at. */
static bool access(struct mxs *m, const struct page_walk_load *load, cycles now)
{
    struct core *core = m->core;
    struct mxs_walk *walk = &m->walk;
    struct page_walk_misses before;
    struct nonblocking_result result;
    const struct memsys_request request = {.access = MEMSYS_READ,
                                           .address = layout_data(m->in.layout, load->physical),
                                           .virtual_address = load->address,
                                           .pc = core->s.pc,
                                           .size = load->size,
                                           .walk = true,
                                           .max_permission = PERMIT_NONE,
                                           .permission = &core->permit_dummy,
                                           .now = now,
                                           .bucket = &m->accesses};
    if (!load->cached) {
        walk->ready_at = now + 1 + memsys_uncached(m->in.memsys, core->number, &request);
        m->accesses.stall[STALL_UNCACHED] = 0;
        core->counts.walk_loads++;
        return true;
    }
    before = page_walker_misses(core);
    if (!mxs_access_cache(m, &request, &result)) {
        walk->ready_at = result.ready;
        return false;
    }
    page_walker_count_misses(core, &before);
    walk_cache_keep(core, load);
    core->counts.walk_loads++;
    walk->ready_at = (result.ready > now ? result.ready : now) + 1;
    return true;
}

void mxs_walk_go_on(struct mxs *m, cycles now)
{
    struct mxs_walk *walk = &m->walk;
    struct page_walk found; /* the tables may change meanwhile: each load is that of the present ones */
    m->did_work = true;
    walk->state = MXS_WALK_DONE;
    if (!m->core->tlb_walks)
        return;
    page_walker_read(m->core, walk->address, &found);
    if (walk->next == 0 && found.found && tlb2_holds(m->core, &found.entry))
        return;
    while (walk->next < found.loads && walk_cache_hits(m->core, &found.load[walk->next]))
        walk->next++;
    if (walk->next >= found.loads)
        return;
    walk->state = MXS_WALK_LOADING;
    if (access(m, &found.load[walk->next], now))
        walk->next++;
}

void mxs_walk_load(struct mxs *m, const struct page_walk_load *load)
{
    if (!m->walk.charged)
        inorder_walk_load(&m->in, load);
}

void mxs_walk_wait(struct mxs *m, cycles duration)
{
    if (!m->walk.charged)
        inorder_walk_wait(&m->in, duration);
}

/* Does ENTRY, of the TLB, map the page at ADDRESS? */
static bool maps(const struct tlb_entry *entry, vaddr address, uint32_t vpn)
{
    return !vaddr_is_unmapped(address) && ((entry->vpn2 ^ address) & vpn) == 0;
}

/* Do entries of the window, or fetch, use a page that the walk for FOUND takes out of the TLB, the one that it
 * replaces?
 */
static bool replaces_what_is_used(struct mxs *m, const struct tlb_entry *found)
{
    struct core *core = m->core;
    const uint32_t vpn = core->architecture->tlb.vpn;
    const struct tlb_entry *replaced = &core->s.tlb[tlb_random(core)];
    if ((core->tlb_large | found->page_mask | found->global) != 0)
        return true; /* perhaps: other entries may have to go as well */
    if (maps(replaced, m->fetch.pc, vpn))
        return true;
    for (uint64_t number = m->oldest; number < m->next; number++) {
        const struct mxs_entry *e = mxs_entry_at(m, m->words, number);
        if (maps(replaced, e->pc, vpn))
            return true;
        for (unsigned half = 0; e->queued && e->has_address && e->mapped && half < tlb_pages(core); half++)
            if (tlb_page_base(replaced, half) == (e->address & ~(paddr)(PAGE_SIZE - 1)))
                return true;
    }
    return false;
}

/* Loads and stores that could not execute do so now, if what they waited for was the TLB. */
static void retry(struct mxs *m)
{
    for (uint64_t number = m->oldest; number < m->next; number++) {
        struct mxs_entry *e = mxs_entry_at(m, m->words, number);
        if (!e->serialising || !e->queued || e->stall != STALL_PAGE_WALK)
            continue;
        e->serialising = false;
        e->stall = 0;
        mxs_set_add(m->ready, mxs_slot_of(m->words, number));
    }
}

/* The address for which the TLB has no entry when E executes at the head. */
static bool find_address(const struct mxs *m, const struct mxs_entry *e, vaddr *address)
{
    if (e->op == mxs_fetch_unfetchable()) {
        *address = e->pc;
        return (e->pc & 3) == 0 && page_walker_is_due(m->core, e->pc);
    }
    if (!e->queued || e->stall != STALL_PAGE_WALK)
        return false;
    *address = mxs_access_address(m, e);
    return page_walker_is_due(m->core, *address);
}

enum mxs_walk_result mxs_walk_head(struct mxs *m, struct mxs_entry *e, cycles now)
{
    struct core *core = m->core;
    struct mxs_walk *walk = &m->walk;
    struct page_walk found;
    vaddr address;
    walk->charged = false;
    if (m->core->checked || !find_address(m, e, &address))
        return MXS_WALK_NONE;
    if (m->memory != NULL && (!mxs_walk_is_for(m, address) || walk->state != MXS_WALK_DONE || walk->ready_at > now)) {
        mxs_walk_begin(m, address);
        walk->holds = e->number;
        return MXS_WALK_WAITS;
    }
    page_walker_read(core, address, &found);
    walk->state = MXS_WALK_IDLE;
    walk->charged = m->memory != NULL;
    if (!e->queued || !found.found || replaces_what_is_used(m, &found.entry))
        return MXS_WALK_NONE;
    core->s.insns++; /* an observer sees it as with other models, where the instruction has begun */
    page_walker_walk(core, address, e->op->flags & OP_STORE ? ACCESS_STORE : ACCESS_LOAD);
    core->s.insns--;
    walk->charged = false;
    mxs_checker_disturb(m->checker);
    retry(m);
    m->did_work = true;
    return MXS_WALK_FILLED;
}
