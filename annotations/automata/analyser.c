#include "annotations/automata/analyser_state.h"

#include "cache/memsys.h"
#include <stdlib.h>
#include <string.h>

/* Recognisers */

static bool is_in(const struct analyser_range *range, uint32_t value)
{
    value &= range->mask;
    return value >= range->low && value <= range->high;
}

/* ENTRY has the sample and what the memory system does. */
static bool recognises(const struct analyser_recogniser *r, const struct analyser_entry *entry, uint32_t depth)
{
    const struct probe_sample *s = &entry->sample;
    const uint32_t tests = r->tests;
    enum { ON_BUS = TEST_PC | TEST_PHYSICAL | TEST_WORD | TEST_KIND | TEST_FETCHED };
    enum { OF_ACCESS = TEST_ADDRESS | TEST_DATA | TEST_LOAD | TEST_STORE };
    if ((r->states != 0 && !(r->states >> s->state & 1)) || (r->modes != 0 && !(r->modes >> s->mode & 1)) ||
        (r->misses != 0 && !(r->misses & s->misses)))
        return false;
    if (tests == 0)
        return true;
    if (tests & ON_BUS &&
        (!s->fetched || (tests & TEST_PC && !is_in(&r->pc, s->pc)) ||
         (tests & TEST_PHYSICAL && !is_in(&r->physical, s->physical)) ||
         (tests & TEST_WORD && !is_in(&r->word, s->word)) || (tests & TEST_KIND && !(r->kinds >> s->kind & 1))))
        return false;
    if (tests & OF_ACCESS && (!s->accesses || (tests & TEST_ADDRESS && !is_in(&r->address, s->address)) ||
                              (tests & TEST_DATA && !is_in(&r->data, s->data)) || (tests & TEST_LOAD && s->stores) ||
                              (tests & TEST_STORE && !s->stores)))
        return false;
    if (tests & TEST_EXCEPTION && (s->exception == PROBE_NO_EXCEPTION || !(r->exceptions >> (s->exception & 31) & 1)))
        return false;
    if (tests & TEST_SQUASHED && !is_in(&r->squashed, s->squashed))
        return false;
    if (tests & TEST_BUFFER && (r->buffer_full ? entry->buffer < depth : !is_in(&r->buffer, entry->buffer)))
        return false;
    return !(tests & TEST_BUS) || (r->bus & entry->bus) != 0;
}

static uint64_t match(const struct analyser *a, const struct analyser_entry *entry, uint32_t depth)
{
    uint64_t matched = 0;
    for (unsigned i = 0; i < a->plan.recognisers; i++)
        matched |= (uint64_t)recognises(&a->plan.recogniser[i], entry, depth) << i;
    return matched;
}

static bool holds(const struct analyser_condition *condition, uint64_t matched)
{
    return (matched & condition->match) == condition->match && !(matched & condition->differ);
}

/* What the memory system does in the cycle of ENTRY. Returns the depth of the first level's write buffer. */
static uint32_t look_at_memory(const struct analyser *a, const struct core *core, struct analyser_entry *entry)
{
    const struct memsys *memsys = a->all->machine->memsys;
    const unsigned state = entry->sample.state;
    struct memsys_write_buffer buffer = {.depth = 0}, outermost;
    if (a->needs_buffer)
        buffer = memsys_write_buffer_at(memsys, core->number, 0, entry->sample.time);
    /* a processor that waits for an entry waits because all are in use; the one that is free then may be taken already
     */
    entry->buffer = (uint8_t)(state == PROBE_STALL + STALL_WRITE_BUFFER ? buffer.depth : buffer.entries);
    if (!a->needs_bus)
        return buffer.depth;
    outermost = memsys_write_buffer_at(memsys, core->number, a->all->levels - 1, entry->sample.time);
    const unsigned outer = a->all->levels > 1;
    entry->bus = 0;
    if (state == (unsigned)(outer ? PROBE_STALL + STALL_L2I : PROBE_STALL + STALL_L1I) ||
        state == (unsigned)(outer ? PROBE_STALL + STALL_L2D : PROBE_STALL + STALL_L1D))
        entry->bus |= ANALYSER_BUS_READ;
    if (outermost.writes || (outer == 0 && state == PROBE_STALL + STALL_WRITE_BUFFER))
        entry->bus |= ANALYSER_BUS_WRITE;
    if (state == PROBE_STALL + STALL_UNCACHED)
        entry->bus |= ANALYSER_BUS_UNCACHED;
    if (entry->bus == 0)
        entry->bus = ANALYSER_BUS_IDLE;
    return buffer.depth;
}

/* The trace buffer */

static void store(struct analyser *a, const struct analyser_entry *entry)
{
    if (!a->plan.traces || !holds(&a->plan.qualified, entry->matched))
        return;
    if (a->stored >= a->plan.trace_entries && !a->plan.trace_keeps_last) {
        a->missed++;
        return;
    }
    const size_t at = (size_t)(a->stored++ % a->plan.trace_entries);
    if (at == a->room) {
        a->room = a->room ? 2 * a->room : 4096;
        if (a->room > a->plan.trace_entries)
            a->room = a->plan.trace_entries;
        a->entry = checked_memory(realloc(a->entry, a->room * sizeof *a->entry));
    }
    a->entry[at] = *entry;
}

size_t analyser_entries(const struct analyser *a)
{
    return a->stored < a->plan.trace_entries ? (size_t)a->stored : a->plan.trace_entries;
}

const struct analyser_entry *analyser_entry_at(const struct analyser *a, size_t index)
{
    const uint64_t first = a->stored - analyser_entries(a);
    return &a->entry[(first + index) % a->plan.trace_entries];
}

/* Samples */

static bool applies(const struct analyser_transition *line, uint64_t matched, bool moved)
{
    return (line->also || !moved) && holds(&line->when, matched);
}

/* What the lines of state STATE do that hold for the recognisers MATCHED. */
static void find_outcome(const struct analyser *a, uint16_t state, uint64_t matched, struct analyser_outcome *outcome)
{
    bool moved = false;
    uint16_t *lines =
        checked_memory(realloc(outcome->line, (a->begin[state + 1] - a->begin[state] + 1) * sizeof *lines));
    *outcome =
        (struct analyser_outcome){.valid = true, .state = state, .next = state, .matched = matched, .line = lines};
    for (unsigned i = a->begin[state]; i < a->begin[state + 1]; i++) {
        const struct analyser_transition *line = &a->plan.transition[a->of_state[i]];
        if (!applies(line, matched, moved))
            continue;
        for (unsigned j = 0; j < line->actions; j++) {
            outcome->stores |= line->action[j].act == ACT_STORE;
            outcome->changes |= line->action[j].act != ACT_STORE && line->action[j].act != ACT_COUNT;
        }
        if (line->actions > 0)
            lines[outcome->lines++] = a->of_state[i];
        if (line->also)
            continue;
        moved = true;
        if (line->to != ANALYSER_ANY)
            outcome->next = line->to;
    }
}

/* The same, remembered: few of the possible sets of recognisers occur. */
static const struct analyser_outcome *outcome_of(struct analyser *a, uint64_t matched)
{
    const uint64_t hash = (matched ^ (uint64_t)a->state << 56) * UINT64_C(0x9e3779b97f4a7c15);
    struct analyser_outcome *outcome = &a->outcome[hash >> (64 - ANALYSER_OUTCOME_BITS)];
    if (SIM_UNLIKELY(!outcome->valid || outcome->matched != matched || outcome->state != a->state))
        find_outcome(a, a->state, matched, outcome);
    return outcome;
}

static void set_running(struct analyser *a, unsigned counter, bool runs)
{
    a->runners += (unsigned)runs - (unsigned)a->running[counter];
    a->running[counter] = runs;
}

static void act(struct analyser *a, const struct analyser_action *action, uint64_t count)
{
    switch (action->act) {
    case ACT_COUNT: a->count[action->counter] += count; break;
    case ACT_START: set_running(a, action->counter, true); break;
    case ACT_STOP: set_running(a, action->counter, false); break;
    case ACT_RESET: a->count[action->counter] = 0; break;
    case ACT_START_TRACE: a->trace_runs = true; break;
    case ACT_STOP_TRACE: a->trace_runs = false; break;
    case ACT_STORE: break;
    }
}

/* Take COUNT cycles that are all ENTRY's; returns how many have been taken. */
static cycles take(struct analyser *a, const struct analyser_entry *entry, cycles count)
{
    const struct analyser_outcome *outcome = outcome_of(a, entry->matched);
    if (outcome->next != a->state || outcome->changes || outcome->stores || a->trace_runs)
        count = 1;
    for (unsigned i = 0; i < outcome->lines; i++) {
        const struct analyser_transition *line = &a->plan.transition[outcome->line[i]];
        for (unsigned j = 0; j < line->actions; j++)
            act(a, &line->action[j], count);
    }
    for (unsigned i = 0; a->runners > 0 && i < a->plan.counters; i++)
        if (a->running[i])
            a->count[i] += count;
    if (outcome->stores || a->trace_runs)
        store(a, entry);
    a->samples[a->state] += count;
    a->state = outcome->next;
    return count;
}

static void sample_one(struct analyser *a, const struct core *core, const struct probe_sample *sample, cycles count)
{
    struct analyser_entry entry = {.sample = *sample};
    const bool varies = a->needs_buffer || a->needs_bus;
    uint32_t depth = varies ? look_at_memory(a, core, &entry) : 0;
    entry.matched = match(a, &entry, depth);
    while (count > 0) {
        entry.state = a->state;
        const cycles taken = take(a, &entry, varies ? 1 : count);
        count -= taken;
        entry.sample.time += taken;
        if (!varies || count == 0)
            continue;
        depth = look_at_memory(a, core, &entry);
        entry.matched = match(a, &entry, depth);
    }
}

static void on_sample(void *opaque, struct core *core, enum probe_clock clock, const struct probe_sample *sample,
                      cycles count)
{
    struct analysers *all = opaque;
    for (struct analyser *a = all->first; a; a = a->next)
        if (a->plan.clock == clock && a->plan.cpu == core->number)
            sample_one(a, core, sample, count);
}

/* Creation */

struct analysers *analysers_create(const struct machine_view *machine)
{
    struct analysers *all = checked_memory(calloc(1, sizeof *all));
    all->machine = machine;
    all->levels = machine->memsys ? memsys_levels(machine->memsys) : 0;
    return all;
}

static void free_one(struct analyser *a)
{
    for (unsigned i = 0; i < ANALYSER_OUTCOMES; i++)
        free(a->outcome[i].line);
    free(a->of_state);
    free(a->entry);
    free(a);
}

void analysers_free(struct analysers *all)
{
    if (!all)
        return;
    for (unsigned cpu = 0; cpu < all->machine->cpus; cpu++)
        if (all->machine->cores[cpu]->probe == &all->probe[cpu])
            probe_attach(all->machine->cores[cpu], NULL);
    while (all->first) {
        struct analyser *a = all->first;
        all->first = a->next;
        free_one(a);
    }
    free(all);
}

/* Sort the transitions by state; those of any state are in the list of each. */
static void index_transitions(struct analyser *a)
{
    const struct analyser_plan *plan = &a->plan;
    size_t count = 0;
    for (unsigned i = 0; i < plan->transitions; i++)
        count += plan->transition[i].from == ANALYSER_ANY ? plan->states : 1;
    a->of_state = checked_memory(malloc((count + 1) * sizeof *a->of_state));
    unsigned used = 0;
    for (unsigned state = 0; state < plan->states; state++) {
        a->begin[state] = used;
        for (unsigned i = 0; i < plan->transitions; i++)
            if (plan->transition[i].from == state || plan->transition[i].from == ANALYSER_ANY)
                a->of_state[used++] = (uint16_t)i;
    }
    a->begin[plan->states] = used;
}

static bool needs_memory(const struct analyser_plan *plan, uint32_t test)
{
    bool needed = plan->traces && plan->clock == PROBE_CYCLES;
    for (unsigned i = 0; i < plan->recognisers; i++)
        needed |= (plan->recogniser[i].tests & test) != 0;
    return needed;
}

static void attach(struct analysers *all, const struct analyser *a)
{
    const unsigned cpu = a->plan.cpu;
    struct core *core = all->machine->cores[cpu];
    struct core_probe *probe = &all->probe[cpu];
    probe->sample = on_sample;
    probe->opaque = all;
    probe->clocks[a->plan.clock] = true;
    if (core->probe != probe)
        probe_attach(core, probe);
}

bool analysers_add(struct analysers *all, const struct analyser_plan *plan, struct err *err)
{
    struct analyser **last = &all->first;
    for (; *last; last = &(*last)->next)
        if (strcmp((*last)->plan.name, plan->name) == 0)
            return err_set(err, "analyser %s exists already", plan->name);
    const struct core_probe *other = all->machine->cores[plan->cpu]->probe;
    if (other != NULL && other != &all->probe[plan->cpu])
        return err_set(err, "analyser %s: the trace of level 0 has the pins of the CPUs", plan->name);
    struct analyser *a = checked_memory(calloc(1, sizeof *a));
    a->all = all;
    a->plan = *plan;
    a->trace_runs = plan->trace_runs;
    a->needs_buffer = all->levels > 0 && needs_memory(plan, TEST_BUFFER);
    a->needs_bus = all->levels > 0 && needs_memory(plan, TEST_BUS);
    index_transitions(a);
    *last = a;
    attach(all, a);
    return true;
}

void analysers_reset(struct analysers *all)
{
    for (struct analyser *a = all ? all->first : NULL; a; a = a->next) {
        memset(a->samples, 0, sizeof a->samples);
        memset(a->count, 0, sizeof a->count);
        a->stored = a->missed = 0;
    }
}

bool analysers_any(const struct analysers *all)
{
    return all && all->first;
}

bool analysers_trace(const struct analysers *all)
{
    for (const struct analyser *a = all ? all->first : NULL; a; a = a->next)
        if (a->plan.traces)
            return true;
    return false;
}
