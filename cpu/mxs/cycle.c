/* The simulation of cycles: the common path of most instructions; rare cases are in other files. */
#include "cpu/mxs/memory.h"
#include "cpu/mxs/probe.h"
#include "cpu/mxs/stalls.h"
#include "cpu/mxs/walk.h"
#include "cpu/mxs/watch.h"
#include "cpu/mxs/window.h"
#include "cpu/privileged/watch_registers.h"

/* Graduation */

/* E must not be OP_GENERAL_OPERANDS. */
static inline void write_result(struct cpu *s, const struct mxs_entry *e)
{
    if (e->op->results > 0)
        ((uint32_t *)(void *)s)[e->result_name[0]] = e->result[0];
}

enum { GRADUATE_SPECIAL = OP_FCSR | OP_HOOKED | OP_GENERAL_OPERANDS };

/* Graduate the oldest instructions, up to LIMIT, as long as none is special. False: nothing more graduates in this
 * cycle. */
MXS_INLINE bool graduate_regular(struct mxs *m, unsigned words, unsigned limit, cycles now)
{
    struct cpu *s = &m->core->s;
    const uint64_t oldest = m->oldest, end = m->next;
    uint64_t number = oldest;
    /* after an instruction that is neither a branch nor in a delay slot, the next entry is the next instruction */
    bool more = true, follows = false;
    if (oldest < m->outdated)
        return true;
    for (; limit > 0; limit--) {
        const struct mxs_entry *e = mxs_entry_at(m, words, number);
        if (number == end) {
            more = false;
            break;
        }
        if (e->done_at > now) { /* a serialising instruction must be the first in its cycle */
            more = e->serialising && number == oldest && m->graduated == 0;
            break;
        }
        const unsigned flags = e->op->flags;
        if (!follows && (e->pc != s->pc || e->in_slot != s->in_delay_slot))
            break;
        if (follows && !(flags & (GRADUATE_SPECIAL | OP_CONTROL | OP_MEMORY))) {
            number++;
            write_result(s, e);
            s->insns++;
            s->pc += 4;
            continue;
        }
        if (flags & OP_MEMORY && e->data_pending != 0) {
            more = false;
            break;
        }
        m->oldest = number; /* a store to code squashes the instructions that are still in the window */
        if ((flags & GRADUATE_SPECIAL) || ((flags & OP_MEMORY) && !memory_graduate(m, words, e, flags)))
            break;
        number++;
        write_result(s, e);
        s->insns++;
        mxs_advance(s, e);
        follows = !(flags & OP_CONTROL) && !e->in_slot;
        if (SIM_UNLIKELY(m->squash_pending)) {
            more = false;
            break;
        }
    }
    m->oldest = number;
    m->graduated += (unsigned)(number - oldest);
    return more;
}

/* Graduate up to the full width. From the first instruction on that is special, mxs_graduate() does it. False: the run
 * ends here, in the middle of the cycle. */
MXS_INLINE bool graduate(struct mxs *m, unsigned words, cycles now)
{
    struct core *core = m->core;
    const uint64_t oldest = m->oldest, left = core->insns_end - core->s.insns;
    const unsigned width = m->config.graduate_width;
    bool goes_on = true;
    if (SIM_LIKELY(!m->watched && left >= width)) {
        const bool more = graduate_regular(m, words, width - m->graduated, now);
        if (m->oldest != oldest)
            core->resume.hook_stopped = false;
        if (more && m->graduated < width)
            goes_on = mxs_graduate(m, now);
    } else {
        goes_on = mxs_graduate(m, now);
    }
    if (m->oldest == oldest)
        return goes_on;
    m->did_work = true;
    m->counts->graduated += m->oldest - oldest;
    if (m->oldest > m->fetch.redirected_at)
        m->fetch.redirect_cause = LOST_FETCH;
    return goes_on;
}

/* Issue */

/* Execute E, which has been removed from the ready set. */
MXS_INLINE void execute_entry(struct mxs *m, unsigned words, struct mxs_entry *e, uint32_t slot, cycles now)
{
    const struct mxs_op *op = e->op;
    const unsigned flags = op->flags;
    mxs_execute_fn *execute = (mxs_execute_fn *)(uintptr_t)op->insn.run;
    const enum mxs_outcome outcome = execute(m, e, now);
    if (SIM_LIKELY(outcome <= MXS_ACCESSED)) {
        if (outcome == MXS_FINISHED)
            e->done_at = now + op->latency;
        window_issued(m, words, e, slot, flags);
    } else if (outcome == MXS_IRREGULAR) {
        e->serialising = true;
    }
}

/* Can a unit accept an instruction of CLASS every cycle? Multiplications, divisions and square roots occupy it until
 * they are done. */
static inline bool mxs_is_pipelined(unsigned class)
{
    switch (class) {
    case CLASS_MULTIPLY:
    case CLASS_DIVIDE:
    case CLASS_FP_DIVIDE_S:
    case CLASS_FP_DIVIDE_D:
    case CLASS_FP_SQRT_S:
    case CLASS_FP_SQRT_D: return false;
    default: return true;
    }
}

/* Allocate a unit to E; false if all units of its kind are busy. Rare: only machines that limit their units. */
static __attribute__((noinline)) bool issue_unit(struct mxs *m, const struct mxs_entry *e, cycles now)
{
    const enum isa_unit unit = isa_unit_of[e->op->unit];
    const unsigned count = m->config.units[unit];
    for (unsigned i = 0; i < count; i++)
        if (m->unit_free[unit][i] <= now) {
            m->unit_free[unit][i] = now + (mxs_is_pipelined(e->op->unit) ? 1 : e->op->latency);
            return true;
        }
    return count == 0;
}

/* Is a functional unit available for E? */
static inline bool has_unit(struct mxs *m, const struct mxs_entry *e, cycles now)
{
    if (SIM_LIKELY(!m->issue_observed))
        return true;
    if (m->has_units && !issue_unit(m, e, now))
        return false;
    if (m->viewer != NULL)
        mxs_viewer_issue(m->viewer, e->number, now);
    return true;
}

/* 64 slots of SET by age: bit 0 is that of entry NUMBER. In one word they are rotated. */
MXS_INLINE uint64_t by_age(unsigned words, const uint64_t *set, uint64_t number)
{
    const unsigned word = mxs_slot_of(words, number) >> 6, from = (unsigned)number & 63;
    const uint64_t younger = words > 1 && from == 0 ? 0 : set[(word + 1) & (words - 1)] << (-from & 63);
    return set[word] >> from | younger;
}

/* Issue ready entries, oldest first. */
MXS_INLINE void issue(struct mxs *m, unsigned words, cycles now)
{
    const unsigned width = m->config.issue_width;
    unsigned left = width, ports = m->config.data_ports;
    m->did_work = true;
    for (uint64_t first = m->oldest, end = first + 64 * words; first != end && left > 0; first += 64) {
        uint64_t ready = by_age(words, m->ready, first);
        while (ready != 0) {
            const unsigned age = (unsigned)__builtin_ctzll(ready);
            const uint32_t slot = mxs_slot_of(words, first + age);
            struct mxs_entry *e = &m->entry[slot];
            const bool memory = e->op->flags & OP_MEMORY;
            ready &= ready - 1;
            if ((memory && ports == 0) || !has_unit(m, e, now))
                continue;
            /* before execution: an access may be made to wait, and become ready again, in this cycle */
            mxs_set_remove(m->ready, slot);
            execute_entry(m, words, e, slot, now);
            if (memory) {
                ports--;
                if (SIM_UNLIKELY(m->to_replay != 0))
                    mxs_fetch_replay(m, m->to_replay, now);
                /* other entries may have become ready or been squashed */
                ready = by_age(words, m->ready, first) & ~UINT64_C(1) << age;
            }
            if (--left == 0)
                break;
        }
    }
    m->counts->issued += width - left;
}

/* Fetch */

/* Predict direction and *TARGET of the branch or jump E. False: the target is not known. */
static inline bool predict_branch(struct mxs *m, struct mxs_entry *e, unsigned flags, vaddr *target)
{
    const uint32_t imm = (uint32_t)e->op->insn.imm;
    const vaddr at = mxs_predicted_at(m, e->pc);
    e->predicted_taken = !(flags & OP_CONDITIONAL) || predictor_predict(m->predictor->branches, at);
    if (flags & OP_INDIRECT)
        return mxs_predict_target(m->predictor, at, flags & OP_RETURN, target);
    if (flags & OP_ABSOLUTE)
        *target = isa_jump_target(e->pc, imm);
    else
        *target = e->predicted_taken ? e->pc + 4 + imm : e->pc + 8;
    return true;
}

/* Continue fetch after the branch or jump E, with its delay slot. */
static inline void predict(struct mxs *m, struct mxs_entry *e, unsigned flags)
{
    struct mxs_fetch *f = &m->fetch;
    vaddr target = MXS_NO_ADDRESS;
    e->prediction = mxs_predictor_state(m->predictor);
    const bool known = predict_branch(m, e, flags, &target);
    e->guessed = known;
    e->predicted = target;
    if (flags & OP_CALL)
        mxs_predictor_call(m->predictor, e->pc + 8);
    e->unresolved = flags & (OP_CONDITIONAL | OP_INDIRECT);
    m->unresolved += e->unresolved;
    f->target = target;
    f->target_known = known;
    f->in_slot = !(flags & OP_LIKELY) || e->predicted_taken;
    f->pc = f->in_slot ? e->pc + 4 : e->pc + 8;
}

/* Continue fetch after a delay slot. False: fetch ends for this cycle. */
static inline bool end_delay_slot(struct mxs *m, struct mxs_entry *e, cycles now)
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
    f->line = MXS_NO_LINE;
    f->resume_at = now + 1 + m->config.taken_delay;
    return false;
}

/* Is there room in the queues for an instruction with FLAGS? */
static inline bool has_room(const struct mxs *m, unsigned flags)
{
    if ((flags & OP_MEMORY) && m->queued == m->config.load_store_queue)
        return false;
    return !(flags & (OP_CONDITIONAL | OP_INDIRECT)) || m->unresolved < m->config.branches;
}

/* Must OP, in a delay slot, execute at the head of the window because it is a load whose result the next instruction
 * might notice that it does not get? The successors of the slot are known if its branch is the last entry. */
static bool delays_in_slot(const struct mxs *m, const struct mxs_op *op)
{
    const struct mxs_fetch *f = &m->fetch;
    const struct core *core = m->core;
    const struct mxs_entry *branch = mxs_is_empty(m) ? NULL : mxs_entry_at(m, m->words, m->next - 1);
    const vaddr base = f->pc & ~(vaddr)(PAGE_SIZE - 1);
    struct isa_control control = {.direct = false};
    if (!core->has_load_delay || !(isa_table[op->id].flags & INSN_DELAYED) || f->page == NULL)
        return false;
    if (branch != NULL && branch->pc == f->pc - 4 && !branch->serialising)
        control = isa_control((enum isa_id)branch->op->id, &branch->op->insn, branch->pc);
    if (!control.direct)
        return mxs_op_notices_delay(f->page, op->index, OP_PAGE_INSNS, core);
    /* a successor in another page is so far from its beginning */
    return mxs_op_notices_delay(f->page, op->index, (control.target - base) / 4, core) ||
           (control.conditional && mxs_op_notices_delay(f->page, op->index, op->index + 1u, core));
}

/* Fetch the instruction at f->pc, with all special cases. False: fetch ends for this cycle. */
static __attribute__((noinline)) bool fetch_any(struct mxs *m, const struct insertion *where)
{
    struct mxs_fetch *f = &m->fetch;
    const struct mxs_op *op = mxs_fetch_op(m);
    if (SIM_UNLIKELY(f->special) && watch_registers_match(m->core, ACCESS_FETCH, f->pc))
        op = mxs_fetch_unfetchable(); /* the head raises or defers the exception */
    const unsigned flags = op->flags;
    /* a branch in a delay slot is UNPREDICTABLE: serialise.c does what the other models do */
    const bool in_slot = f->in_slot;
    const bool stops = f->delayed || (in_slot && ((flags & OP_CONTROL) || delays_in_slot(m, op)));
    const bool alone = stops || (flags & OP_SERIALISING) || (f->special && (flags & OP_MEMORY));
    struct mxs_entry *e;
    if (!has_room(m, flags))
        return false;
    e = mxs_window_insert(m, where, m->next, op, f->pc, alone);
    m->next++;
    e->in_slot = in_slot;
    if (stops || (flags & OP_STOPS_FETCH)) {
        f->stopped = true;
        return false;
    }
    if (in_slot)
        return end_delay_slot(m, e, where->now);
    if (flags & OP_CONTROL)
        predict(m, e, flags);
    else
        f->pc += 4;
    return true;
}

/* As fetch_any(). OP is its decoded instruction; NULL: it has no page. */
MXS_INLINE bool fetch_irregular(struct mxs *m, unsigned words, const struct insertion *where, const struct mxs_op *op)
{
    enum { OTHER = OP_SERIALISING | OP_STOPS_FETCH | OP_GENERAL_OPERANDS };
    struct mxs_fetch *f = &m->fetch;
    if (SIM_UNLIKELY(op == NULL || (op->flags & (OTHER | OP_DECODED)) != OP_DECODED))
        return fetch_any(m, where);
    const unsigned flags = op->flags;
    if ((f->in_slot && ((flags & OP_CONTROL) || m->core->has_load_delay)) || SIM_UNLIKELY(f->special))
        return fetch_any(m, where);
    if (!has_room(m, flags))
        return false;
    struct mxs_entry *e = window_insert(m, words, where, m->next, op, f->pc, flags, false, false);
    m->next++;
    if (f->in_slot) {
        e->in_slot = true;
        return end_delay_slot(m, e, where->now);
    }
    predict(m, e, flags); /* plain instructions were handled by fetch_plain() */
    return true;
}

enum { FETCH_OTHER = OP_SERIALISING | OP_CONTROL | OP_STOPS_FETCH | OP_GENERAL_OPERANDS };

static inline bool is_plain(const struct mxs_op *op)
{
    return (op->flags & (FETCH_OTHER | OP_DECODED)) == OP_DECODED;
}

/* Fetch up to LIMIT instructions from f->pc, decoded at OP, within its line, while they are plain and there is room.
 * Returns the first one not fetched. */
MXS_INLINE const struct mxs_op *fetch_plain(struct mxs *m, unsigned words, const struct insertion *where,
                                            const struct mxs_op *op, unsigned limit)
{
    struct mxs_fetch *f = &m->fetch;
    const unsigned line = (~m->line_bits & ~f->pc) / 4 + 1, most = limit < line ? limit : line;
    uint64_t number = m->next;
    const uint64_t end = number + most;
    vaddr pc = f->pc;
    for (; number != end && is_plain(op); op++, pc += 4, number++) {
        const unsigned flags = op->flags;
        if (!(flags & OP_MEMORY)) {
            window_insert(m, words, where, number, op, pc, 0, false, false);
        } else {
            if (m->queued == m->config.load_store_queue)
                break;
            window_insert(m, words, where, number, op, pc, flags, false, false);
        }
    }
    f->pc = pc;
    m->next = number;
    return op;
}

/* Semantics of mxs_fetch_prepare(), with a fast path for a line of the same page that is known to hit. */
static inline bool reach(struct mxs *m, unsigned *lines, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    const struct inorder *in = &m->in;
    const bool same_page = f->page != NULL && (f->pc & (~(vaddr)(PAGE_SIZE - 1) | 3)) == f->base;
    if (SIM_UNLIKELY(m->moves_code) && same_page && !f->page->uncached && f->line == f->pc - 4 &&
        !layout_starts_line(in->layout, f->page->page + (f->pc & (PAGE_SIZE - 1)), in->fetch_line)) {
        f->line = f->pc;
        return true;
    }
    if (!same_page || !m->fetch_has_permits || f->page->uncached || *lines == m->config.fetch_ports ||
        m->in_flight[MXS_IN_FLIGHT_CODE] > now)
        return mxs_fetch_prepare(m, lines, now);
    const paddr address = f->page->page + (f->pc & (PAGE_SIZE - 1));
    const uint32_t number = layout_code(in->layout, address) >> in->fetch_shift;
    const uint8_t permission = m->core->permits[PERMIT_TABLE_CODE][number];
    if (!(permission & PERMIT_READ))
        return mxs_fetch_prepare(m, lines, now);
    if (in->fetch_sets != 0)
        core_mru_fetch(m->core)[number & (in->fetch_sets - 1)] = permission;
    ++*lines;
    m->did_work = true;
    f->line = f->pc & m->line_bits;
    return true;
}

MXS_INLINE void fetch(struct mxs *m, unsigned words, cycles now)
{
    struct mxs_fetch *f = &m->fetch;
    const struct insertion where = window_insertion(m, words, now);
    const uint64_t next = m->next, room = m->config.window - (next - m->oldest);
    unsigned left = room < m->config.fetch_width ? (unsigned)room : m->config.fetch_width, lines = 0;
    f->missing = false;
    while (left > 0 && ((f->pc & m->line_bits) == f->line || reach(m, &lines, now))) {
        const struct mxs_op *op = NULL;
        if (SIM_LIKELY(f->page != NULL)) {
            op = &f->page->op[f->pc / 4 % OP_PAGE_INSNS];
            if (!f->in_slot && SIM_LIKELY(!f->special)) {
                const uint64_t number = m->next;
                op = fetch_plain(m, words, &where, op, left);
                left -= (unsigned)(m->next - number);
                if (left == 0)
                    break;
                /* uncached code has no line, so instructions that are not plain are fetched by this iteration too */
                if (m->next != number && (f->pc & m->line_bits) != f->line)
                    continue;
            }
        }
        if (!fetch_irregular(m, words, &where, op))
            break;
        left--;
    }
    if (SIM_UNLIKELY(m->fetch_observed)) {
        if (m->viewer != NULL)
            mxs_fetch_report(m, next, now);
        if (m->probe != NULL)
            mxs_probe_fetched(m, next, now);
    }
    m->counts->fetched += m->next - next;
    m->did_work |= m->next != next;
}

/* Time */

/* The first cycle from NOW on in which something may happen to the oldest entry. */
static cycles next_oldest_event(const struct mxs *m, unsigned words, cycles now)
{
    const struct mxs_entry *e = mxs_entry_at(m, words, m->oldest);
    if (mxs_is_empty(m))
        return CYCLES_NEVER;
    if (e->issue_from >= now) /* its stall attribution changes at that time too */
        return e->issue_from;
    return e->done_at >= now ? e->done_at : CYCLES_NEVER;
}

/* Nothing was done at NOW: the first cycle in which anything may happen. Advances the wheel to that time. */
static cycles next_cycle(struct mxs *m, unsigned words, cycles now, cycles until)
{
    cycles next = next_oldest_event(m, words, now + 1);
    if (m->mshr_free_at < next)
        next = m->mshr_free_at;
    if (SIM_UNLIKELY(m->walk.state == MXS_WALK_LOADING) && m->walk.ready_at < next)
        next = m->walk.ready_at;
    if (!m->fetch.stopped && m->fetch.resume_at > now && m->fetch.resume_at < next)
        next = m->fetch.resume_at;
    if (next > until)
        next = until;
    if (next <= now + 1)
        return now + 1;
    return m->wheel.time = mxs_wheel_next(m, now + 1, next);
}

/* FIRST: the oldest instruction at the beginning of the cycle. */
MXS_INLINE void end_cycle(struct mxs *m, unsigned words, bool probed, vaddr first, cycles now, cycles until)
{
    unsigned why = MXS_PROBE_FULL;
    const bool full = m->serialised || m->graduated >= m->config.graduate_width;
    if (probed && m->core->watch != NULL && !full && m->graduated > 0)
        mxs_watch_instructions(m, first);
    if (!m->serialised) { /* otherwise its time has already been charged */
        const cycles next = m->did_work ? now + 1 : next_cycle(m, words, now, until);
        if (m->graduated >= m->config.graduate_width) {
            m->counts->cycles++;
            m->counts->full_cycles++;
        } else {
            if (probed)
                why = mxs_reason(m, words, now);
            mxs_charge(m, words, now, next - now);
        }
        m->core->s.cycle = next;
    }
    if (probed && m->probe != NULL)
        mxs_probe_cycle(m, why, now);
    if (probed && m->core->watch != NULL)
        mxs_watch_cycle(m, full, first);
    m->graduated = 0;
    m->serialised = false;
}

/* Is the oldest entry done, or serialising? */
MXS_INLINE bool may_graduate(const struct mxs *m, unsigned words, cycles now)
{
    const struct mxs_entry *e = mxs_entry_at(m, words, m->oldest);
    return m->oldest != m->next && (e->done_at <= now || (e->serialising && e->issue_from <= now));
}

MXS_INLINE bool run(struct mxs *m, unsigned words, bool probed, cycles until)
{
    struct core *core = m->core;
    if (core->s.insns >= core->insns_end)
        return false;
    do {
        const cycles now = core->s.cycle;
        const vaddr first = core->s.pc;
        m->did_work = m->graduated > 0; /* in the part of this cycle that the previous run simulated */
        m->simulated_cycles++;
        if (SIM_LIKELY(m->wheel.time == now && m->wheel.overflow_due > now))
            wheel_advance(m, words, now);
        else
            mxs_wheel_advance_far(m, now);
        if (now >= m->mshr_free_at) {
            m->mshr_free_at = CYCLES_NEVER;
            mxs_lsq_retry(m, words);
        }
        if (SIM_UNLIKELY(m->walk.state == MXS_WALK_LOADING) && now >= m->walk.ready_at)
            mxs_walk_go_on(m, now);
        bool last = false; /* the run ends after this cycle */
        if (may_graduate(m, words, now)) {
            if (!graduate(m, words, now))
                return false;
            last = core->s.insns >= core->insns_end;
        }
        if (SIM_UNLIKELY(m->squash_pending))
            mxs_fetch_restart(m, now + m->config.redirect_delay, LOST_SERIALISED);
        if (!mxs_set_is_empty(words, m->ready) && !m->serialised)
            issue(m, words, now);
        if (now >= m->fetch.resume_at && !m->fetch.stopped && m->next - m->oldest < m->config.window)
            fetch(m, words, now);
        end_cycle(m, words, probed, first, now, until);
        if (last)
            return false;
    } while (core->s.cycle < until && !core->attention);
    return true;
}

/* A function for each size of the window, so that the number of words is a constant in it. */
#define RUN(words)                                                                                                     \
    static __attribute__((noinline)) bool run_##words(struct mxs *m, cycles until)                                     \
    {                                                                                                                  \
        return run(m, words, false, until);                                                                            \
    }
RUN(1)
RUN(2)
RUN(4)
RUN(8)
#undef RUN

static __attribute__((noinline)) bool run_probed(struct mxs *m, cycles until)
{
    return run(m, m->words, true, until);
}

bool mxs_cycle_run(struct mxs *m, cycles until)
{
    if (SIM_UNLIKELY(m->probe != NULL || m->core->watch != NULL))
        return run_probed(m, until);
    switch (m->words) {
    case 1: return run_1(m, until);
    case 2: return run_2(m, until);
    case 4: return run_4(m, until);
    default: return run_8(m, until);
    }
}
