/*
 * Internal state of the GIC, and the interface between its registers (gic_registers.c) and its routing and counter
 * (gic.c). Private to devices/board/gic*.c; the rest of the board uses gic.h.
 */
#ifndef SIMOS_DEVICES_BOARD_GIC_STATE_H
#define SIMOS_DEVICES_BOARD_GIC_STATE_H

#include "devices/board/gic.h"

enum {
    GIC_WORDS = GIC_SHARED_MAX / 32,
    GIC_MAP_VPE_WORDS = GIC_MAX_CPUS / 32,
    GIC_MAP_PIN = 0x3f, /* pin of a MAP register */
};

#define GIC_MAP_TO_PIN (1u << 31)

/* Architectural state of one processor's local section. */
struct gic_local_state {
    uint32_t pending; /* one bit per local interrupt: level of its source, or the compare match */
    uint32_t mask;
    uint32_t map[GIC_LOCAL_COUNT]; /* indexed by enum gic_local */
    uint32_t other;
    uint64_t compare;
};

/* Architectural state, held by a checkpoint; the rest of struct gic is derived from it. */
struct gic_state {
    uint64_t counter_base; /* running: counter minus ticks since power-on; stopped: the counter */
    bool counter_stopped;
    uint32_t input[GIC_WORDS]; /* levels of the input lines */
    uint32_t latch[GIC_WORDS]; /* latched edges; valid only for edge-triggered interrupts */
    uint32_t polarity[GIC_WORDS];
    uint32_t trigger[GIC_WORDS];
    uint32_t dual[GIC_WORDS];
    uint32_t mask[GIC_WORDS];
    uint32_t map_pin[GIC_SHARED_MAX];
    uint32_t map_vpe[GIC_MAP_VPE_WORDS][GIC_SHARED_MAX]; /* processors 31:0, 63:32 */
    struct gic_local_state local[GIC_MAX_CPUS];
};

struct gic_counts {
    uint64_t local[GIC_LOCAL_COUNT];
    uint64_t ipi;
    uint64_t shared;
};

struct gic_compare_event {
    struct event event;
    struct gic *gic;
    unsigned cpu;
};

struct gic {
    struct event_queue *queue;
    unsigned cpus;
    unsigned shared, words; /* number of shared interrupts, a multiple of 32; words of 32 of them */
    const struct gic_cpu_ops *ops;
    void *opaque;
    struct log *log;
    uint32_t wired[GIC_WORDS]; /* inputs returned by gic_input() */

    struct gic_state state;

    /* derived from state */
    uint32_t active[GIC_WORDS];                             /* pending and enabled */
    uint32_t route[GIC_MAX_CPUS][GIC_PIN_COUNT][GIC_WORDS]; /* shared interrupts that drive this pin */
    uint32_t local_active[GIC_MAX_CPUS];                    /* pending, enabled */
    uint32_t pins[GIC_MAX_CPUS];                            /* levels last passed to set_pin */
    struct gic_compare_event compare[GIC_MAX_CPUS];

    struct gic_counts counts[GIC_MAX_CPUS];
    uint64_t input_counts[GIC_SHARED_MAX];
};

/* Does MAP route to an existing pin? */
static inline bool gic_map_has_pin(uint32_t map)
{
    return (map & GIC_MAP_TO_PIN) && (map & GIC_MAP_PIN) < GIC_PIN_COUNT;
}

/* The processors that shared interrupt NUMBER is mapped to, one bit each. */
static inline uint64_t gic_map_vpe(const struct gic_state *state, unsigned number)
{
    return (uint64_t)state->map_vpe[1][number] << 32 | state->map_vpe[0][number];
}

/* Pending shared interrupts of WORD, enabled or not. */
static inline uint32_t gic_shared_pending(const struct gic_state *state, unsigned word)
{
    uint32_t level = ~(state->input[word] ^ state->polarity[word]);
    return (state->trigger[word] & state->latch[word]) | (~state->trigger[word] & level);
}

/* Levels of CPU's pins, from the active interrupts and their routes. */
uint32_t gic_pins(const struct gic *gic, unsigned cpu);

/* Functions that recompute derived state after a change. Each calls set_pin() for the pins that change. */

/* The MAP registers or the active interrupts of CPU changed. */
void gic_update_pins(struct gic *gic, unsigned cpu);
/* The local interrupts of CPU, or their mask, changed. */
void gic_update_local(struct gic *gic, unsigned cpu);
/* Level, latch, trigger or mask of some of the 32 shared interrupts of WORD changed. */
void gic_update_shared(struct gic *gic, unsigned word);
/* The MAP registers of shared interrupt NUMBER changed. */
void gic_update_route(struct gic *gic, unsigned number);
/* CPU's compare value changed: schedule the next match, or match at once. */
void gic_compare_arm(struct gic *gic, unsigned cpu);
/* Set the counter (ticks) and whether it is stopped. */
void gic_counter_set(struct gic *gic, uint64_t value, bool stopped);

#endif
