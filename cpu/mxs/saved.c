#include "cpu/mxs/saved.h"

#include "cpu/model.h"
#include "cpu/mxs/window.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A field that is saved in its memory representation, little-endian; `max`: largest valid value of a number (0:
 * any). */
struct part {
    const char *name;
    uint16_t offset, size;
    bool flag; /* valid values are 0 and 1 */
    uint32_t max;
};
#define PART(type, member)                                                                                             \
    {                                                                                                                  \
#member, offsetof(type, member), sizeof(((type *)0)->member), false, 0                                         \
    }
#define LIMITED(type, member, max)                                                                                     \
    {                                                                                                                  \
#member, offsetof(type, member), sizeof(((type *)0)->member), false, max                                       \
    }
#define FLAG(type, member)                                                                                             \
    {                                                                                                                  \
#member, offsetof(type, member), sizeof(((type *)0)->member), true, 1                                          \
    }
#define PARTS(table) table, sizeof(table) / sizeof(table)[0]

static const struct part entry_parts[] = {
    PART(struct mxs_entry, done_at),
    PART(struct mxs_entry, issue_from),
    PART(struct mxs_entry, ready_at),
    PART(struct mxs_entry, pc),
    PART(struct mxs_entry, predicted),
    PART(struct mxs_entry, actual),
    FLAG(struct mxs_entry, serialising),
    FLAG(struct mxs_entry, in_slot),
    FLAG(struct mxs_entry, unresolved),
    FLAG(struct mxs_entry, guessed),
    FLAG(struct mxs_entry, queued),
    FLAG(struct mxs_entry, missed),
    PART(struct mxs_entry, sources_pending),
    PART(struct mxs_entry, data_pending),
    FLAG(struct mxs_entry, taken),
    FLAG(struct mxs_entry, predicted_taken),
    LIMITED(struct mxs_entry, stall, STALL_COUNT - 1),
    PART(struct mxs_entry, value),
    PART(struct mxs_entry, result),
    PART(struct mxs_entry, fcsr),
    PART(struct mxs_entry, address),
    FLAG(struct mxs_entry, has_address),
    FLAG(struct mxs_entry, mapped),
    FLAG(struct mxs_entry, has_value),
    LIMITED(struct mxs_entry, size, 8),
    PART(struct mxs_entry, bytes),
    PART(struct mxs_entry, forwarder),
    PART(struct mxs_entry, data),
    PART(struct mxs_entry, prediction.top),
    PART(struct mxs_entry, prediction.address),
};

static const struct part state_parts[] = {
    PART(struct mxs, oldest),
    PART(struct mxs, wheel.time),
    PART(struct mxs, wheel.overflow_due),
    PART(struct mxs, in_flight_until),
    PART(struct mxs, mshr_free_at),
    PART(struct mxs, outdated),
    LIMITED(struct mxs, graduated, MXS_WIDTH_MAX),
    PART(struct mxs, unit_free),
};

static const struct part fetch_parts[] = {
    PART(struct mxs, fetch.pc),
    FLAG(struct mxs, fetch.in_slot),
    FLAG(struct mxs, fetch.target_known),
    PART(struct mxs, fetch.target),
    PART(struct mxs, fetch.resume_at),
    FLAG(struct mxs, fetch.stopped),
    FLAG(struct mxs, fetch.missing),
    LIMITED(struct mxs, fetch.stall, STALL_COUNT - 1),
    PART(struct mxs, fetch.line),
    PART(struct mxs, fetch.base),
    PART(struct mxs, fetch.redirected_at),
    LIMITED(struct mxs, fetch.redirect_cause, LOST_COUNT - 1),
};

static void put_parts(const void *base, const struct part *parts, size_t count, struct saved_out *out)
{
    for (size_t i = 0; i < count; i++)
        saved_put(out, (const uint8_t *)base + parts[i].offset, parts[i].size);
}

static bool get_parts(void *base, const struct part *parts, size_t count, struct saved_in *in, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &parts[i];
        uint8_t bytes[sizeof(((struct mxs *)0)->unit_free)];
        uint32_t value = 0;
        if (!saved_get(in, bytes, part->size))
            return false;
        memcpy(&value, bytes, part->size < sizeof value ? part->size : sizeof value);
        if (part->max != 0 && value > part->max)
            return err_set(err, "%s is %u; the maximum is %u", part->name, value, part->max);
        memcpy((uint8_t *)base + part->offset, bytes, part->size);
    }
    return true;
}

/* Address of an entry's decoded instruction: its physical address, with flags in the low bits. */
enum { CODE_UNCACHED = 1, CODE_NONE = 2 };

static uint32_t code_of_page(const struct mxs_page *page)
{
    return page == NULL ? CODE_NONE : page->page | (page->uncached ? CODE_UNCACHED : 0);
}

static uint32_t code_of(const struct mxs *m, const struct mxs_op *op)
{
    const struct mxs_page *page = mxs_pages_find(m->pages, op);
    return page == NULL ? CODE_NONE : code_of_page(page) | (uint32_t)(op - page->op) * 4;
}

/* The sets that contain an entry. */
enum { IN_READY = 1, IN_WAITING = 2, WILL_BE_READY = 4, WILL_COMPLETE = 8, FAR_READY = 16, FAR_COMPLETE = 32 };

static uint8_t sets_of(const struct mxs *m, const struct mxs_entry *e)
{
    const uint32_t slot = mxs_slot_of(m, e->number);
    const uint64_t *ready = m->wheel.set + wheel_index(m, WHEEL_READY, e->ready_at);
    const uint64_t *happens = m->wheel.set + wheel_index(m, WHEEL_COMPLETE, e->done_at);
    const bool issued = e->done_at != CYCLES_NEVER;
    unsigned sets = 0;
    sets |= mxs_set_has(m->ready, slot) ? IN_READY : 0;
    sets |= mxs_set_has(m->lsq_waiting, slot) ? IN_WAITING : 0;
    sets |= !issued && mxs_set_has(ready, slot) ? WILL_BE_READY : 0;
    sets |= issued && mxs_set_has(happens, slot) ? WILL_COMPLETE : 0;
    sets |= mxs_set_has(m->wheel.overflow, slot) ? FAR_READY : 0;
    sets |= mxs_set_has(m->wheel.overflow + m->words, slot) ? FAR_COMPLETE : 0;
    return (uint8_t)sets;
}

static void join_sets(struct mxs *m, const struct mxs_entry *e, unsigned sets)
{
    const uint32_t slot = mxs_slot_of(m, e->number);
    if (sets & IN_READY)
        mxs_set_add(m->ready, slot);
    if (sets & IN_WAITING)
        mxs_set_add(m->lsq_waiting, slot);
    if (sets & WILL_BE_READY)
        wheel_add(m, WHEEL_READY, slot, e->ready_at);
    if (sets & WILL_COMPLETE)
        wheel_add(m, WHEEL_COMPLETE, slot, e->done_at);
    if (sets & FAR_READY)
        mxs_set_add(m->wheel.overflow, slot);
    if (sets & FAR_COMPLETE)
        mxs_set_add(m->wheel.overflow + m->words, slot);
}

/* Writing */

/* A copy of E with unused fields cleared. */
static struct mxs_entry entry_used(const struct mxs_entry *e)
{
    struct mxs_entry used = *e;
    const unsigned flags = e->op->flags;
    const bool issued = e->done_at != CYCLES_NEVER;
    const bool is_predicted = (flags & OP_CONTROL) && !e->in_slot && !(flags & OP_STOPS_FETCH);
    const bool follows_prediction = e->in_slot && !(flags & (OP_CONTROL | OP_STOPS_FETCH));
    if (!is_predicted) {
        used.predicted_taken = false;
        used.prediction = (struct mxs_stack_checkpoint){0};
    }
    if (!is_predicted && !follows_prediction)
        used.predicted = 0;
    if (!issued || !(flags & OP_CONTROL)) {
        used.taken = false;
        used.actual = 0;
    }
    for (unsigned i = 0; i < OP_SOURCES; i++)
        if (i >= e->op->sources || (e->sources_pending | e->data_pending) >> i & 1)
            used.value[i] = 0;
    for (unsigned i = 0; i < OP_RESULTS; i++)
        if (!issued || i >= e->op->results)
            used.result[i] = 0;
    if (!issued || !(flags & OP_FCSR))
        used.fcsr = 0;
    if (!e->missed)
        used.stall = 0;
    if (!e->queued)
        used.has_address = used.mapped = used.has_value = false;
    if (!used.has_address)
        used.address = used.size = used.bytes = 0;
    if (!used.has_value)
        used.data = 0;
    if (!used.has_value || !(flags & OP_LOAD))
        used.forwarder = 0;
    return used;
}

void mxs_state_save(void *model, struct saved_out *out)
{
    const struct mxs *m = model;
    const uint32_t count = mxs_is_void(m) ? 0 : (uint32_t)(m->next - m->oldest);
    const uint8_t restarts = mxs_is_void(m);
    const struct mxs_stack_checkpoint *undone = mxs_is_void(m) ? mxs_fetch_oldest_checkpoint(m) : NULL;
    saved_put(out, &restarts, 1);
    put_parts(m, PARTS(state_parts), out);
    mxs_predictor_save(m->predictor, undone, out);
    if (m->memory != NULL)
        nonblocking_save(m->memory, out);
    if (restarts)
        return;
    put_parts(m, PARTS(fetch_parts), out);
    saved_put_u32(out, code_of_page(m->fetch.page));
    saved_put_u32(out, count);
    for (uint64_t number = m->oldest; number < m->next; number++) {
        const struct mxs_entry *e = mxs_entry_at(m, number), used = entry_used(e);
        const uint8_t sets = sets_of(m, e);
        saved_put_u32(out, code_of(m, e->op));
        saved_put(out, &sets, 1);
        put_parts(&used, PARTS(entry_parts), out);
    }
}

/* Loading */

/* Data that cannot be interpreted until memory has been loaded. */
struct mxs_loaded {
    bool restarts;
    uint32_t fetch_code, count;
    struct {
        uint32_t code;
        uint8_t sets;
    } entry[MXS_WINDOW_MAX];
};

static bool load_entries(struct mxs *m, struct mxs_loaded *loaded, struct saved_in *in, struct err *err)
{
    if (!saved_get_u32(in, &loaded->fetch_code) || !saved_get_u32(in, &loaded->count))
        return false;
    if (loaded->count > m->config.window)
        return err_set(err, "%u instructions in a window of %u", loaded->count, m->config.window);
    m->next = m->oldest + loaded->count;
    for (uint32_t i = 0; i < loaded->count; i++) {
        struct mxs_entry *e = mxs_entry_at(m, m->oldest + i);
        e->number = m->oldest + i;
        if (!saved_get_u32(in, &loaded->entry[i].code) || !saved_get(in, &loaded->entry[i].sets, 1) ||
            !get_parts(e, PARTS(entry_parts), in, err))
            return false;
    }
    return true;
}

bool mxs_state_load(void *model, struct saved_in *in, struct err *err)
{
    struct mxs *m = model;
    uint8_t restarts;
    free(m->loaded);
    m->loaded = calloc(1, sizeof *m->loaded);
    if (m->loaded == NULL)
        log_bug("out of memory");
    if (!saved_get(in, &restarts, 1) || !get_parts(m, PARTS(state_parts), in, err))
        return false;
    if (m->oldest == 0 || m->oldest >> 62 != 0)
        return err_set(err, "invalid sequence number of the oldest instruction");
    m->next = m->oldest;
    m->loaded->restarts = restarts != 0;
    if (!mxs_predictor_load(m->predictor, in) || (m->memory != NULL && !nonblocking_load(m->memory, in, err)))
        return false;
    return restarts || (get_parts(m, PARTS(fetch_parts), in, err) && load_entries(m, m->loaded, in, err));
}

/* Rebuilding derived state */

/* Longest plausible duration in cycles: later times are rejected. */
#define MAX_DURATION (UINT64_C(1) << 32)

static bool check_time(const struct mxs *m, cycles time, const char *what, struct err *err)
{
    return time == CYCLES_NEVER || time <= m->core->s.cycle + MAX_DURATION ||
           err_set(err, "%s: implausible time %" PRIu64, what, time);
}

static bool check_times(const struct mxs *m, struct err *err)
{
    const cycles now = m->core->s.cycle;
    for (unsigned i = 0; i < UNITS; i++)
        for (unsigned j = 0; j < MXS_WIDTH_MAX; j++)
            if (m->unit_free[i][j] > now + MAX_DURATION)
                return err_set(err, "a functional unit is free at an implausible time");
    if (m->wheel.time > now + 1 || m->wheel.time + MAX_DURATION < now)
        return err_set(err, "the event wheel is at %" PRIu64 ", the processor at %" PRIu64, m->wheel.time, now);
    return check_time(m, m->wheel.overflow_due, "events beyond the wheel", err) &&
           check_time(m, m->mshr_free_at, "an MSHR", err) &&
           (m->in_flight_until <= now + MAX_DURATION ||
            err_set(err, "a line in flight arrives at an implausible time"));
}

/* Find the page of CODE; NULL: no page. False with ERR: there is no RAM at that address. */
static bool find_page(struct mxs *m, uint32_t code, struct mxs_page **page, struct err *err)
{
    *page = NULL;
    if (code == CODE_NONE)
        return true;
    const paddr address = code & ~(paddr)3;
    if ((code & CODE_NONE) || !physmem_page_is_ram(m->core->mem, address))
        return err_set(err, "instruction at 0x%08x, which is not RAM", address);
    *page = mxs_page_get(m->pages, address, code & CODE_UNCACHED);
    return true;
}

static bool find_op(struct mxs *m, struct mxs_entry *e, uint32_t code, struct err *err)
{
    struct mxs_page *page;
    if (!find_page(m, code, &page, err))
        return false;
    if (page == NULL) {
        e->op = mxs_fetch_unfetchable();
        return true;
    }
    const unsigned index = code / 4 % OP_PAGE_INSNS;
    mxs_op_decode(m->pages, page, index, m->core);
    e->op = &page->op[index];
    return true;
}

/* Check that the fields of E are consistent with its instruction, so that later processing is safe. */
static bool check_entry(const struct mxs *m, const struct mxs_entry *e, unsigned sets, struct err *err)
{
    const struct mxs_op *op = e->op;
    const unsigned flags = op->flags, needed = (1u << op->addressing) - 1, all = (1u << op->sources) - 1;
    const bool issued = e->done_at != CYCLES_NEVER;
    const bool alone = (flags & OP_SERIALISING) || (e->in_slot && (flags & OP_CONTROL));
    const unsigned waiting = sets & (IN_READY | IN_WAITING | WILL_BE_READY | FAR_READY);
    const char *wrong = NULL;
    if (e->sources_pending & ~needed || e->data_pending & (needed | ~all))
        wrong = "waits for sources that are not its operands";
    else if ((alone && !e->serialising) || (e->serialising && (issued || waiting)))
        wrong = "has inconsistent state for a serialising instruction";
    else if (e->queued != (!alone && (flags & OP_MEMORY)))
        wrong = "is in the wrong queue";
    else if (issued && (waiting || e->sources_pending))
        wrong = "has issued but still waits for sources";
    else if (!issued && (sets & (WILL_COMPLETE | FAR_COMPLETE)))
        wrong = "has a completion event but has not issued";
    else if (waiting & (waiting - 1) || ((sets & IN_WAITING) && !e->queued))
        wrong = "is in more than one waiting set";
    else if (e->unresolved && !(flags & (OP_CONDITIONAL | OP_INDIRECT)))
        wrong = "is marked unresolved but is not a branch";
    else if (e->queued && issued && !e->has_address)
        wrong = "has issued without an address";
    else if (e->queued && e->has_value && (flags & OP_LOAD) && !e->has_address)
        wrong = "has a value but no address";
    else if (e->queued && issued && (flags & OP_LOAD) && !e->has_value)
        wrong = "is a load that has issued without a value";
    else if (e->queued && e->has_address &&
             (e->size == 0 || e->size & (e->size - 1) || e->address & (e->size - 1u) ||
              !physmem_page_is_ram(m->core->mem, e->address)))
        wrong = "accesses a misaligned or non-RAM address";
    if (wrong != NULL)
        return err_set(err, "the instruction at 0x%08x (%s) %s", e->pc, isa_table[op->id].mnemonic, wrong);
    return check_time(m, e->done_at, "the completion of an instruction", err) &&
           check_time(m, e->issue_from, "the issue of an instruction", err) &&
           check_time(m, e->ready_at, "a source of an instruction", err);
}

/* Link source I of E to its producer, the youngest older entry that writes it, which must not have passed its result
 * yet. */
static bool link_source(struct mxs *m, struct mxs_entry *e, unsigned i, bool pairs, struct err *err)
{
    const unsigned name = mxs_name_now(pairs, e->op->source[i], e->op->wide_sources, i);
    const uint64_t number = m->rename_table[name];
    const struct mxs_entry *producer = number >= m->oldest ? mxs_entry_at(m, number) : NULL;
    const bool stored = e->data_pending >> i & 1;
    if (producer == NULL || (!stored && producer->done_at != CYCLES_NEVER))
        return err_set(err, "the instruction at 0x%08x waits for a result without a pending producer", e->pc);
    window_link(m, e, mxs_slot_of(m, e->number), i, mxs_slot_of(m, number), producer->result_name[0] != name,
                stored ? LINK_STORED : 0);
    return true;
}

/* Rename E, the youngest entry so far, as when it was fetched. */
static bool rename_entry(struct mxs *m, struct mxs_entry *e, struct err *err)
{
    const struct mxs_op *op = e->op;
    const bool pairs = mxs_has_pairs(m, op);
    e->consumers = LINK_END;
    for (unsigned i = 0; i < op->sources; i++)
        if (((e->sources_pending | e->data_pending) >> i & 1) && !link_source(m, e, i, pairs, err))
            return false;
    for (unsigned i = 0; i < op->results; i++)
        window_write(m, e, i, mxs_name_now(pairs, op->result[i], op->wide_results, i));
    return true;
}

static bool rebuild_entry(struct mxs *m, uint32_t index, struct err *err)
{
    const struct mxs_loaded *loaded = m->loaded;
    struct mxs_entry *e = mxs_entry_at(m, m->oldest + index);
    if (!find_op(m, e, loaded->entry[index].code, err) || !check_entry(m, e, loaded->entry[index].sets, err) ||
        !rename_entry(m, e, err))
        return false;
    join_sets(m, e, loaded->entry[index].sets);
    m->unresolved += e->unresolved;
    if (e->queued)
        mxs_memory_enqueue(m, e);
    return m->queued <= m->config.load_store_queue ||
           err_set(err, "more loads and stores than the load/store queue holds");
}

static bool rebuild_fetch(struct mxs *m, struct err *err)
{
    struct mxs_fetch *f = &m->fetch;
    if (!find_page(m, m->loaded->fetch_code, &f->page, err))
        return false;
    if (f->line != 1 && (f->page == NULL || (f->line & ~(vaddr)(PAGE_SIZE - 1)) != f->base))
        return err_set(err, "the fetch line is not in the fetch page");
    return check_time(m, f->resume_at, "fetch", err);
}

static bool rebuild(struct mxs *m, struct err *err)
{
    m->in_flight[MXS_IN_FLIGHT_CODE] = m->in_flight[MXS_IN_FLIGHT_DATA] = m->in_flight_until;
    if (m->outdated > m->next) /* entries past m->next were squashed */
        m->outdated = m->next;
    if (m->wheel.time == 0 || !check_times(m, err) ||
        (m->memory != NULL && !nonblocking_check(m->memory, m->core->s.cycle + MAX_DURATION, err)))
        return false;
    if (m->loaded->restarts)
        return true;
    if (!rebuild_fetch(m, err))
        return false;
    for (uint32_t i = 0; i < m->loaded->count; i++)
        if (!rebuild_entry(m, i, err))
            return false;
    memcpy(&m->state_after_run, &m->core->s, offsetof(struct cpu, cp0));
    m->squash_pending = false;
    return true;
}

bool mxs_state_after_load(void *model, struct err *err)
{
    struct mxs *m = model;
    if (m->loaded == NULL)
        return true; /* nothing was loaded: start with an empty window */
    const bool done = rebuild(m, err);
    free(m->loaded);
    m->loaded = NULL;
    return done;
}

/* Counts */

enum { COUNTS = sizeof(struct mxs_counts) / sizeof(uint64_t) };

/* Number of entries in the window that will be squashed at the start of the next run, and counted then. A restored
 * model does not have them, so they are added when saving. */
static uint64_t squashed_later(const struct core *core)
{
    const struct mxs *m = core->model_ops == &mxs_model ? core->model : NULL;
    return m != NULL && mxs_is_void(m) ? m->next - m->oldest : 0;
}

void mxs_counts_save(const struct core *core, struct saved_out *out)
{
    struct mxs_counts counts = *(const struct mxs_counts *)core->model_counts;
    counts.squashed += squashed_later(core);
    saved_put_u32(out, COUNTS);
    saved_put(out, &counts, sizeof counts);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        saved_put(out, core->mode_buckets[mode].pipeline, sizeof core->mode_buckets[mode].pipeline);
}

bool mxs_counts_load(struct core *core, struct saved_in *in, struct err *err)
{
    uint32_t count;
    if (!saved_get_u32(in, &count))
        return false;
    if (count != COUNTS)
        return err_set(err, "%u counts; this version has %d", count, COUNTS);
    if (!saved_get(in, core->model_counts, sizeof(struct mxs_counts)))
        return false;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (!saved_get(in, core->mode_buckets[mode].pipeline, sizeof core->mode_buckets[mode].pipeline))
            return false;
    return true;
}
