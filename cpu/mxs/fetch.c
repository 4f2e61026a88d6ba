/* The front end: instructions on the predicted path, into the window. */
#include "cpu/mxs/window.h"
#include "cpu/vmap.h"

enum { NO_LINE = 1, NO_ADDRESS = 1 };

/* Stands for an instruction that cannot be fetched: what that raises is found again when it is the oldest. */
static const struct mxs_op unfetchable = {.id = ISA_RESERVED, .flags = OP_DECODED | OP_HEAD | OP_STOPS_FETCH};

void mxs_fetch_redirect(struct mxs *m, vaddr pc, bool in_slot, vaddr target, cycles from, enum mxs_cause cause)
{
    m->fetch = (struct mxs_fetch){.pc = pc,
                                  .in_slot = in_slot,
                                  .target_known = true,
                                  .target = target,
                                  .from = from,
                                  .line = NO_LINE,
                                  .first = m->next,
                                  .refill = cause};
}

/* The return stack as it was when the oldest branch that is squashed was fetched. */
static void mend_return_stack(struct mxs *m)
{
    for (uint64_t number = m->oldest; number < m->next; number++) {
        const struct mxs_entry *e = mxs_entry_at(m, number);
        if ((e->op->flags & OP_CONTROL) && !e->head) {
            mxs_predictor_undo(m->predictor, &e->prediction);
            return;
        }
    }
}

void mxs_fetch_restart(struct mxs *m, cycles from, enum mxs_cause cause)
{
    const struct cpu *s = &m->core->s;
    m->restart = false;
    mend_return_stack(m);
    mxs_window_squash(m, m->oldest);
    mxs_fetch_redirect(m, s->pc, s->in_delay_slot, s->branch_target, from, cause);
}

/* The line at PA of the instruction cache. False: fetch waits. */
static bool fetch_line(struct mxs *m, paddr pa, cycles now)
{
    struct core *core = m->core;
    struct inorder *in = &m->in;
    struct mxs_fetch *f = &m->fetch;
    struct nonblocking_result result = {.ready = now};
    const uint32_t number = pa >> in->fetch_shift;
    uint8_t *quick = core->quick[QUICK_CODE] + number;
    const bool used = in->fetch_line == 1u << in->fetch_shift;
    if (used && (*quick & QUICK_READ)) {
        if (in->fetch_sets != 0)
            core_last_fetched(core)[number & (in->fetch_sets - 1)] = *quick;
        if (m->coming_until <= now || !mxs_join(m, MEMSYS_FETCH, pa, now, &result))
            return true;
    } else {
        struct memsys_request request = {.access = MEMSYS_FETCH,
                                         .address = pa,
                                         .virtual_address = f->pc,
                                         .pc = f->pc,
                                         .size = 4,
                                         .grant = in->unseen ? QUICK_READ : QUICK_NONE,
                                         .quick = used ? quick : &core->quick_nobody,
                                         .now = now,
                                         .bucket = &m->accesses};
        if (!mxs_ask(m, &request, &result)) {
            f->from = result.ready; /* to try again */
            f->missing = true;
            f->stall = STALL_L1I;
            return false;
        }
        if (result.ready <= now)
            return true;
    }
    f->from = result.ready;
    f->missing = true;
    f->stall = (uint8_t)result.stall;
    f->line = f->pc & -in->fetch_line;
    return false;
}

/* The decoded page of f->pc; NULL if it cannot be fetched from. */
static struct mxs_page *find_page(struct mxs *m)
{
    struct core *core = m->core;
    struct mxs_fetch *f = &m->fetch;
    if (SIM_LIKELY(!(f->pc & 3))) {
        struct mxs_page *page = core->code_map[f->pc >> PAGE_SHIFT];
        if (SIM_LIKELY(page != NULL))
            return page;
    }
    paddr pa;
    bool uncached, dropped = false;
    if (inorder_translate_fetch(&m->in, f->pc, &pa, &uncached))
        return NULL;
    struct mxs_page *page = mxs_page_get(m->pages, core, pa & ~(paddr)(PAGE_SIZE - 1), uncached, &dropped);
    m->restart |= dropped;
    vmap_enter_code(core, f->pc, page);
    return page;
}

/* Make sure that the instruction at f->pc can be fetched in this cycle; *LINES is the number of lines used so far.
 * False: fetch ends. */
static bool reach(struct mxs *m, unsigned *lines, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    if (f->page == NULL || (f->pc & (~(vaddr)(PAGE_SIZE - 1) | 3)) != f->base) {
        f->page = find_page(m);
        f->base = f->pc & ~(vaddr)(PAGE_SIZE - 1);
        if (m->restart)
            return false;
    }
    if (f->page == NULL || f->page->uncached)
        return true;
    if (m->memory != NULL) {
        if (*lines == m->config.fetch_ports)
            return false;
        ++*lines;
        m->active = true;
        if (!fetch_line(m, (f->page->page + (f->pc & (PAGE_SIZE - 1))) & -m->in.fetch_line, now))
            return false;
    }
    f->line = f->pc & -m->in.fetch_line;
    return true;
}

/* Is the instruction at f->pc in the line that is being fetched from? */
static inline bool is_in_line(const struct mxs *m)
{
    return (m->fetch.pc & (-m->in.fetch_line | 3)) == m->fetch.line;
}

static const struct mxs_op *find_op(struct mxs *m)
{
    struct mxs_fetch *f = &m->fetch;
    if (SIM_UNLIKELY(f->page == NULL))
        return &unfetchable;
    const unsigned index = f->pc / 4 % OP_PAGE_INSNS;
    if (SIM_UNLIKELY(!(f->page->op[index].flags & OP_DECODED)))
        mxs_op_decode(m->pages, f->page, index, m->core);
    return &f->page->op[index];
}

/* Is there room for OP in queues? */
static inline bool has_room(const struct mxs *m, unsigned flags)
{
    if ((flags & OP_MEMORY) && m->queued == m->config.load_store_queue)
        return false;
    return !(flags & (OP_CONDITIONAL | OP_INDIRECT)) || m->unsure < m->config.branches;
}

/* Where the branch or jump E goes, as far as can be told before it has executed. False: nothing is known. */
static bool guess(struct mxs *m, struct mxs_entry *e, vaddr *target)
{
    const struct mxs_op *op = e->op;
    const uint32_t imm = (uint32_t)op->insn.imm;
    e->expected = !(op->flags & OP_CONDITIONAL) || mxs_predict_taken(m->predictor, e->pc);
    if (op->flags & OP_INDIRECT)
        return mxs_predict_target(m->predictor, e->pc, op->flags & OP_RETURN, target);
    if (op->flags & OP_ABSOLUTE)
        *target = ((e->pc + 4) & 0xf0000000) | imm;
    else
        *target = e->expected ? e->pc + 4 + imm : e->pc + 8;
    return true;
}

/* Fetch goes on behind the branch or jump E, at first with its delay slot. */
static void predict(struct mxs *m, struct mxs_entry *e)
{
    struct mxs_fetch *f = &m->fetch;
    const unsigned flags = e->op->flags;
    e->prediction = mxs_predictor_mark(m->predictor);
    e->predicted = NO_ADDRESS;
    e->guessed = guess(m, e, &e->predicted);
    if (flags & OP_CALL)
        mxs_predictor_call(m->predictor, e->pc + 8);
    e->unsure = flags & (OP_CONDITIONAL | OP_INDIRECT);
    m->unsure += e->unsure;
    f->target = e->predicted;
    f->target_known = e->guessed;
    f->in_slot = !(flags & OP_LIKELY) || e->expected;
    f->pc = f->in_slot ? e->pc + 4 : e->pc + 8;
}

/* Behind a delay slot. False: fetch ends for this cycle. */
static bool leave_slot(struct mxs *m, struct mxs_entry *e, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    f->in_slot = false;
    e->predicted = f->target;
    if (!f->target_known) {
        f->stopped = true;
        return false;
    }
    f->pc = f->target;
    if (f->pc == e->pc + 4)
        return true;
    f->line = NO_LINE;
    f->from = now + 1 + m->config.taken_delay;
    return false;
}

/* Fetch goes on behind E, which is not a plain instruction. False: fetch ends for this cycle. */
static bool go_on(struct mxs *m, struct mxs_entry *e, bool twice, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    e->in_slot = f->in_slot;
    if (twice || (e->op->flags & OP_STOPS_FETCH)) {
        f->stopped = true;
        return false;
    }
    if (f->in_slot)
        return leave_slot(m, e, now);
    if (e->op->flags & OP_CONTROL)
        predict(m, e);
    else
        f->pc += 4;
    return true;
}

/* What has been fetched since NEXT is put down for the viewer. */
static void show(struct mxs *m, uint64_t next, cycles now)
{
    const struct core *core = m->core;
    for (; next < m->next; next++) {
        const struct mxs_entry *e = mxs_entry_at(m, next);
        uint32_t word = 0;
        paddr pa;
        if (!(e->pc & 3) && tlb_probe_address(core, e->pc, &pa) && physmem_page_is_ram(core->mem, pa))
            word = *(const uint32_t *)(const void *)physmem_host(core->mem, pa);
        mxs_viewer_fetch(m->viewer, next, e->pc, word, core->s.insns, now);
    }
}

/* Up to LIMIT instructions of the line at f->pc that are neither branches nor irregular; their number. */
static unsigned fetch_plain(struct mxs *m, unsigned limit, cycles now)
{
    enum { OTHER = OP_HEAD | OP_CONTROL | OP_STOPS_FETCH };
    struct mxs_fetch *f = &m->fetch;
    const unsigned left = (m->in.fetch_line - (f->pc & (m->in.fetch_line - 1))) / 4;
    const struct mxs_op *op = &f->page->op[f->pc / 4 % OP_PAGE_INSNS];
    const struct insertion where = window_insertion(m, now);
    vaddr pc = f->pc;
    if (limit > left)
        limit = left;
    const struct mxs_op *const end = op + limit;
    for (; op != end; op++) {
        const unsigned flags = op->flags;
        if ((flags & (OTHER | OP_DECODED | OP_MEMORY)) == OP_DECODED) {
            window_insert(m, &where, op, pc, false, false);
        } else {
            if ((flags & (OTHER | OP_DECODED)) != OP_DECODED || m->queued == m->config.load_store_queue)
                break;
            window_insert(m, &where, op, pc, false, true);
        }
        pc += 4;
    }
    const unsigned fetched = (pc - f->pc) / 4;
    f->pc = pc;
    return fetched;
}

static void fetch_group(struct mxs *m, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    unsigned lines = 0;
    const uint64_t room = m->config.window - (m->next - m->oldest);
    unsigned left = room < m->config.fetch_width ? (unsigned)room : m->config.fetch_width;
    while (left > 0) {
        if (!is_in_line(m) && !reach(m, &lines, now))
            return;
        if (!f->in_slot && f->page != NULL) {
            const unsigned fetched = fetch_plain(m, left, now);
            left -= fetched;
            if (left == 0)
                return;
            if (fetched > 0 && !is_in_line(m))
                continue;
        }
        const struct mxs_op *op = find_op(m);
        const unsigned flags = op->flags;
        /* a branch in a delay slot is UNPREDICTABLE: head.c does what the other models do */
        const bool twice = f->in_slot && (flags & OP_CONTROL);
        const struct insertion where = window_insertion(m, now);
        if (!has_room(m, flags))
            return;
        if (!go_on(m, window_insert(m, &where, op, f->pc, (flags & OP_HEAD) || twice, flags & OP_MEMORY), twice, now))
            return;
        left--;
    }
}

void mxs_fetch(struct mxs *m, cycles now)
{
    const uint64_t next = m->next;
    if (now < m->fetch.from || m->fetch.stopped)
        return;
    m->fetch.missing = false;
    fetch_group(m, now);
    if (SIM_UNLIKELY(m->viewer != NULL))
        show(m, next, now);
    m->counts->fetched += m->next - next;
    m->active |= m->next != next;
}
