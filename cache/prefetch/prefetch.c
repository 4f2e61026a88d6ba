/* Prefetched lines: fills, and the CPU's accesses to them. */
#include "cache/prefetch/prefetch.h"

#include "cache/state/response.h"
#include "cache/prefetch/prefetch_state.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

/* Creation */

static void read_params(struct prefetch *p, const struct memsys *memsys, const struct params *params)
{
    p->lines = (uint32_t)params_u64(params, "prefetch.insn.lines");
    p->reach = (unsigned)params_u64(params, "prefetch.insn.reach");
    p->guarded_only = params_is(params, "prefetch.insn.pages", "guarded");
    p->data = params_bool(params, "prefetch.data");
    p->interval = params_u64(params, "prefetch.interval");
    p->buffers = (unsigned)params_u64(params, "prefetch.stream.buffers");
    p->depth = (unsigned)params_u64(params, "prefetch.stream.depth");
    p->any_miss = params_is(params, "prefetch.stream.allocate", "miss");
    if (!params_is(params, "prefetch.insn.trigger", "off"))
        p->trigger = params_is(params, "prefetch.insn.trigger", "miss") ? TRIGGER_MISS : TRIGGER_REFERENCE;
    unsigned level = (unsigned)params_u64(params, "prefetch.stream.level");
    if (p->buffers)
        p->level = level ? level : memsys->levels - 1;
}

static struct prefetch_mark *make_marks(const struct array *array)
{
    struct prefetch_mark *marks = checked_memory(calloc(array_entries(array), sizeof *marks));
    for (uint32_t entry = 0; entry < array_entries(array); entry++)
        marks[entry].line = NO_LINE;
    return marks;
}

static void build_cpu(struct prefetch *prefetch, const struct memsys *memsys, unsigned cpu)
{
    struct array *const *first = memsys->node[cpu].first;
    struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
    for (unsigned i = 0; i < 2; i++)
        cpu_state->marks[i] = array_entries(first[i]);
    cpu_state->mark[0] = make_marks(first[0]);
    cpu_state->mark[1] = first[0] == first[1] ? cpu_state->mark[0] : make_marks(first[1]);
    prefetch_stream_empty(prefetch, cpu);
}

bool prefetch_create(struct memsys *memsys, const struct params *params, uint64_t clock_hz, struct err *err)
{
    struct prefetch *prefetch = checked_memory(calloc(1, sizeof *prefetch));
    read_params(prefetch, memsys, params);
    bool off = prefetch->trigger == TRIGGER_OFF && !prefetch->buffers && !prefetch->data;
    bool serves = !prefetch->buffers || (prefetch->level >= 1 && prefetch->level < memsys->levels);
    if (!serves)
        err_set(err, "prefetch.stream.buffers is %u: they need a cache level beyond the one they serve",
                prefetch->buffers);
    if (off || !serves) {
        free(prefetch);
        return serves;
    }
    memsys->prefetch = prefetch;
    nsec hit_ns = params_u64(params, "prefetch.stream.hit_time");
    if (hit_ns)
        prefetch->buffer_hit_time = cycles_of_nsec(hit_ns, clock_hz);
    else if (prefetch->level > 1)
        prefetch->buffer_hit_time = memsys->node[0].cache[data_cache(prefetch->level)]->hit_time;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        build_cpu(prefetch, memsys, cpu);
    return true;
}

void prefetch_free(struct memsys *memsys)
{
    struct prefetch *prefetch = memsys->prefetch;
    if (!prefetch)
        return;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
        if (cpu_state->mark[1] != cpu_state->mark[0])
            free(cpu_state->mark[1]);
        free(cpu_state->mark[0]);
    }
    guards_clear(&prefetch->guards);
    free(prefetch);
}

void prefetch_flush(struct memsys *memsys)
{
    struct prefetch *prefetch = memsys->prefetch;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
        for (unsigned i = 0; i < 2; i++)
            for (uint32_t entry = 0; entry < array_entries(memsys->node[cpu].first[i]); entry++)
                cpu_state->mark[i][entry].line = NO_LINE;
        memset(cpu_state->flight, 0, sizeof cpu_state->flight);
        prefetch_stream_empty(prefetch, cpu);
    }
}

/* Lines in flight */

/* Records a line in flight: that of ADDRESS in the outermost cache that a prefetch filled. LEVEL supplied it; it
 * arrives at ARRIVES. */
static void note_flight(const struct memsys *memsys, struct prefetch_cpu *cpu_state, unsigned cpu, unsigned level,
                        const struct memsys_request *request, cycles arrives)
{
    const struct array *filled = memsys->node[cpu].first[request->access != MEMSYS_FETCH];
    if (level <= filled->level + 1u)
        return;
    while (filled->level < level - 1)
        filled = filled->next;
    cpu_state->flight[cpu_state->next_flight] = (struct prefetch_flight){
        request->address & filled->line_mask, 1u << filled->line_shift, (uint8_t)level, arrives};
    cpu_state->next_flight = (cpu_state->next_flight + 1) % FLIGHTS;
}

/* The line of ADDRESS in the outer caches, as far as it is in flight; it arrives at 0 if it is not. */
static struct prefetch_flight flight_of(const struct prefetch_cpu *cpu_state, paddr address)
{
    struct prefetch_flight latest = {0};
    for (unsigned i = 0; i < FLIGHTS; i++)
        if (address - cpu_state->flight[i].start < cpu_state->flight[i].size &&
            cpu_state->flight[i].arrives > latest.arrives)
            latest = cpu_state->flight[i];
    return latest;
}

struct prefetch_result prefetch_fill(struct memsys *memsys, unsigned cpu, struct array *from,
                                     const struct memsys_request *request)
{
    struct prefetch_cpu *cpu_state = &memsys->prefetch->cpu[cpu];
    struct prefetch_result order;
    struct memsys_response response;
    cycles wait = 0;
    const cycles arrival = flight_of(cpu_state, request->address).arrives;
    if (memsys->timing) {
        response_begin(&response, cpu, request);
        response.from = (uint8_t)(from->level - 1);
        response.prefetch = true;
        memsys->response = &response;
    }
    const struct access_fetched fetched = memsys->bring(memsys, cpu, from, request);
    memsys->response = NULL;
    if (memsys->timing) {
        response.stall = fetched.time;
        const struct timing_wait waits = timing_waits(memsys->timing, &response);
        wait = waits.request + waits.write_buffer;
    }
    order.arrives = request->now + fetched.time + wait;
    if (order.arrives < arrival)
        order.arrives = arrival;
    order.level = fetched.level;
    order.entry = fetched.entry;
    note_flight(memsys, cpu_state, cpu, fetched.level, request, order.arrives);
    return order;
}

/* Marks of the first level */

static struct prefetch_mark *mark_of(const struct memsys *memsys, unsigned cpu, const struct array *first,
                                     uint32_t entry)
{
    struct prefetch_cpu *cpu_state = &memsys->prefetch->cpu[cpu];
    return &cpu_state->mark[first != memsys->node[cpu].first[0]][entry];
}

/* The entry of MARK gets another line, or its own line again: the marked line was evicted or invalidated without use.
 */
static void drop_mark(struct prefetch_cpu *cpu_state, struct prefetch_mark *mark)
{
    if (mark->line != NO_LINE)
        cpu_state->counts[mark->kind].useless++;
    mark->line = NO_LINE;
}

void prefetch_first(struct memsys *memsys, unsigned cpu, struct array *first, const struct memsys_request *request,
                    enum prefetch_kind kind)
{
    struct prefetch_cpu *cpu_state = &memsys->prefetch->cpu[cpu];
    const struct prefetch_result order = prefetch_fill(memsys, cpu, first, request);
    struct prefetch_mark *mark = mark_of(memsys, cpu, first, order.entry);
    drop_mark(cpu_state, mark);
    cpu_state->counts[kind].issued++;
    *mark = (struct prefetch_mark){.line = request->address & first->line_mask,
                                   .kind = (uint8_t)kind,
                                   .level = (uint8_t)order.level,
                                   .arrives = order.arrives};
    prefetch_stream_update(memsys, cpu, request);
}

void prefetch_forget(struct memsys *memsys, unsigned cpu, const struct array *first, uint32_t entry)
{
    drop_mark(&memsys->prefetch->cpu[cpu], mark_of(memsys, cpu, first, entry));
}

void prefetch_moved(struct memsys *memsys, unsigned cpu, const struct array *first, uint32_t from, uint32_t to)
{
    struct prefetch_mark *old = mark_of(memsys, cpu, first, from), *new = mark_of(memsys, cpu, first, to);
    drop_mark(&memsys->prefetch->cpu[cpu], new);
    *new = *old;
    old->line = NO_LINE;
}

void prefetch_count_late(const struct memsys *memsys, const struct memsys_request *request, unsigned first,
                         unsigned level)
{
    for (unsigned i = first; request->bucket && i < level && i <= memsys->levels; i++)
        request->bucket->late[(i - 1) * LATE_ACCESSES + request->access]++;
}

/* How many levels REQUEST has missed behind the first, by the counts of its bucket. */
static uint64_t outer_misses(const struct memsys_request *request)
{
    static const enum outer_miss second[] = {OUTER_L2_INSN, OUTER_L2_READ, OUTER_L2_WRITE};
    static const enum outer_miss third[] = {OUTER_L3_INSN, OUTER_L3_READ, OUTER_L3_WRITE};
    const struct bucket *bucket = request->bucket;
    return bucket ? bucket->outer[second[request->access]] + bucket->outer[third[request->access]] : 0;
}

/* Charges the wait for a line in flight to the category of the miss. NEAR: the second level supplied it. */
static cycles charge_late(const struct memsys_request *request, bool near, cycles wait)
{
    bool fetch = request->access == MEMSYS_FETCH;
    return charge(request->bucket, near ? fetch ? STALL_L1I : STALL_L1D : fetch ? STALL_L2I : STALL_L2D, wait);
}

static cycles first_use(const struct memsys *memsys, struct prefetch_cpu *cpu_state, struct prefetch_mark *mark,
                        const struct memsys_request *request)
{
    struct prefetch_counts *counts = &cpu_state->counts[mark->kind];
    counts->useful++;
    mark->line = NO_LINE;
    if (mark->arrives <= request->now)
        return 0;
    cycles wait = mark->arrives - request->now;
    counts->late++;
    counts->late_cycles += wait;
    prefetch_count_late(memsys, request, 1, mark->level);
    return charge_late(request, mark->level == 2 || memsys->levels == 1, wait);
}

/* REQUEST missed MISSED levels, the first and those behind it, with a stall of STALL. Returns the additional wait if
 * the line it found further out is still in flight. */
static cycles after_miss(struct memsys *memsys, unsigned cpu, struct array *first, const struct memsys_request *request,
                         unsigned missed, cycles stall)
{
    struct prefetch_cpu *cpu_state = &memsys->prefetch->cpu[cpu];
    uint32_t entry = array_find(first, request->address & first->line_mask);
    if (entry == NO_ENTRY)
        return 0; /* a store without write-allocate */
    drop_mark(cpu_state, mark_of(memsys, cpu, first, entry));
    if (array_is_partial(first, entry) || (first->allocates_words && request->access == MEMSYS_WRITE))
        return 0; /* allocated without a read */
    const struct prefetch_flight flight = flight_of(cpu_state, request->address);
    const cycles done = request->now + stall;
    if (flight.arrives <= done)
        return 0;
    prefetch_count_late(memsys, request, missed + 1, flight.level);
    return charge_late(request, false, flight.arrives - done);
}

static cycles access_prefetching(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct prefetch *prefetch = memsys->prefetch;
    struct array *first = first_of(memsys, cpu, request->access);
    const bool fetch = request->access == MEMSYS_FETCH;
    const paddr line = request->address & first->line_mask;
    struct memsys_request adjusted = *request;
    cycles wait = 0;
    const uint32_t entry = array_find_of(first, request);
    bool begins = prefetch->trigger == TRIGGER_REFERENCE || entry == NO_ENTRY;
    if (entry != NO_ENTRY && mark_of(memsys, cpu, first, entry)->line == line) {
        begins = true;
        wait = first_use(memsys, &prefetch->cpu[cpu], mark_of(memsys, cpu, first, entry), request);
        adjusted.now += wait;
    }
    if (fetch && prefetch->trigger == TRIGGER_REFERENCE)
        adjusted.max_permission = PERMIT_NONE;
    const uint64_t before = outer_misses(request);
    wait += prefetch->beneath[request->access](memsys, cpu, &adjusted);
    if (entry == NO_ENTRY)
        wait += after_miss(memsys, cpu, first, request, 1 + (unsigned)(outer_misses(request) - before), wait);
    if (fetch) {
        prefetch_stream_update(memsys, cpu, request);
        if (begins && prefetch->trigger != TRIGGER_OFF)
            prefetch_run(memsys, cpu, request);
    }
    return wait;
}

void prefetch_choose(struct memsys *memsys, enum memsys_access access)
{
    struct prefetch *prefetch = memsys->prefetch;
    prefetch->beneath[access] = memsys->plain[access];
    memsys->plain[access] = access_prefetching;
}

bool prefetch_consults_streams(const struct memsys *memsys, enum memsys_access access)
{
    return access == MEMSYS_FETCH && memsys->prefetch->buffers;
}

/* Functions of cache/memsys.h */

bool memsys_prefetches(const struct memsys *memsys)
{
    return memsys->prefetch && memsys->prefetch->data;
}

bool memsys_brings_lines(const struct memsys *memsys)
{
    return memsys->prefetch;
}

bool memsys_streams(const struct memsys *memsys)
{
    return memsys->prefetch && memsys->prefetch->buffers;
}

void prefetch_data(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct array *first = memsys->node[cpu].first[1];
    struct memsys_request adjusted = *request;
    adjusted.access = MEMSYS_READ;
    adjusted.max_permission = PERMIT_NONE;
    adjusted.bucket = NULL;
    memsys->prefetch->cpu[cpu].counts[PREFETCH_DATA].requests++;
    if (array_find(first, request->address & first->line_mask) == NO_ENTRY)
        prefetch_first(memsys, cpu, first, &adjusted, PREFETCH_DATA);
}

bool memsys_takes_guards(const struct memsys *memsys)
{
    return memsys->prefetch && memsys->prefetch->trigger != TRIGGER_OFF;
}

void memsys_set_guard(struct memsys *memsys, paddr address, bool on)
{
    if (memsys_takes_guards(memsys))
        guards_set(&memsys->prefetch->guards, address, on);
}

uint64_t memsys_guards(const struct memsys *memsys)
{
    return memsys->prefetch ? memsys->prefetch->guards.count : 0;
}
