/* Fetch: inserts the instructions on the predicted path into the window. */
#include "cpu/mxs/mxs.h"
#include "cpu/mxs/walk_state.h"
#include "cpu/privileged/vmap.h"

/* Placeholder for an instruction that cannot be fetched. It executes at the head of the window, where the fetch is
 * repeated and raises its exception. */
static const struct mxs_op unfetchable = {.id = ISA_RESERVED, .flags = OP_DECODED | OP_SERIALISING | OP_STOPS_FETCH};

void mxs_fetch_redirect(struct mxs *m, vaddr pc, bool in_slot, vaddr target, cycles from, enum mxs_cause cause)
{
    m->fetch = (struct mxs_fetch){.pc = pc,
                                  .in_slot = in_slot,
                                  .target_known = true,
                                  .special = m->core->checked,
                                  .target = target,
                                  .resume_at = from,
                                  .line = MXS_NO_LINE,
                                  .redirected_at = m->next,
                                  .redirect_cause = cause};
}

const struct mxs_op *mxs_fetch_unfetchable(void)
{
    return &unfetchable;
}

const struct mxs_prediction *mxs_fetch_oldest_prediction(const struct mxs *m, uint64_t number)
{
    for (; number < m->next; number++) {
        const struct mxs_entry *e = mxs_entry_at(m, m->words, number);
        if ((e->op->flags & OP_CONTROL) && !e->serialising)
            return &e->prediction;
    }
    return NULL;
}

void mxs_fetch_restart(struct mxs *m, cycles from, enum mxs_cause cause)
{
    const struct cpu *s = &m->core->s;
    const struct mxs_prediction *undone = mxs_fetch_oldest_prediction(m, m->oldest);
    m->squash_pending = false;
    if (undone != NULL)
        mxs_predictor_undo(m->predictor, undone);
    mxs_window_squash(m, m->oldest);
    mxs_fetch_redirect(m, s->pc, s->in_delay_slot, s->branch_target, from, cause);
    mxs_fetch_find_special(m);
}

void mxs_fetch_find_special(struct mxs *m)
{
    m->fetch.delayed = m->core->s.delayed_register != 0;
    m->fetch.special = m->fetch.delayed || m->core->checked;
}

void mxs_fetch_replay(struct mxs *m, uint64_t load, cycles now)
{
    const struct mxs_entry *e = mxs_entry_at(m, m->words, load);
    const vaddr pc = e->pc, target = e->predicted;
    const bool in_slot = e->in_slot;
    const struct mxs_prediction *undone = mxs_fetch_oldest_prediction(m, load);
    m->to_replay = 0;
    m->counts->replayed++;
    if (undone != NULL) /* the return stack stays as the squashed calls and returns left it */
        predictor_recover(m->predictor->branches, undone->history);
    mxs_window_squash(m, load);
    mxs_fetch_redirect(m, pc, in_slot, target, now + m->config.redirect_delay, LOST_REPLAYED);
}

/* Access the instruction cache line at PA (inorder_code_line()). False: fetch must wait. */
static bool fetch_line(struct mxs *m, paddr pa, cycles now)
{
    struct core *core = m->core;
    struct inorder *in = &m->in;
    struct mxs_fetch *f = &m->fetch;
    struct nonblocking_result result = {.ready = now};
    const uint32_t number = pa >> in->fetch_shift;
    uint8_t *permission = core->permits[PERMIT_TABLE_CODE] + number;
    if (m->fetch_has_permits && (*permission & PERMIT_READ)) {
        const bool in_flight =
            m->in_flight[MXS_IN_FLIGHT_CODE] > now && mxs_merge_miss(m, MEMSYS_FETCH, pa, now, &result);
        if (in->fetch_sets != 0 && !result.refused) /* a refused fetch is no use of the line */
            core_mru_fetch(core)[number & (in->fetch_sets - 1)] = *permission;
        if (!in_flight)
            return true;
    } else {
        struct memsys_request request = {.access = MEMSYS_FETCH,
                                         .address = pa,
                                         .virtual_address = f->pc,
                                         .space = core_space(core, f->pc),
                                         .pc = f->pc,
                                         .size = 4,
                                         .max_permission = m->fetch_has_permits ? in->fetch_permission : PERMIT_NONE,
                                         .permission = m->fetch_has_permits ? permission : &core->permit_dummy,
                                         .now = now,
                                         .bucket = &m->accesses};
        if (!mxs_access_cache(m, &request, &result)) {
            f->resume_at = result.ready; /* time to retry */
            f->missing = true;
            f->stall = STALL_L1I;
            return false;
        }
        if (result.ready <= now)
            return true;
    }
    f->resume_at = result.ready;
    f->missing = true;
    f->stall = (uint8_t)result.stall;
    if (!result.refused)
        f->line = f->pc & m->line_bits;
    return false;
}

bool mxs_fetch_has_page(const struct mxs *m, const struct mxs_page *page)
{
    for (uint64_t number = m->oldest; number < m->next; number++)
        if (mxs_page_has(page, mxs_entry_at(m, m->words, number)->op))
            return true;
    return false;
}

static bool is_in_use(const void *opaque, const struct mxs_page *page)
{
    return mxs_fetch_has_page(opaque, page);
}

/* Decoded page of f->pc; NULL if it cannot be fetched from. */
static struct mxs_page *find_page(struct mxs *m)
{
    struct core *core = m->core;
    struct mxs_fetch *f = &m->fetch;
    if (SIM_LIKELY(!(f->pc & 3))) {
        struct mxs_page *page = core->map->code[f->pc >> PAGE_SHIFT];
        if (SIM_LIKELY(page != NULL))
            return page;
    }
    paddr pa;
    bool uncached;
    if (SIM_UNLIKELY(core->tlb_walks) && !(f->pc & 3) && page_walker_is_due(core, f->pc)) {
        mxs_walk_begin(m, f->pc);
        return NULL;
    }
    if (inorder_translate_fetch(&m->in, f->pc, &pa, &uncached))
        return NULL;
    if (mxs_pages_are_full(m->pages))
        mxs_pages_drop(m->pages, core, is_in_use, m);
    struct mxs_page *page = mxs_page_get(m->pages, pa & ~(paddr)(PAGE_SIZE - 1), uncached);
    vmap_enter_code(core, f->pc, page);
    return page;
}

bool mxs_fetch_prepare(struct mxs *m, unsigned *lines, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    if (f->page == NULL || (f->pc & (~(vaddr)(PAGE_SIZE - 1) | 3)) != f->base) {
        f->page = find_page(m);
        f->base = f->pc & ~(vaddr)(PAGE_SIZE - 1);
    }
    if (f->page == NULL || f->page->uncached)
        return true;
    if (m->memory != NULL) {
        if (*lines == m->config.fetch_ports)
            return false;
        ++*lines;
        m->did_work = true;
        if (!fetch_line(m, inorder_code_line(&m->in, f->page->page + (f->pc & (PAGE_SIZE - 1))), now))
            return false;
    }
    f->line = f->pc & m->line_bits;
    return true;
}

const struct mxs_op *mxs_fetch_op(struct mxs *m)
{
    struct mxs_fetch *f = &m->fetch;
    if (SIM_UNLIKELY(f->page == NULL))
        return &unfetchable;
    const unsigned index = f->pc / 4 % OP_PAGE_INSNS;
    if (SIM_UNLIKELY(!(f->page->op[index].flags & OP_DECODED)))
        mxs_op_decode(m->pages, f->page, index, m->core);
    return &f->page->op[index];
}

void mxs_fetch_report(struct mxs *m, uint64_t next, cycles now)
{
    const struct core *core = m->core;
    for (; next < m->next; next++) {
        const struct mxs_entry *e = mxs_entry_at(m, m->words, next);
        uint32_t word = 0;
        paddr pa;
        if (!(e->pc & 3) && tlb_probe_address(core, e->pc, &pa) && physmem_page_is_ram(core->mem, pa))
            word = *(const uint32_t *)(const void *)physmem_host(core->mem, pa);
        mxs_viewer_fetch(m->viewer, next, e->pc, word, core->s.insns, now);
    }
}
