/*
 * MIPS Global Interrupt Controller: routing of inputs to processor pins, the counter and its compare interrupts. The
 * register table is in gic_registers.c.
 */
#include "devices/board/gic_state.h"
#include "src/base/board.h"
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)BOARD_MAX_CPUS <= (int)GIC_MAX_CPUS, "every processor of a board has a GIC section");

uint32_t gic_pins(const struct gic *gic, unsigned cpu)
{
    const struct gic_local_state *local = &gic->state.local[cpu];
    uint32_t pins = 0;
    for (unsigned i = 0; i < GIC_LOCAL_COUNT; i++) {
        if ((gic->local_active[cpu] >> i & 1) && gic_map_has_pin(local->map[i]))
            pins |= 1u << (local->map[i] & GIC_MAP_PIN);
    }
    for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
        for (unsigned word = 0; word < gic->words; word++) {
            if (gic->active[word] & gic->route[cpu][pin][word])
                pins |= 1u << pin;
        }
    }
    return pins;
}

void gic_update_pins(struct gic *gic, unsigned cpu)
{
    uint32_t pins = gic_pins(gic, cpu);
    uint32_t changed = pins ^ gic->pins[cpu];
    gic->pins[cpu] = pins;
    for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
        if (changed >> pin & 1)
            gic->ops->set_pin(gic->opaque, cpu, pin, pins >> pin & 1);
    }
}

/* Recompute the active local interrupts of CPU, count newly delivered ones, and update the pins. */
void gic_update_local(struct gic *gic, unsigned cpu)
{
    const struct gic_local_state *local = &gic->state.local[cpu];
    uint32_t active = local->pending & local->mask;
    uint32_t risen = active & ~gic->local_active[cpu];
    gic->local_active[cpu] = active;
    for (unsigned i = 0; i < GIC_LOCAL_COUNT; i++) {
        if ((risen >> i & 1) && gic_map_has_pin(local->map[i]))
            gic->counts[cpu].local[i]++;
    }
    gic_update_pins(gic, cpu);
}

static void gic_count_shared(struct gic *gic, unsigned number)
{
    if (!gic_map_has_pin(gic->state.map_pin[number]))
        return;
    bool wired = gic->wired[number / 32] >> (number % 32) & 1;
    gic->input_counts[number]++;
    for (uint64_t cpus = gic_map_vpe(&gic->state, number); cpus; cpus &= cpus - 1) {
        struct gic_counts *counts = &gic->counts[__builtin_ctzll(cpus)];
        if (wired)
            counts->shared++;
        else
            counts->ipi++;
    }
}

/* Recompute the active interrupts among the 32 shared ones of WORD, count newly delivered ones, and update the pins. */
void gic_update_shared(struct gic *gic, unsigned word)
{
    uint32_t active = gic_shared_pending(&gic->state, word) & gic->state.mask[word];
    uint32_t changed = active ^ gic->active[word];
    uint64_t cpus = 0;
    gic->active[word] = active;
    for (uint32_t left = changed; left; left &= left - 1) {
        unsigned number = word * 32 + (unsigned)__builtin_ctz(left);
        cpus |= gic_map_vpe(&gic->state, number);
        if (active >> (number % 32) & 1)
            gic_count_shared(gic, number);
    }
    for (; cpus; cpus &= cpus - 1)
        gic_update_pins(gic, (unsigned)__builtin_ctzll(cpus));
}

/* Recompute the route of shared interrupt NUMBER from its MAP registers. */
void gic_update_route(struct gic *gic, unsigned number)
{
    uint32_t bit = 1u << (number % 32);
    uint32_t map = gic->state.map_pin[number];
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        bool mine = gic_map_has_pin(map) && (gic_map_vpe(&gic->state, number) >> cpu & 1);
        bool moved = false;
        for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
            uint32_t *route = &gic->route[cpu][pin][number / 32];
            uint32_t wanted = mine && (map & GIC_MAP_PIN) == pin ? *route | bit : *route & ~bit;
            moved |= wanted != *route;
            *route = wanted;
        }
        if (moved)
            gic_update_pins(gic, cpu);
    }
}

/* Counter */

static uint64_t gic_ticks(const struct gic *gic)
{
    return time_ticks(gic->queue, gic->queue->now, BOARD_COUNT_HZ);
}

uint64_t gic_counter(const struct gic *gic)
{
    return gic->state.counter_base + (gic->state.counter_stopped ? 0 : gic_ticks(gic));
}

static void gic_compare_match(void *opaque)
{
    struct gic_compare_event *compare = opaque;
    struct gic *gic = compare->gic;
    gic->state.local[compare->cpu].pending |= 1u << GIC_LOCAL_COMPARE;
    gic_update_local(gic, compare->cpu);
}

/* Ticks beyond any run (1,400 years), far enough below 2^64 to be a time in cycles at any clock rate. */
#define END_OF_TIME (1ull << 62)

void gic_compare_arm(struct gic *gic, unsigned cpu)
{
    struct event *event = &gic->compare[cpu].event;
    if (gic->state.counter_stopped) {
        event_cancel(gic->queue, event);
        return;
    }
    uint64_t now = gic_ticks(gic);
    uint64_t wait = gic->state.local[cpu].compare - gic_counter(gic); /* wraps like the counter */
    if (wait == 0) {
        event_cancel(gic->queue, event);
        gic_compare_match(&gic->compare[cpu]);
    } else if (now > END_OF_TIME || wait > END_OF_TIME - now) {
        event_cancel(gic->queue,
                     event); /* with all CPUs waiting and no event, the machine detects that it waits forever */
    } else {
        event_schedule(gic->queue, event, time_cycles_at_tick(gic->queue, now + wait, BOARD_COUNT_HZ));
    }
}

void gic_counter_set(struct gic *gic, uint64_t value, bool stopped)
{
    gic->state.counter_stopped = stopped;
    gic->state.counter_base = stopped ? value : value - gic_ticks(gic);
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++)
        gic_compare_arm(gic, cpu);
}

/* Interrupt lines */

static void gic_set_input(void *opaque, unsigned number, bool level)
{
    struct gic *gic = opaque;
    struct gic_state *state = &gic->state;
    unsigned word = number / 32;
    uint32_t bit = 1u << (number % 32);
    if (level == !!(state->input[word] & bit))
        return;
    state->input[word] ^= bit;
    bool wanted_edge = (state->dual[word] & bit) || level == !!(state->polarity[word] & bit);
    if ((state->trigger[word] & bit) && wanted_edge)
        state->latch[word] |= bit;
    gic_update_shared(gic, word);
}

struct irq_line gic_input(struct gic *gic, unsigned number)
{
    if (number >= gic->shared)
        log_bug("gic input %u: there are %u", number, gic->shared);
    gic->wired[number / 32] |= 1u << (number % 32);
    return (struct irq_line){gic_set_input, gic, number};
}

static void gic_set_local(struct gic *gic, unsigned cpu, enum gic_local number, bool level)
{
    if (cpu >= gic->cpus)
        log_bug("gic local interrupt of cpu %u: there are %u", cpu, gic->cpus);
    uint32_t pending = gic->state.local[cpu].pending & ~(1u << number);
    gic->state.local[cpu].pending = pending | (uint32_t)level << number;
    gic_update_local(gic, cpu);
}

void gic_cpu_timer(struct gic *gic, unsigned cpu, bool level)
{
    gic_set_local(gic, cpu, GIC_LOCAL_TIMER, level);
}

void gic_cpu_perf_counter(struct gic *gic, unsigned cpu, bool level)
{
    gic_set_local(gic, cpu, GIC_LOCAL_PERF_COUNTER, level);
}

/* Creation, reset, statistics */

static void gic_reset(struct gic_state *state)
{
    for (unsigned word = 0; word < GIC_WORDS; word++)
        state->polarity[word] = UINT32_MAX;
    for (unsigned number = 0; number < GIC_SHARED_MAX; number++)
        state->map_pin[number] = GIC_MAP_TO_PIN;
    for (unsigned cpu = 0; cpu < GIC_MAX_CPUS; cpu++) {
        struct gic_local_state *local = &state->local[cpu];
        local->compare = UINT64_MAX;
        /* the timer and performance counter interrupts reach the core as on a machine without a GIC */
        local->mask = 1u << GIC_LOCAL_TIMER | 1u << GIC_LOCAL_PERF_COUNTER;
        for (unsigned i = 0; i < GIC_LOCAL_COUNT; i++)
            local->map[i] = GIC_MAP_TO_PIN;
        local->map[GIC_LOCAL_TIMER] = GIC_MAP_TO_PIN | (GIC_PIN_COUNT - 1);
        local->map[GIC_LOCAL_PERF_COUNTER] = GIC_MAP_TO_PIN | (GIC_PIN_COUNT - 1);
    }
}

struct gic *gic_create(struct event_queue *queue, unsigned cpus, const struct gic_cpu_ops *ops, void *opaque,
                       struct log *log)
{
    if (cpus < 1 || cpus > GIC_MAX_CPUS)
        log_bug("gic for %u cpus: 1 to %d", cpus, GIC_MAX_CPUS);
    struct gic *gic = checked_memory(calloc(1, sizeof *gic));
    gic->queue = queue;
    gic->cpus = cpus;
    gic->shared = cpus > 32 ? GIC_SHARED_MAX : GIC_SHARED_COUNT;
    gic->words = gic->shared / 32;
    gic->ops = ops;
    gic->opaque = opaque;
    gic->log = log;
    gic_reset(&gic->state);
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        gic->compare[cpu].gic = gic;
        gic->compare[cpu].cpu = cpu;
        event_init(&gic->compare[cpu].event, "gic compare", gic_compare_match, &gic->compare[cpu]);
        gic_compare_arm(gic, cpu);
    }
    return gic;
}

void gic_free(struct gic *gic)
{
    if (!gic)
        return;
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++)
        event_cancel(gic->queue, &gic->compare[cpu].event);
    free(gic);
}

void gic_register_stats(struct gic *gic, struct stats *stats)
{
    char name[64];
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        const struct gic_counts *counts = &gic->counts[cpu];
        const struct {
            const char *name, *text;
            const uint64_t *value;
        } rows[] = {
            {"compare", "GIC compare timer interrupts delivered", &counts->local[GIC_LOCAL_COMPARE]},
            {"timer", "CP0 timer interrupts delivered", &counts->local[GIC_LOCAL_TIMER]},
            {"perf_counter", "performance counter interrupts delivered", &counts->local[GIC_LOCAL_PERF_COUNTER]},
            {"ipi", "inter-processor interrupts delivered", &counts->ipi},
            {"shared", "device interrupts delivered", &counts->shared},
        };
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            snprintf(name, sizeof name, "gic.cpu%u.%s", cpu, rows[i].name);
            stats_counter(stats, name, "interrupts", rows[i].text, rows[i].value);
        }
    }
    for (unsigned number = 0; number < gic->shared; number++) {
        if (!(gic->wired[number / 32] >> (number % 32) & 1))
            continue;
        snprintf(name, sizeof name, "gic.input%u", number);
        stats_counter(stats, name, "interrupts", "interrupts delivered from this shared input",
                      &gic->input_counts[number]);
    }
}

/* Checkpoint: the architectural state is saved; the derived state is recomputed after loading. */

static const struct saved_field fields[] = {
    SAVED_FIELD(struct gic, state.counter_base, SAVED_U64),  SAVED_FIELD(struct gic, state.counter_stopped, SAVED_BOOL),
    SAVED_FIELD(struct gic, state.input, SAVED_U32),         SAVED_FIELD(struct gic, state.latch, SAVED_U32),
    SAVED_FIELD(struct gic, state.polarity, SAVED_U32),      SAVED_FIELD(struct gic, state.trigger, SAVED_U32),
    SAVED_FIELD(struct gic, state.dual, SAVED_U32),          SAVED_FIELD(struct gic, state.mask, SAVED_U32),
    SAVED_FIELD(struct gic, state.map_pin, SAVED_U32),       SAVED_FIELD(struct gic, state.map_vpe, SAVED_U32),
    SAVED_EACH(struct gic, state.local, pending, SAVED_U32), SAVED_EACH(struct gic, state.local, mask, SAVED_U32),
    SAVED_EACH(struct gic, state.local, map, SAVED_U32),     SAVED_EACH(struct gic, state.local, other, SAVED_U32),
    SAVED_EACH(struct gic, state.local, compare, SAVED_U64), SAVED_EACH(struct gic, compare, event, SAVED_EVENT),
    SAVED_EACH_STATISTIC(struct gic, counts, local),         SAVED_EACH_STATISTIC(struct gic, counts, ipi),
    SAVED_EACH_STATISTIC(struct gic, counts, shared),        SAVED_STATISTIC(struct gic, input_counts),
};

static void derive_shared(struct gic *gic)
{
    for (unsigned word = 0; word < gic->words; word++)
        gic->active[word] = gic_shared_pending(&gic->state, word) & gic->state.mask[word];
    for (unsigned number = 0; number < gic->shared; number++) {
        uint32_t map = gic->state.map_pin[number], bit = 1u << (number % 32);
        for (unsigned cpu = 0; cpu < gic->cpus; cpu++)
            for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
                bool routed = gic_map_has_pin(map) && (map & GIC_MAP_PIN) == pin;
                uint32_t *route = &gic->route[cpu][pin][number / 32];
                *route = routed && (gic_map_vpe(&gic->state, number) >> cpu & 1) ? *route | bit : *route & ~bit;
            }
    }
}

static bool after_load(void *base, struct err *err)
{
    struct gic *gic = base;
    for (unsigned number = 0; number < GIC_SHARED_MAX; number++)
        if (gic_map_vpe(&gic->state, number) & ~(UINT64_MAX >> (64 - gic->cpus)))
            return err_set(err, "interrupt %u is mapped to a processor that does not exist", number);
    derive_shared(gic);
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        gic->local_active[cpu] = gic->state.local[cpu].pending & gic->state.local[cpu].mask;
        gic->pins[cpu] = gic_pins(gic, cpu);
    }
    return true;
}

void gic_register_saved(struct gic *gic, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved, &(struct saved_section){
                         .name = "gic", .version = 2, .oldest = 1, .base = gic, SAVED_TABLE(fields), .ops = &ops});
}
