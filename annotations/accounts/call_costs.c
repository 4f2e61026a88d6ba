#include "annotations/accounts/call_costs.h"

#include "annotations/symbols/guest_view.h"
#include "cpu/observe/cycle_watch.h"
#include "cpu/observe/probe.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/registers.h"
#include "src/base/board.h"
#include "src/base/hash_map.h"
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_MAX = 4096, /* of a thread; a guest can call deeper: what it calls then is called from nowhere */
    VECTORS_BYTES =
        0x200 + 64 * 0x200, /* from the base of the exception vectors: 64 of interrupts, the widest spacing */
};

struct costs {
    uint64_t insns;
    struct classify_charged charged;
};

/* A routine that has been called and has not ended. */
struct frame {
    uint64_t routine; /* its first instruction, code_location_number() */
    size_t edge;      /* number of the call */
    bool is_kernel;
    bool is_exception; /* the code at a vector */
    bool is_inner;     /* the routine has been called before: this call has no costs */
    size_t paused_by;  /* the number of an inner frame, while it is there the call has no costs; 0: none */
    vaddr resume;      /* is_exception: where the exception returns to, unless the handler changes that */
    struct costs at;   /* the costs of the thread at the call */
};
#define NOWHERE UINT64_MAX /* the site of a call if what ran before is not known */

struct thread {
    struct frame *frames;
    size_t count, room;
    struct costs costs; /* since it was first seen, or the last reset */
};

struct edge {
    uint64_t caller, site, routine; /* code_location_number(); CALLER and SITE may be NOWHERE */
    uint64_t calls;
    struct costs costs; /* of calls that have ended */
};

/* What a routine has cost itself. */
struct own {
    uint64_t routine;
    struct costs costs;
};

struct processor {
    struct cycle_watch watch;
    struct thread *thread;        /* that runs; NULL: none has been seen */
    struct classify_charged seen; /* what has been added to threads */
};

struct call_costs {
    struct guest_view *view;
    const struct classify *classify; /* NULL: no caches */
    struct processor processor[BOARD_MAX_CPUS];
    struct hash_map threads; /* struct thread, by task_struct or, before there is one, the number of the CPU */
    struct edge *edges;
    size_t edge_count, edge_room;
    struct hash_map edge_numbers; /* by the hash of site and routine */
    struct own *own;
    size_t own_count, own_room;
    struct hash_map own_numbers; /* by routine */
};

/* Costs */

static void charged_add(struct classify_charged *sum, const struct classify_charged *part,
                        const struct classify_charged *less)
{
    sum->stall += part->stall - less->stall;
    sum->pipeline_stall += part->pipeline_stall - less->pipeline_stall;
    for (unsigned cache = 0; cache < CLASSIFY_CACHES_MAX; cache++)
        sum->miss[cache] += part->miss[cache] - less->miss[cache];
}

static void costs_add(struct costs *sum, const struct costs *part, const struct costs *less)
{
    sum->insns += part->insns - less->insns;
    charged_add(&sum->charged, &part->charged, &less->charged);
}

/* Edges */

struct sought {
    const struct call_costs *costs;
    uint64_t caller, site, routine;
};

static bool is_edge(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    const struct edge *edge = &sought->costs->edges[slot->number];
    return edge->caller == sought->caller && edge->site == sought->site && edge->routine == sought->routine;
}

static size_t edge_of(struct call_costs *costs, uint64_t caller, uint64_t site, uint64_t routine)
{
    const uint64_t hash = (site * 0x9e3779b97f4a7c15u ^ routine) * 0xff51afd7ed558ccdu;
    const struct sought sought = {costs, caller, site, routine};
    const struct hash_slot *slot = hash_map_find_equal(&costs->edge_numbers, hash, is_edge, &sought);
    if (slot)
        return slot->number;
    if (costs->edge_count == costs->edge_room) {
        costs->edge_room = costs->edge_room ? 2 * costs->edge_room : 1024;
        costs->edges = checked_memory(realloc(costs->edges, costs->edge_room * sizeof *costs->edges));
    }
    hash_map_add(&costs->edge_numbers, hash)->number = costs->edge_count;
    costs->edges[costs->edge_count] = (struct edge){.caller = caller, .site = site, .routine = routine};
    return costs->edge_count++;
}

static struct costs *own_costs_of(struct call_costs *costs, uint64_t routine)
{
    struct hash_slot *slot = hash_map_find(&costs->own_numbers, routine);
    if (!slot) {
        if (costs->own_count == costs->own_room) {
            costs->own_room = costs->own_room ? 2 * costs->own_room : 1024;
            costs->own = checked_memory(realloc(costs->own, costs->own_room * sizeof *costs->own));
        }
        slot = hash_map_add(&costs->own_numbers, routine);
        slot->number = costs->own_count;
        costs->own[costs->own_count++] = (struct own){.routine = routine};
    }
    return &costs->own[slot->number].costs;
}

/* Stacks */

/* Has the call of FRAME costs now? */
static bool is_charged(const struct frame *frame)
{
    return !frame->is_inner && frame->paused_by == 0;
}

/* Add to EDGES what the call of frame NUMBER has cost until now. */
static void charge_frame(struct edge *edges, const struct thread *thread, size_t number)
{
    const struct frame *frame = &thread->frames[number];
    if (is_charged(frame))
        costs_add(&edges[frame->edge].costs, &thread->costs, &frame->at);
}

/* The last frame is of ROUTINE: if it has been called before and its calls have costs, pause those in between. */
static void pause_calls(struct call_costs *costs, struct thread *thread, uint64_t routine)
{
    const size_t inner = thread->count - 1;
    size_t outer = inner;
    while (outer > 0 && (thread->frames[outer - 1].routine != routine || thread->frames[outer - 1].paused_by > 0))
        outer--;
    if (outer == 0)
        return;
    thread->frames[inner].is_inner = true;
    for (size_t i = outer; i < inner; i++)
        if (is_charged(&thread->frames[i])) {
            charge_frame(costs->edges, thread, i);
            thread->frames[i].paused_by = inner;
        }
}

static void resume_calls(struct thread *thread, size_t inner)
{
    for (size_t i = 0; i < inner; i++)
        if (thread->frames[i].paused_by == inner) {
            thread->frames[i].paused_by = 0;
            thread->frames[i].at = thread->costs;
        }
}

/* End the routines above the first COUNT. */
static void pop_to(struct call_costs *costs, struct thread *thread, size_t count)
{
    while (thread->count > count) {
        thread->count--;
        charge_frame(costs->edges, thread, thread->count);
        if (thread->frames[thread->count].is_inner)
            resume_calls(thread, thread->count);
    }
}

/* THREAD continues at PC, in ROUTINE, which SITE has called; the first of its frames is called from nowhere. */
static struct frame *push(struct call_costs *costs, struct thread *thread, vaddr pc, uint64_t routine, uint64_t site)
{
    if (thread->count == FRAMES_MAX)
        pop_to(costs, thread, 0);
    const uint64_t caller = thread->count > 0 ? thread->frames[thread->count - 1].routine : NOWHERE;
    const size_t edge = edge_of(costs, caller, thread->count > 0 ? site : NOWHERE, routine);
    if (thread->count == thread->room) {
        thread->room = thread->room ? 2 * thread->room : 32;
        thread->frames = checked_memory(realloc(thread->frames, thread->room * sizeof *thread->frames));
    }
    costs->edges[edge].calls++;
    struct frame *frame = &thread->frames[thread->count++];
    *frame = (struct frame){.routine = routine, .edge = edge, .is_kernel = !vaddr_in_kuseg(pc), .at = thread->costs};
    pause_calls(costs, thread, routine);
    return frame;
}

static struct thread *thread_on(struct call_costs *costs, const struct core *core)
{
    struct kernel_memory *kernel = guest_view_kernel(costs->view);
    const vaddr task = kernel_memory_find(kernel) ? kernel_current(kernel, core) : 0;
    const uint64_t key = task ? task : core->number;
    struct hash_slot *slot = hash_map_find(&costs->threads, key);
    if (!slot) {
        slot = hash_map_add(&costs->threads, key);
        slot->pointer = checked_memory(calloc(1, sizeof(struct thread)));
    }
    return slot->pointer;
}

static uint64_t routine_at(const struct call_costs *costs, struct core *core, vaddr pc, uint64_t *place)
{
    struct code_locations *places = guest_view_code_places(costs->view);
    const struct code_location at = code_location_at(places, core, pc);
    *place = code_location_number(at);
    return code_location_number(code_location_begin(places, at));
}

/* The number of the frames that remain if the exception above them has returned to PC; COUNT if none has. */
static size_t after_exception(const struct thread *thread, vaddr pc)
{
    for (size_t i = thread->count; i-- > 0;)
        if (thread->frames[i].is_exception)
            return thread->frames[i].resume == pc ? i : thread->count;
    return thread->count;
}

/* The number of the frames up to that of ROUTINE; 0 if it has not been called. */
static size_t frames_up_to(const struct thread *thread, uint64_t routine)
{
    for (size_t i = thread->count; i-- > 0;)
        if (thread->frames[i].routine == routine)
            return i + 1;
    return 0;
}

static void enter_vector(struct call_costs *costs, struct thread *thread, struct core *core, vaddr pc, uint64_t routine)
{
    const vaddr resume = core_exception_pc(core);
    uint64_t site;
    if (thread->count > 0 && thread->frames[thread->count - 1].is_exception)
        return; /* an exception within the code at the vectors */
    /* the instruction that is interrupted may be the first one of another routine, which has not been entered */
    if (routine_at(costs, core, resume, &site) != (thread->count > 0 ? thread->frames[thread->count - 1].routine : 0))
        site = thread->count > 0 ? thread->frames[thread->count - 1].routine : site;
    struct frame *frame = push(costs, thread, pc, routine, site);
    frame->is_exception = true;
    frame->resume = resume;
}

/* CORE executes the instruction at PC, of ROUTINE, after one of the last of the thread's frames. If that was a call or
 * a jump to the beginning of ROUTINE, push it. After a return PC is the return address, unless its instruction has
 * already changed that register, to an address outside the routine that has ended. */
static bool has_called(struct call_costs *costs, struct thread *thread, struct core *core, vaddr pc, uint64_t routine,
                       bool begins)
{
    const uint64_t caller = thread->frames[thread->count - 1].routine;
    const vaddr after = core_return_address(core);
    uint64_t site;
    if (after == pc)
        return false;
    if (routine_at(costs, core, core_call_before(after), &site) != caller) {
        if (!begins)
            return false;
        site = caller;
    }
    push(costs, thread, pc, routine, site);
    return true;
}

/* CORE has left the routine that it was in: the instruction at PC is the first one elsewhere, in ROUTINE, and is the
 * one with which ROUTINE BEGINS, or not. */
static void follow(struct call_costs *costs, struct thread *thread, struct core *core, vaddr pc, uint64_t routine,
                   bool begins)
{
    if (pc - exception_base(core) < VECTORS_BYTES) {
        enter_vector(costs, thread, core, pc, routine);
        return;
    }
    pop_to(costs, thread, after_exception(thread, pc));
    if (vaddr_in_kuseg(pc)) { /* whatever the kernel had called has ended */
        size_t count = thread->count;
        while (count > 0 && thread->frames[count - 1].is_kernel)
            count--;
        pop_to(costs, thread, count);
    }
    if (thread->count > 0 && thread->frames[thread->count - 1].routine == routine)
        return;
    if (thread->count > 0 && has_called(costs, thread, core, pc, routine, begins))
        return;
    pop_to(costs, thread, frames_up_to(thread, routine));
    if (thread->count == 0)
        push(costs, thread, pc, routine, NOWHERE);
}

static void find(void *opaque, struct core *core, vaddr pc, struct cycle_place *place)
{
    struct call_costs *costs = opaque;
    struct thread *thread = thread_on(costs, core);
    const struct code_extent extent = code_location_extent(guest_view_code_places(costs->view), core, pc);
    costs->processor[core->number].thread = thread;
    follow(costs, thread, core, pc, code_location_number(extent.begin), extent.is_first);
    *place = (struct cycle_place){.low = extent.low, .high = extent.high};
}

static void spent(void *opaque, struct core *core, const struct cycle_spending *spending)
{
    struct call_costs *costs = opaque;
    struct processor *processor = &costs->processor[core->number];
    struct thread *thread = processor->thread;
    if (!thread)
        return;
    struct costs *own = own_costs_of(costs, thread->frames[thread->count - 1].routine);
    if (spending->state == PROBE_RUN) {
        thread->costs.insns += spending->count;
        own->insns += spending->count;
    }
    if (!costs->classify || spending->is_sequence)
        return;
    const struct classify_charged *now = classify_charged_to(costs->classify, core->number);
    charged_add(&thread->costs.charged, now, &processor->seen);
    charged_add(&own->charged, now, &processor->seen);
    processor->seen = *now;
}

/* Begin and end */

static void look_from_now(struct call_costs *costs)
{
    for (unsigned cpu = 0; costs->classify && cpu < costs->view->machine.cpus; cpu++)
        costs->processor[cpu].seen = *classify_charged_to(costs->classify, cpu);
}

struct call_costs *call_costs_begin(struct guest_view *view, struct err *err)
{
    const struct machine_view *machine = &view->machine;
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        if (machine->cores[cpu]->watch) {
            err_set(err, "execution.counts=calls: not together with cycles by place (library cycles, whatif.free)");
            return NULL;
        }
    struct call_costs *costs = checked_memory(calloc(1, sizeof *costs));
    costs->view = view;
    costs->classify = machine->memsys ? memsys_classification(machine->memsys) : NULL;
    look_from_now(costs);
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        costs->processor[cpu].watch = (struct cycle_watch){.find = find, .spent = spent, .opaque = costs};
        cycle_watch_attach(machine->cores[cpu], &costs->processor[cpu].watch);
    }
    return costs;
}

void call_costs_end(struct call_costs *costs)
{
    if (!costs)
        return;
    for (unsigned cpu = 0; cpu < costs->view->machine.cpus; cpu++)
        cycle_watch_attach(costs->view->machine.cores[cpu], NULL);
    for (struct hash_slot *slot = NULL; (slot = hash_map_next(&costs->threads, slot)) != NULL;) {
        struct thread *thread = slot->pointer;
        free(thread->frames);
        free(thread);
    }
    hash_map_release(&costs->threads);
    hash_map_release(&costs->edge_numbers);
    hash_map_release(&costs->own_numbers);
    free(costs->edges);
    free(costs->own);
    free(costs);
}

static void settle(struct call_costs *costs)
{
    for (unsigned cpu = 0; cpu < costs->view->machine.cpus; cpu++)
        cycle_watch_settle(costs->view->machine.cores[cpu]);
}

void call_costs_reset(struct call_costs *costs)
{
    settle(costs);
    look_from_now(costs);
    for (size_t i = 0; i < costs->edge_count; i++) {
        costs->edges[i].calls = 0;
        costs->edges[i].costs = (struct costs){.insns = 0};
    }
    for (size_t i = 0; i < costs->own_count; i++)
        costs->own[i].costs = (struct costs){.insns = 0};
    for (struct hash_slot *slot = NULL; (slot = hash_map_next(&costs->threads, slot)) != NULL;) {
        struct thread *thread = slot->pointer;
        thread->costs = (struct costs){.insns = 0};
        for (size_t i = 0; i < thread->count; i++)
            thread->frames[i].at = thread->costs;
    }
}

struct call_cost *call_costs_read(struct call_costs *costs, size_t *count)
{
    settle(costs);
    struct edge *edges = checked_memory(malloc((costs->edge_count + 1) * sizeof *edges));
    struct call_cost *calls = checked_memory(malloc((costs->edge_count + 1) * sizeof *calls));
    memcpy(edges, costs->edges, costs->edge_count * sizeof *edges);
    for (struct hash_slot *slot = NULL; (slot = hash_map_next(&costs->threads, slot)) != NULL;) {
        const struct thread *thread = slot->pointer;
        for (size_t i = 0; i < thread->count; i++)
            charge_frame(edges, thread, i);
    }
    *count = 0;
    for (size_t i = 0; i < costs->edge_count; i++)
        calls[(*count)++] = (struct call_cost){.is_first = edges[i].site == NOWHERE,
                                               .caller = code_location_of(edges[i].caller),
                                               .site = code_location_of(edges[i].site),
                                               .routine = code_location_of(edges[i].routine),
                                               .calls = edges[i].calls,
                                               .insns = edges[i].costs.insns,
                                               .charged = edges[i].costs.charged};
    free(edges);
    return calls;
}

struct call_own_cost *call_costs_read_own(struct call_costs *costs, size_t *count)
{
    settle(costs);
    struct call_own_cost *own = checked_memory(malloc((costs->own_count + 1) * sizeof *own));
    for (*count = 0; *count < costs->own_count; ++*count)
        own[*count] = (struct call_own_cost){.routine = code_location_of(costs->own[*count].routine),
                                             .insns = costs->own[*count].costs.insns,
                                             .charged = costs->own[*count].costs.charged};
    return own;
}
