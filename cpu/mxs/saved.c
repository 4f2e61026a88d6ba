#include "cpu/mxs/saved.h"
#include "cpu/mxs/walk.h"

#include "cpu/mxs/window.h"
#include <inttypes.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

static const struct saved_field entry_fields[] = {
    SAVED_FIELD(struct mxs_entry, done_at, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, issue_from, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, ready_at, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, pc, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, predicted, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, actual, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, serialising, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, in_slot, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, unresolved, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, guessed, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, queued, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, missed, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, sources_pending, SAVED_U8),
    SAVED_FIELD(struct mxs_entry, data_pending, SAVED_U8),
    SAVED_FIELD(struct mxs_entry, taken, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, predicted_taken, SAVED_BOOL),
    SAVED_LIMITED(struct mxs_entry, stall, SAVED_U8, STALL_COUNT - 1),
    SAVED_FIELD(struct mxs_entry, value, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, result, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, fcsr, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, address, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, has_address, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, mapped, SAVED_BOOL),
    SAVED_FIELD(struct mxs_entry, has_value, SAVED_BOOL),
    SAVED_LIMITED(struct mxs_entry, size, SAVED_U8, 8),
    SAVED_FIELD(struct mxs_entry, bytes, SAVED_U8),
    SAVED_LIMITED(struct mxs_entry, accessed, SAVED_U8, 4),
    SAVED_FIELD(struct mxs_entry, lines_ready, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, forwarder, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, data, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, prediction.history, SAVED_U64),
    SAVED_FIELD(struct mxs_entry, prediction.top, SAVED_U32),
    SAVED_FIELD(struct mxs_entry, prediction.address, SAVED_U32),
};

/* What an entry is part of, besides the window. */
struct entry_place {
    uint32_t code; /* its decoded instruction: code_of() */
    uint8_t sets;  /* sets_of() */
};

static const struct saved_field place_fields[] = {
    SAVED_FIELD(struct entry_place, code, SAVED_U32),
    SAVED_FIELD(struct entry_place, sets, SAVED_U8),
};

static const struct saved_field state_fields[] = {
    SAVED_LIMITED(struct mxs, oldest, SAVED_U64, (UINT64_C(1) << 62) - 1),
    SAVED_FIELD(struct mxs, wheel.time, SAVED_U64),
    SAVED_FIELD(struct mxs, wheel.overflow_due, SAVED_U64),
    SAVED_FIELD(struct mxs, in_flight_until, SAVED_U64),
    SAVED_FIELD(struct mxs, mshr_free_at, SAVED_U64),
    SAVED_FIELD(struct mxs, outdated, SAVED_U64),
    SAVED_LIMITED(struct mxs, graduated, SAVED_U32, MXS_WIDTH_MAX),
    SAVED_FIELD(struct mxs, unit_free, SAVED_U64),
};

/* Of a processor with a page-table walker. */
static const struct saved_field walk_fields[] = {
    SAVED_LIMITED(struct mxs_walk, state, SAVED_U32, MXS_WALK_DONE),
    SAVED_FIELD(struct mxs_walk, address, SAVED_U32),
    SAVED_FIELD(struct mxs_walk, base, SAVED_U32),
    SAVED_FIELD(struct mxs_walk, space, SAVED_U8),
    SAVED_LIMITED(struct mxs_walk, next, SAVED_U8, PAGE_WALK_LOADS),
    SAVED_FIELD(struct mxs_walk, ready_at, SAVED_U64),
    SAVED_FIELD(struct mxs_walk, holds, SAVED_U64),
};

static const struct saved_field fetch_fields[] = {
    SAVED_FIELD(struct mxs_fetch, pc, SAVED_U32),
    SAVED_FIELD(struct mxs_fetch, in_slot, SAVED_BOOL),
    SAVED_FIELD(struct mxs_fetch, target_known, SAVED_BOOL),
    SAVED_FIELD(struct mxs_fetch, target, SAVED_U32),
    SAVED_FIELD(struct mxs_fetch, resume_at, SAVED_U64),
    SAVED_FIELD(struct mxs_fetch, stopped, SAVED_BOOL),
    SAVED_FIELD(struct mxs_fetch, missing, SAVED_BOOL),
    SAVED_LIMITED(struct mxs_fetch, stall, SAVED_U8, STALL_COUNT - 1),
    SAVED_FIELD(struct mxs_fetch, line, SAVED_U32),
    SAVED_FIELD(struct mxs_fetch, base, SAVED_U32),
    SAVED_FIELD(struct mxs_fetch, redirected_at, SAVED_U64),
    SAVED_LIMITED(struct mxs_fetch, redirect_cause, SAVED_U32, LOST_COUNT - 1),
};

/* A state as it is in a file: what follows from memory is rebuilt when memory has been loaded. */
struct mxs_loaded {
    bool restarts;       /* the window was void: fetch and entries are not there */
    uint32_t fetch_code; /* page of fetch: code_of_page() */
    uint32_t count;      /* of entries */
    struct entry_place place[MXS_WINDOW_MAX];
    struct mxs_entry entry[MXS_WINDOW_MAX];
};

static const struct saved_field loaded_fields[] = {
    SAVED_FIELD(struct mxs_loaded, restarts, SAVED_BOOL),
    SAVED_FIELD(struct mxs_loaded, fetch_code, SAVED_U32),
};

/* The arrays of M in a file. The predictors and the lines in flight follow. */
enum { ARRAY_STATE, ARRAY_LOADED, ARRAY_FETCH, ARRAY_PLACES, ARRAY_ENTRIES, ARRAY_WALK, ARRAYS };

/* How many of the arrays there are. */
static unsigned arrays_of(const struct mxs *m)
{
    return m->core->has_page_walker ? ARRAYS : ARRAY_WALK;
}

/* COUNT: number of entries. */
static void list_arrays(struct mxs *m, struct mxs_loaded *loaded, uint32_t count, struct saved_array arrays[ARRAYS])
{
    arrays[ARRAY_STATE] = (struct saved_array){SAVED_TABLE(state_fields), .base = m, .count = 1};
    arrays[ARRAY_LOADED] = (struct saved_array){SAVED_TABLE(loaded_fields), .base = loaded, .count = 1};
    arrays[ARRAY_FETCH] =
        (struct saved_array){SAVED_TABLE(fetch_fields), .base = &m->fetch, .count = !loaded->restarts};
    arrays[ARRAY_PLACES] = (struct saved_array){SAVED_TABLE(place_fields), loaded->place, sizeof *loaded->place, count};
    arrays[ARRAY_ENTRIES] =
        (struct saved_array){SAVED_TABLE(entry_fields), loaded->entry, sizeof *loaded->entry, count};
    arrays[ARRAY_WALK] = (struct saved_array){SAVED_TABLE(walk_fields), .base = &m->walk, .count = 1};
}

static struct mxs_loaded *create_loaded(void)
{
    struct mxs_loaded *loaded = checked_memory(aligned_alloc(alignof(struct mxs_loaded), sizeof *loaded));
    return memset(loaded, 0, sizeof *loaded);
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
    const uint32_t slot = mxs_slot_of(m->words, e->number);
    const uint64_t *ready = m->wheel.set + wheel_index(m->words, WHEEL_READY, e->ready_at);
    const uint64_t *happens = m->wheel.set + wheel_index(m->words, WHEEL_COMPLETE, e->done_at);
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
    const uint32_t slot = mxs_slot_of(m->words, e->number);
    if (sets & IN_READY)
        mxs_set_add(m->ready, slot);
    if (sets & IN_WAITING)
        mxs_set_add(m->lsq_waiting, slot);
    if (sets & WILL_BE_READY)
        wheel_add(m, m->words, WHEEL_READY, slot, e->ready_at);
    if (sets & WILL_COMPLETE)
        wheel_add(m, m->words, WHEEL_COMPLETE, slot, e->done_at);
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
        used.prediction = (struct mxs_prediction){.history = 0};
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
    if (!e->missed && !(e->serialising && e->stall == STALL_PAGE_WALK))
        used.stall = 0;
    if (!e->queued || issued)
        used.accessed = 0;
    if (used.accessed == 0)
        used.lines_ready = 0;
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
    struct mxs *m = model;
    const bool restarts = mxs_is_void(m);
    const struct mxs_prediction *undone = restarts ? mxs_fetch_oldest_prediction(m, m->oldest) : NULL;
    struct mxs_loaded *saved = create_loaded();
    struct saved_array arrays[ARRAYS];
    saved->restarts = restarts;
    saved->fetch_code = restarts ? 0 : code_of_page(m->fetch.page);
    saved->count = restarts ? 0 : (uint32_t)(m->next - m->oldest);
    for (uint32_t i = 0; i < saved->count; i++) {
        const struct mxs_entry *e = mxs_entry_at(m, m->words, m->oldest + i);
        saved->place[i] = (struct entry_place){.code = code_of(m, e->op), .sets = sets_of(m, e)};
        saved->entry[i] = entry_used(e);
    }
    list_arrays(m, saved, saved->count, arrays);
    for (unsigned i = 0; i < arrays_of(m); i++)
        saved_put_array(out, &arrays[i]);
    mxs_predictor_save(m->predictor, undone, out);
    if (m->memory != NULL)
        nonblocking_save(m->memory, out);
    free(saved);
}

/* Loading */

static bool load_arrays(struct mxs *m, struct saved_in *in, struct err *err)
{
    struct saved_array arrays[ARRAYS];
    uint32_t places;
    for (unsigned i = 0; i < arrays_of(m); i++) {
        list_arrays(m, m->loaded, m->config.window, arrays); /* anew: the fetch is there unless `restarts` was read */
        if (!saved_get_array(in, &arrays[i],
                             i == ARRAY_PLACES    ? &places
                             : i == ARRAY_ENTRIES ? &m->loaded->count
                                                  : NULL,
                             err))
            return false;
    }
    return places == m->loaded->count || err_set(err, "%u instructions in %u places", m->loaded->count, places);
}

bool mxs_state_load(void *model, struct saved_in *in, struct err *err)
{
    struct mxs *m = model;
    free(m->loaded);
    m->loaded = create_loaded();
    if (!load_arrays(m, in, err))
        return false;
    if (m->oldest == 0)
        return err_set(err, "invalid sequence number of the oldest instruction");
    m->next = m->oldest + (m->loaded->restarts ? 0 : m->loaded->count);
    return mxs_predictor_load(m->predictor, in, err) && (m->memory == NULL || nonblocking_load(m->memory, in, err));
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
           ((m->walk.ready_at <= now + MAX_DURATION && (m->memory != NULL || m->walk.state == MXS_WALK_IDLE)) ||
            err_set(err, "a page walk without caches, or one that ends at an implausible time")) &&
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
    /* what fetch made so because of load delay, an isolated cache or watch registers (struct mxs_fetch) is not queued
     */
    const bool special = (m->core->has_load_delay || m->core->has_watch_registers) && e->serialising && !e->queued;
    const bool alone = special || (flags & OP_SERIALISING) || (e->in_slot && (flags & OP_CONTROL));
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
    else if (e->accessed != 0 && (!e->queued || issued || e->accessed < m->in.data_line))
        wrong = "has accessed a part of what it does not access";
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
           check_time(m, e->ready_at, "a source of an instruction", err) &&
           check_time(m, e->lines_ready, "a line of an instruction", err);
}

/* Link source I of E to its producer, the youngest older entry that writes it, which must not have passed its result
 * yet. */
static bool link_source(struct mxs *m, struct mxs_entry *e, unsigned i, bool pairs, struct err *err)
{
    const unsigned name = mxs_name_now(pairs, e->op->source[i], e->op->wide_sources, i);
    const uint64_t number = m->rename_table[name];
    const struct mxs_entry *producer = number >= m->oldest ? mxs_entry_at(m, m->words, number) : NULL;
    const bool stored = e->data_pending >> i & 1;
    if (producer == NULL || (!stored && producer->done_at != CYCLES_NEVER))
        return err_set(err, "the instruction at 0x%08x waits for a result without a pending producer", e->pc);
    window_link(m, e, mxs_slot_of(m->words, e->number), i, mxs_slot_of(m->words, number),
                producer->result_name[0] != name, stored ? LINK_STORED : 0);
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
    const struct entry_place *place = &m->loaded->place[index];
    struct mxs_entry *e = mxs_entry_at(m, m->words, m->oldest + index);
    *e = m->loaded->entry[index];
    e->number = m->oldest + index;
    if (!find_op(m, e, place->code, err) || !check_entry(m, e, place->sets, err) || !rename_entry(m, e, err))
        return false;
    join_sets(m, e, place->sets);
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
    mxs_fetch_find_special(m);
    return check_time(m, f->resume_at, "fetch", err);
}

static bool rebuild(struct mxs *m, struct err *err)
{
    m->in_flight[MXS_IN_FLIGHT_CODE] = m->in_flight[MXS_IN_FLIGHT_DATA] = m->in_flight_until;
    if (m->outdated > m->next) /* entries past m->next were squashed */
        m->outdated = m->next;
    if (m->wheel.time == 0 && !m->loaded->restarts) /* of a CPU that was never on it is 0 */
        return err_set(err, "the event wheel is at time 0");
    if (!check_times(m, err) ||
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

/* A row for MEMBER, an array by cause, from FIRST up to END. */
#define CAUSES(text, member, first, end)                                                                               \
    {                                                                                                                  \
        .name = text, .kind = SAVED_U64, .statistic = true, .offset = offsetof(struct mxs_counts, member[first]),      \
        .count = (end) - (first), .repeat = 1                                                                          \
    }

static const struct saved_field count_fields[] = {
    SAVED_STATISTIC(struct mxs_counts, cycles),
    SAVED_STATISTIC(struct mxs_counts, graduated),
    SAVED_STATISTIC(struct mxs_counts, full_cycles),
    CAUSES("stall_cycles", stall_cycles, 0, LOST_RARE),
    CAUSES("lost_slots", lost_slots, 0, LOST_RARE),
    SAVED_STATISTIC(struct mxs_counts, fetched),
    SAVED_STATISTIC(struct mxs_counts, squashed),
    SAVED_STATISTIC(struct mxs_counts, issued),
    SAVED_STATISTIC(struct mxs_counts, serialised),
    SAVED_STATISTIC(struct mxs_counts, branches),
    SAVED_STATISTIC(struct mxs_counts, branches_mispredicted),
    SAVED_STATISTIC(struct mxs_counts, jumps),
    SAVED_STATISTIC(struct mxs_counts, jumps_mispredicted),
    SAVED_STATISTIC(struct mxs_counts, forwarded),
    SAVED_STATISTIC(struct mxs_counts, speculated_past),
    SAVED_STATISTIC(struct mxs_counts, replayed),
    SAVED_STATISTIC(struct mxs_counts, load_value_changed),
    SAVED_STATISTIC(struct mxs_counts, lsq_waits),
    SAVED_STATISTIC(struct mxs_counts, misses_merged),
    SAVED_STATISTIC(struct mxs_counts, mshrs_full),
};
static const struct saved_field outstanding_fields[] = {
    SAVED_STATISTIC(struct nonblocking_outstanding, any),
    SAVED_STATISTIC(struct nonblocking_outstanding, several),
    SAVED_STATISTIC(struct nonblocking_outstanding, total),
};
_Static_assert(sizeof(struct mxs_counts) == (18 + 2 * LOST_COUNT + 3 * MODE_COUNT) * sizeof(uint64_t),
               "every count has a row");

static const struct saved_field mode_fields[] = {SAVED_STATISTIC(struct bucket, pipeline)};

/* Of a processor with a page-table walker. */
enum { LOST_WALK = LOST_RARE + STALL_PAGE_WALK - STALL_RARE, LOST_MOVE = LOST_RARE + STALL_PAGE_MOVE - STALL_RARE };
static const struct saved_field walker_fields[] = {CAUSES("walk_cycles", stall_cycles, LOST_WALK, LOST_WALK + 1),
                                                   CAUSES("walk_slots", lost_slots, LOST_WALK, LOST_WALK + 1)};
/* Of one whose memory system moves pages. */
static const struct saved_field move_fields[] = {CAUSES("move_cycles", stall_cycles, LOST_MOVE, LOST_MOVE + 1),
                                                 CAUSES("move_slots", lost_slots, LOST_MOVE, LOST_MOVE + 1)};

/* Of CORE, with COUNTS; in a file of VERSION of the section. */
enum { COUNT_ARRAYS = 5 };
static unsigned list_counts(struct core *core, struct mxs_counts *counts, uint32_t version,
                            struct saved_array arrays[COUNT_ARRAYS])
{
    arrays[0] = (struct saved_array){SAVED_TABLE(count_fields), .base = counts, .count = 1};
    arrays[1] =
        (struct saved_array){SAVED_TABLE(mode_fields), core->mode_buckets, sizeof *core->mode_buckets, MODE_COUNT};
    unsigned count = 2;
    if (core->has_page_walker)
        arrays[count++] = (struct saved_array){SAVED_TABLE(walker_fields), .base = counts, .count = 1};
    if (core->moves_pages)
        arrays[count++] = (struct saved_array){SAVED_TABLE(move_fields), .base = counts, .count = 1};
    if (version != 2)
        arrays[count++] = (struct saved_array){SAVED_TABLE(outstanding_fields), counts->outstanding,
                                               sizeof *counts->outstanding, MODE_COUNT};
    return count;
}

void mxs_counts_save(struct core *core, uint64_t squashed, struct saved_out *out)
{
    struct mxs_counts counts = *(const struct mxs_counts *)core->model_counts;
    struct saved_array arrays[COUNT_ARRAYS];
    counts.squashed += squashed;
    const unsigned count = list_counts(core, &counts, 0, arrays);
    for (unsigned i = 0; i < count; i++)
        saved_put_array(out, &arrays[i]);
}

bool mxs_counts_load(struct core *core, struct saved_in *in, struct err *err)
{
    struct saved_array arrays[COUNT_ARRAYS];
    const unsigned count = list_counts(core, core->model_counts, in->version, arrays);
    for (unsigned i = 0; i < count; i++)
        if (!saved_get_array(in, &arrays[i], NULL, err))
            return false;
    return true;
}
