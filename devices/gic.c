/*
 * MIPS Global Interrupt Controller.
 *
 * Register table (32-bit; offsets from the GIC base; n = word of 32 interrupts, i = interrupt)
 *
 *   shared section
 *   0x0000         CONFIG      28 COUNTSTOP (RW), 27:24 counter bits / 4 - 8, 23:16 interrupts / 8 - 1, 6:0 cpus - 1
 *   0x0010 0x0014  COUNTER     low, high; writable
 *   0x0100 + 4n    POL         level: 1 active high; edge: 1 rising
 *   0x0180 + 4n    TRIG        0 level, 1 edge
 *   0x0200 + 4n    DUAL        edge: 1 both edges
 *   0x0280         WEDGE (WO)  7:0 interrupt; 31 = 1 sets its edge latch, 0 clears it
 *   0x0300 + 4n    RMASK (WO)  1 disables
 *   0x0380 + 4n    SMASK (WO)  1 enables
 *   0x0400 + 4n    MASK (RO)   1 enabled
 *   0x0480 + 4n    PEND (RO)   1 pending, enabled or not
 *   0x0500 + 4i    MAP_PIN     31 to a pin, 30 to NMI, 29 to YQ, 5:0 pin
 *   0x2000 + 32i   MAP_VPE     one bit a processor
 *
 *   local section at 0x8000 (the requester's) and 0xc000 (that of the processor in the requester's OTHER)
 *   0x000          CTL         2 perf counter routable, 1 CP0 timer routable, 0 EIC (fixed 0)
 *   0x004          PEND (RO)   one bit a local interrupt (enum gic_local)
 *   0x008          MASK (RO)
 *   0x00c          RMASK (WO)
 *   0x010          SMASK (WO)
 *   0x040 .. 0x058 MAP         watchdog, compare, timer, debug channel, perf counter, software 0, 1: as MAP_PIN
 *   0x080          OTHER       5:0 processor seen at 0xc000
 *   0x088          IDENT (RO)  number of this processor
 *   0x0a0 0x0a4    COMPARE     low, high; a write to either clears the compare interrupt
 *
 *   user-mode section at 0x10000
 *   0x000 0x004    COUNTER (RO) low, high
 *
 * The other offsets read as zero and ignore writes. Names and layout follow the MIPS32 interAptiv Multiprocessing
 * System software manual and the Linux driver (arch/mips/include/asm/mips-gic.h). Reset values that the manual leaves
 * open: every input is level-triggered and active high, mapped to no processor.
 */
#include "devices/gic.h"
#include "src/board.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    SECTION_LOCAL = 0x8000,
    SECTION_OTHER = 0xc000,
    SECTION_USER = 0x10000,

    SH_CONFIG = 0x0000,
    SH_COUNTER_LOW = 0x0010,
    SH_COUNTER_HIGH = 0x0014,
    SH_POL = 0x0100,
    SH_TRIG = 0x0180,
    SH_DUAL = 0x0200,
    SH_WEDGE = 0x0280,
    SH_RMASK = 0x0300,
    SH_SMASK = 0x0380,
    SH_MASK = 0x0400,
    SH_PEND = 0x0480,
    SH_MAP_PIN = 0x0500,
    SH_MAP_VPE = 0x2000,
    SH_MAP_VPE_STRIDE = 0x20,

    VL_CTL = 0x000,
    VL_PEND = 0x004,
    VL_MASK = 0x008,
    VL_RMASK = 0x00c,
    VL_SMASK = 0x010,
    VL_MAP = 0x040,
    VL_OTHER = 0x080,
    VL_IDENT = 0x088,
    VL_COMPARE_LOW = 0x0a0,
    VL_COMPARE_HIGH = 0x0a4,

    USER_COUNTER_LOW = 0x000,
    USER_COUNTER_HIGH = 0x004,

    WORDS = GIC_SHARED_COUNT / 32,

    CONFIG_COUNTBITS = 8, /* 32 + 4 * 8 = 64 bits */
    WEDGE_NUMBER = 0xff,
    MAP_PIN_NUMBER = 0x3f,
    OTHER_NUMBER = 0x3f,
    CTL_EIC = 1 << 0,
    CTL_TIMER_ROUTABLE = 1 << 1,
    CTL_PERF_COUNTER_ROUTABLE = 1 << 2,
    LOCAL_ALL = (1 << GIC_LOCAL_COUNT) - 1,
};

#define CONFIG_COUNTSTOP (1u << 28)
#define WEDGE_SET        (1u << 31)
#define MAP_TO_PIN       (1u << 31)
#define MAP_TO_NMI       (1u << 30)
#define MAP_TO_YQ        (1u << 29)
#define MAP_WRITABLE     (MAP_TO_PIN | MAP_TO_NMI | MAP_TO_YQ | MAP_PIN_NUMBER)

_Static_assert(GIC_SHARED_COUNT % 32 == 0 && GIC_SHARED_COUNT <= 256, "the register layout holds up to 256");
_Static_assert((int)BOARD_MAX_CPUS <= (int)GIC_MAX_CPUS, "every processor of a board has a GIC section");

/* Place of each local interrupt among the MAP registers: the debug channel comes fourth there, last elsewhere. */
static const uint8_t local_of_map[GIC_LOCAL_COUNT] = {
    GIC_LOCAL_WATCHDOG,     GIC_LOCAL_COMPARE,   GIC_LOCAL_TIMER,     GIC_LOCAL_DEBUG_CHANNEL,
    GIC_LOCAL_PERF_COUNTER, GIC_LOCAL_SOFTWARE0, GIC_LOCAL_SOFTWARE1,
};

/* Architectural state of one processor's local section. */
struct gic_local_state {
    uint32_t pending; /* one bit a local interrupt: level of its source, or the compare match */
    uint32_t mask;
    uint32_t map[GIC_LOCAL_COUNT]; /* by enum gic_local */
    uint32_t other;
    uint64_t compare;
};

/* Architectural state: this is what a checkpoint has to hold; the rest of struct gic follows from it. */
struct gic_state {
    uint64_t counter_base; /* counter - ticks since power-on while it runs; the counter itself while stopped */
    bool counter_stopped;
    uint32_t input[WORDS]; /* levels of the input lines */
    uint32_t latch[WORDS]; /* edges seen; only meaningful for edge-triggered interrupts */
    uint32_t polarity[WORDS];
    uint32_t trigger[WORDS];
    uint32_t dual[WORDS];
    uint32_t mask[WORDS];
    uint32_t map_pin[GIC_SHARED_COUNT];
    uint32_t map_vpe[GIC_SHARED_COUNT];
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
    const struct gic_cpu_ops *ops;
    void *opaque;
    struct log *log;
    uint32_t wired[WORDS]; /* inputs that gic_input() has given out */

    struct gic_state state;

    /* derived from state */
    uint32_t active[WORDS];                             /* pending and enabled */
    uint32_t route[GIC_MAX_CPUS][GIC_PIN_COUNT][WORDS]; /* shared interrupts that drive this pin */
    uint32_t local_active[GIC_MAX_CPUS];                /* pending, enabled */
    uint32_t pins[GIC_MAX_CPUS];                        /* levels given to set_pin */
    struct gic_compare_event compare[GIC_MAX_CPUS];

    struct gic_counts counts[GIC_MAX_CPUS];
    uint64_t input_counts[GIC_SHARED_COUNT];
};

/* Does MAP lead to a pin that exists? */
static bool map_has_pin(uint32_t map)
{
    return (map & MAP_TO_PIN) && (map & MAP_PIN_NUMBER) < GIC_PIN_COUNT;
}

static uint32_t shared_pending(const struct gic_state *state, unsigned word)
{
    uint32_t level = ~(state->input[word] ^ state->polarity[word]);
    return (state->trigger[word] & state->latch[word]) | (~state->trigger[word] & level);
}

/* Recompute the pins of CPU and tell those that changed. */
static void gic_update_pins(struct gic *gic, unsigned cpu)
{
    const struct gic_local_state *local = &gic->state.local[cpu];
    uint32_t pins = 0;
    for (unsigned i = 0; i < GIC_LOCAL_COUNT; i++) {
        if ((gic->local_active[cpu] >> i & 1) && map_has_pin(local->map[i]))
            pins |= 1u << (local->map[i] & MAP_PIN_NUMBER);
    }
    for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
        for (unsigned word = 0; word < WORDS; word++) {
            if (gic->active[word] & gic->route[cpu][pin][word])
                pins |= 1u << pin;
        }
    }
    uint32_t changed = pins ^ gic->pins[cpu];
    gic->pins[cpu] = pins;
    for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
        if (changed >> pin & 1)
            gic->ops->set_pin(gic->opaque, cpu, pin, pins >> pin & 1);
    }
}

/* The local interrupts of CPU or their mask changed: count what is newly delivered, then the pins. */
static void gic_update_local(struct gic *gic, unsigned cpu)
{
    const struct gic_local_state *local = &gic->state.local[cpu];
    uint32_t active = local->pending & local->mask;
    uint32_t risen = active & ~gic->local_active[cpu];
    gic->local_active[cpu] = active;
    for (unsigned i = 0; i < GIC_LOCAL_COUNT; i++) {
        if ((risen >> i & 1) && map_has_pin(local->map[i]))
            gic->counts[cpu].local[i]++;
    }
    gic_update_pins(gic, cpu);
}

static void gic_count_shared(struct gic *gic, unsigned number)
{
    if (!map_has_pin(gic->state.map_pin[number]))
        return;
    bool wired = gic->wired[number / 32] >> (number % 32) & 1;
    gic->input_counts[number]++;
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        if (!(gic->state.map_vpe[number] >> cpu & 1))
            continue;
        if (wired)
            gic->counts[cpu].shared++;
        else
            gic->counts[cpu].ipi++;
    }
}

/* Something changed among the 32 shared interrupts of WORD: count what is newly delivered, then the pins. */
static void gic_update_shared(struct gic *gic, unsigned word)
{
    uint32_t active = shared_pending(&gic->state, word) & gic->state.mask[word];
    uint32_t changed = active ^ gic->active[word];
    uint32_t cpus = 0;
    gic->active[word] = active;
    for (uint32_t left = changed; left; left &= left - 1) {
        unsigned number = word * 32 + (unsigned)__builtin_ctz(left);
        cpus |= gic->state.map_vpe[number];
        if (active >> (number % 32) & 1)
            gic_count_shared(gic, number);
    }
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        if (cpus >> cpu & 1)
            gic_update_pins(gic, cpu);
    }
}

/* The map of shared interrupt NUMBER changed. */
static void gic_update_route(struct gic *gic, unsigned number)
{
    uint32_t bit = 1u << (number % 32);
    uint32_t map = gic->state.map_pin[number];
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++) {
        bool mine = map_has_pin(map) && (gic->state.map_vpe[number] >> cpu & 1);
        bool moved = false;
        for (unsigned pin = 0; pin < GIC_PIN_COUNT; pin++) {
            uint32_t *route = &gic->route[cpu][pin][number / 32];
            uint32_t wanted = mine && (map & MAP_PIN_NUMBER) == pin ? *route | bit : *route & ~bit;
            moved |= wanted != *route;
            *route = wanted;
        }
        if (moved)
            gic_update_pins(gic, cpu);
    }
}

/* The counter */

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

/* Schedule the next match of CPU's compare value. */
static void gic_compare_arm(struct gic *gic, unsigned cpu)
{
    struct event *event = &gic->compare[cpu].event;
    if (gic->state.counter_stopped) {
        event_cancel(gic->queue, event);
        return;
    }
    uint64_t now = gic_ticks(gic);
    uint64_t wait = gic->state.local[cpu].compare - gic_counter(gic); /* wraps as the counter does */
    if (wait == 0) {
        event_cancel(gic->queue, event);
        gic_compare_match(&gic->compare[cpu]);
    } else if (wait > UINT64_MAX - now) {
        event_cancel(gic->queue, event); /* beyond the end of simulated time */
    } else {
        event_schedule(gic->queue, event, time_cycles_at_tick(gic->queue, now + wait, BOARD_COUNT_HZ));
    }
}

/* Set the counter and whether it runs. */
static void gic_counter_set(struct gic *gic, uint64_t value, bool stopped)
{
    gic->state.counter_stopped = stopped;
    gic->state.counter_base = stopped ? value : value - gic_ticks(gic);
    for (unsigned cpu = 0; cpu < gic->cpus; cpu++)
        gic_compare_arm(gic, cpu);
}

static uint64_t replace_half(uint64_t value, bool high, uint32_t half)
{
    return high ? (value & 0xffffffff) | (uint64_t)half << 32 : (value & ~(uint64_t)0xffffffff) | half;
}

/* Registers */

/* Index of OFFSET in an array of COUNT registers STRIDE bytes apart that starts at BASE, or -1. */
static int array_index(uint32_t offset, uint32_t base, uint32_t stride, uint32_t count)
{
    if (offset < base || offset >= base + stride * count || (offset - base) % stride)
        return -1;
    return (int)((offset - base) / stride);
}

static uint32_t shared_read(const struct gic *gic, uint32_t offset)
{
    const struct gic_state *state = &gic->state;
    int i;
    switch (offset) {
    case SH_CONFIG:
        return (state->counter_stopped ? CONFIG_COUNTSTOP : 0) | CONFIG_COUNTBITS << 24 |
               (GIC_SHARED_COUNT / 8 - 1) << 16 | (gic->cpus - 1);
    case SH_COUNTER_LOW: return (uint32_t)gic_counter(gic);
    case SH_COUNTER_HIGH: return (uint32_t)(gic_counter(gic) >> 32);
    default: break;
    }
    if ((i = array_index(offset, SH_POL, 4, WORDS)) >= 0)
        return state->polarity[i];
    if ((i = array_index(offset, SH_TRIG, 4, WORDS)) >= 0)
        return state->trigger[i];
    if ((i = array_index(offset, SH_DUAL, 4, WORDS)) >= 0)
        return state->dual[i];
    if ((i = array_index(offset, SH_MASK, 4, WORDS)) >= 0)
        return state->mask[i];
    if ((i = array_index(offset, SH_PEND, 4, WORDS)) >= 0)
        return shared_pending(state, (unsigned)i);
    if ((i = array_index(offset, SH_MAP_PIN, 4, GIC_SHARED_COUNT)) >= 0)
        return state->map_pin[i];
    if ((i = array_index(offset, SH_MAP_VPE, SH_MAP_VPE_STRIDE, GIC_SHARED_COUNT)) >= 0)
        return state->map_vpe[i];
    return 0;
}

static void wedge_write(struct gic *gic, uint32_t value)
{
    unsigned number = value & WEDGE_NUMBER;
    if (number >= GIC_SHARED_COUNT) {
        log_guest(gic->log, "gic.wedge", "gic: WEDGE of interrupt %u: there are %d", number, GIC_SHARED_COUNT);
        return;
    }
    uint32_t bit = 1u << (number % 32);
    if (!(gic->state.trigger[number / 32] & bit)) {
        log_guest(gic->log, "gic.wedge-level", "gic: WEDGE of interrupt %u, which is level-triggered", number);
        return;
    }
    if (value & WEDGE_SET)
        gic->state.latch[number / 32] |= bit;
    else
        gic->state.latch[number / 32] &= ~bit;
    gic_update_shared(gic, number / 32);
}

/* A new MAP register value from VALUE. */
static uint32_t map_from_guest(struct gic *gic, uint32_t value)
{
    if (value & (MAP_TO_NMI | MAP_TO_YQ))
        log_guest(gic->log, "gic.map", "gic: interrupt mapped to NMI or YQ (0x%08x): never delivered", value);
    else if ((value & MAP_TO_PIN) && !map_has_pin(value))
        log_guest(gic->log, "gic.map-pin", "gic: interrupt mapped to pin %u: there are %d", value & MAP_PIN_NUMBER,
                  GIC_PIN_COUNT);
    return value & MAP_WRITABLE;
}

static void shared_write(struct gic *gic, uint32_t offset, uint32_t value)
{
    struct gic_state *state = &gic->state;
    int i;
    switch (offset) {
    case SH_CONFIG:
        if (state->counter_stopped != !!(value & CONFIG_COUNTSTOP))
            gic_counter_set(gic, gic_counter(gic), value & CONFIG_COUNTSTOP);
        return;
    case SH_COUNTER_LOW:
    case SH_COUNTER_HIGH:
        gic_counter_set(gic, replace_half(gic_counter(gic), offset == SH_COUNTER_HIGH, value), state->counter_stopped);
        return;
    case SH_WEDGE: wedge_write(gic, value); return;
    default: break;
    }
    if ((i = array_index(offset, SH_MAP_PIN, 4, GIC_SHARED_COUNT)) >= 0) {
        state->map_pin[i] = map_from_guest(gic, value);
        gic_update_route(gic, (unsigned)i);
        return;
    }
    if ((i = array_index(offset, SH_MAP_VPE, SH_MAP_VPE_STRIDE, GIC_SHARED_COUNT)) >= 0) {
        state->map_vpe[i] = value & (uint32_t)((1ull << gic->cpus) - 1);
        if (state->map_vpe[i] != value)
            log_guest(gic->log, "gic.map-vpe", "gic: interrupt %d mapped to processors 0x%x: there are %u", i, value,
                      gic->cpus);
        gic_update_route(gic, (unsigned)i);
        return;
    }
    if ((i = array_index(offset, SH_RMASK, 4, WORDS)) >= 0) {
        state->mask[i] &= ~value;
    } else if ((i = array_index(offset, SH_SMASK, 4, WORDS)) >= 0) {
        state->mask[i] |= value;
    } else if ((i = array_index(offset, SH_POL, 4, WORDS)) >= 0) {
        state->polarity[i] = value;
    } else if ((i = array_index(offset, SH_DUAL, 4, WORDS)) >= 0) {
        state->dual[i] = value;
    } else if ((i = array_index(offset, SH_TRIG, 4, WORDS)) >= 0) {
        state->trigger[i] = value;
        state->latch[i] &= value;
    } else {
        return;
    }
    gic_update_shared(gic, (unsigned)i);
}

static uint32_t local_read(const struct gic *gic, unsigned cpu, uint32_t offset)
{
    const struct gic_local_state *local = &gic->state.local[cpu];
    int i = array_index(offset, VL_MAP, 4, GIC_LOCAL_COUNT);
    if (i >= 0)
        return local->map[local_of_map[i]];
    switch (offset) {
    case VL_CTL: return CTL_TIMER_ROUTABLE | CTL_PERF_COUNTER_ROUTABLE;
    case VL_PEND: return local->pending;
    case VL_MASK: return local->mask;
    case VL_OTHER: return local->other;
    case VL_IDENT: return cpu;
    case VL_COMPARE_LOW: return (uint32_t)local->compare;
    case VL_COMPARE_HIGH: return (uint32_t)(local->compare >> 32);
    default: return 0;
    }
}

static void local_write(struct gic *gic, unsigned cpu, uint32_t offset, uint32_t value)
{
    struct gic_local_state *local = &gic->state.local[cpu];
    int i = array_index(offset, VL_MAP, 4, GIC_LOCAL_COUNT);
    if (i >= 0) {
        local->map[local_of_map[i]] = map_from_guest(gic, value);
        gic_update_pins(gic, cpu);
        return;
    }
    switch (offset) {
    case VL_CTL:
        if (value & CTL_EIC)
            log_guest(gic->log, "gic.eic", "gic: EIC mode asked for: not available");
        break;
    case VL_RMASK:
        local->mask &= ~value;
        gic_update_local(gic, cpu);
        break;
    case VL_SMASK:
        local->mask |= value & LOCAL_ALL;
        gic_update_local(gic, cpu);
        break;
    case VL_OTHER: local->other = value & OTHER_NUMBER; break;
    case VL_COMPARE_LOW:
    case VL_COMPARE_HIGH:
        local->compare = replace_half(local->compare, offset == VL_COMPARE_HIGH, value);
        local->pending &= ~(1u << GIC_LOCAL_COMPARE);
        gic_update_local(gic, cpu);
        gic_compare_arm(gic, cpu);
        break;
    default: break;
    }
}

/* The processor whose local section REQUESTER sees at OFFSET (in the local or other section); false: there is none. */
static bool local_section(const struct gic *gic, uint32_t offset, unsigned requester, unsigned *cpu)
{
    if (requester >= gic->cpus)
        return false;
    *cpu = offset < SECTION_OTHER ? requester : gic->state.local[requester].other;
    if (*cpu < gic->cpus)
        return true;
    log_guest(gic->log, "gic.other", "gic: access to processor %u: there are %u", *cpu, gic->cpus);
    return false;
}

static uint32_t gic_read_word(struct gic *gic, uint32_t offset, unsigned requester)
{
    unsigned cpu;
    if (offset < SECTION_LOCAL)
        return shared_read(gic, offset);
    if (offset < SECTION_USER)
        return local_section(gic, offset, requester, &cpu) ? local_read(gic, cpu, offset % 0x4000) : 0;
    switch (offset - SECTION_USER) {
    case USER_COUNTER_LOW: return (uint32_t)gic_counter(gic);
    case USER_COUNTER_HIGH: return (uint32_t)(gic_counter(gic) >> 32);
    default: return 0;
    }
}

static uint32_t gic_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    uint32_t word = gic_read_word(opaque, offset & ~3u, cpu) >> (offset % 4 * 8);
    return size >= 4 ? word : word & ((1u << size * 8) - 1);
}

static void gic_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned requester)
{
    struct gic *gic = opaque;
    unsigned cpu;
    if (size != 4) {
        log_guest(gic->log, "gic.size", "gic: write of %u bytes at 0x%x ignored: registers have 4", size, offset);
        return;
    }
    if (offset < SECTION_LOCAL)
        shared_write(gic, offset, value);
    else if (offset < SECTION_USER && local_section(gic, offset, requester, &cpu))
        local_write(gic, cpu, offset % 0x4000, value);
}

const struct device_ops gic_device_ops = {"gic", gic_read, gic_write};

/* Lines */

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
    if (number >= GIC_SHARED_COUNT)
        log_bug("gic input %u: there are %d", number, GIC_SHARED_COUNT);
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

/* Life */

static void gic_reset(struct gic_state *state)
{
    for (unsigned word = 0; word < WORDS; word++)
        state->polarity[word] = UINT32_MAX;
    for (unsigned number = 0; number < GIC_SHARED_COUNT; number++)
        state->map_pin[number] = MAP_TO_PIN;
    for (unsigned cpu = 0; cpu < GIC_MAX_CPUS; cpu++) {
        struct gic_local_state *local = &state->local[cpu];
        local->compare = UINT64_MAX;
        /* what the core itself produces reaches it as if there were no GIC */
        local->mask = 1u << GIC_LOCAL_TIMER | 1u << GIC_LOCAL_PERF_COUNTER;
        for (unsigned i = 0; i < GIC_LOCAL_COUNT; i++)
            local->map[i] = MAP_TO_PIN;
        local->map[GIC_LOCAL_TIMER] = MAP_TO_PIN | (GIC_PIN_COUNT - 1);
        local->map[GIC_LOCAL_PERF_COUNTER] = MAP_TO_PIN | (GIC_PIN_COUNT - 1);
    }
}

struct gic *gic_create(struct event_queue *queue, unsigned cpus, const struct gic_cpu_ops *ops, void *opaque,
                       struct log *log)
{
    if (cpus < 1 || cpus > GIC_MAX_CPUS)
        log_bug("gic for %u cpus: 1 to %d", cpus, GIC_MAX_CPUS);
    struct gic *gic = calloc(1, sizeof *gic);
    if (!gic)
        log_bug("out of memory");
    gic->queue = queue;
    gic->cpus = cpus;
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
    for (unsigned number = 0; number < GIC_SHARED_COUNT; number++) {
        if (!(gic->wired[number / 32] >> (number % 32) & 1))
            continue;
        snprintf(name, sizeof name, "gic.input%u", number);
        stats_counter(stats, name, "interrupts", "interrupts delivered from this shared input",
                      &gic->input_counts[number]);
    }
}
