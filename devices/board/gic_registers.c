/*
 * Registers of the MIPS Global Interrupt Controller.
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
 *   0x2000 + 32i   MAP_VPE     one bit a processor: 31:0, and 63:32 at +4
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
 * All other offsets read as zero and ignore writes. Names and layout follow the MIPS32 interAptiv Multiprocessing
 * System software manual and the Linux driver (arch/mips/include/asm/mips-gic.h). Where the manual leaves reset values
 * open, every input is level-triggered, active high, and routed to no processor.
 */
#include "devices/board/gic_state.h"
#include "devices/registers.h"

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

    CONFIG_COUNTBITS = 8, /* 32 + 4 * 8 = 64 bits */
    WEDGE_NUMBER = 0xff,
    OTHER_NUMBER = 0x3f,
    CTL_EIC = 1 << 0,
    CTL_TIMER_ROUTABLE = 1 << 1,
    CTL_PERF_COUNTER_ROUTABLE = 1 << 2,
    LOCAL_ALL = (1 << GIC_LOCAL_COUNT) - 1,
};

#define CONFIG_COUNTSTOP (1u << 28)
#define WEDGE_SET        (1u << 31)
#define MAP_TO_NMI       (1u << 30)
#define MAP_TO_YQ        (1u << 29)
#define MAP_WRITABLE     (GIC_MAP_TO_PIN | MAP_TO_NMI | MAP_TO_YQ | GIC_MAP_PIN)

_Static_assert(GIC_SHARED_MAX % 32 == 0 && GIC_SHARED_MAX <= 256, "the register layout holds up to 256");

/* Local interrupt of each MAP register: unlike in the other registers, the debug channel is the fourth. */
static const uint8_t local_of_map[GIC_LOCAL_COUNT] = {
    GIC_LOCAL_WATCHDOG,     GIC_LOCAL_COMPARE,   GIC_LOCAL_TIMER,     GIC_LOCAL_DEBUG_CHANNEL,
    GIC_LOCAL_PERF_COUNTER, GIC_LOCAL_SOFTWARE0, GIC_LOCAL_SOFTWARE1,
};

/* Index of the register at OFFSET in an array of COUNT registers STRIDE bytes apart from BASE; -1 if OFFSET is not in
 * it. */
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
        return (state->counter_stopped ? CONFIG_COUNTSTOP : 0) | CONFIG_COUNTBITS << 24 | (gic->shared / 8 - 1) << 16 |
               (gic->cpus - 1);
    case SH_COUNTER_LOW: return (uint32_t)gic_counter(gic);
    case SH_COUNTER_HIGH: return (uint32_t)(gic_counter(gic) >> 32);
    default: break;
    }
    if ((i = array_index(offset, SH_POL, 4, gic->words)) >= 0)
        return state->polarity[i];
    if ((i = array_index(offset, SH_TRIG, 4, gic->words)) >= 0)
        return state->trigger[i];
    if ((i = array_index(offset, SH_DUAL, 4, gic->words)) >= 0)
        return state->dual[i];
    if ((i = array_index(offset, SH_MASK, 4, gic->words)) >= 0)
        return state->mask[i];
    if ((i = array_index(offset, SH_PEND, 4, gic->words)) >= 0)
        return gic_shared_pending(state, (unsigned)i);
    if ((i = array_index(offset, SH_MAP_PIN, 4, gic->shared)) >= 0)
        return state->map_pin[i];
    for (unsigned word = 0; word < GIC_MAP_VPE_WORDS; word++)
        if ((i = array_index(offset, SH_MAP_VPE + word * 4, SH_MAP_VPE_STRIDE, gic->shared)) >= 0)
            return state->map_vpe[word][i];
    return 0;
}

static void wedge_write(struct gic *gic, uint32_t value)
{
    unsigned number = value & WEDGE_NUMBER;
    if (number >= gic->shared) {
        log_guest(gic->log, "gic.wedge", "gic: WEDGE of interrupt %u: there are %u", number, gic->shared);
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

/* The MAP register value after a guest write of VALUE. */
static uint32_t map_from_guest(struct gic *gic, uint32_t value)
{
    if (value & (MAP_TO_NMI | MAP_TO_YQ))
        log_guest(gic->log, "gic.map", "gic: interrupt mapped to NMI or YQ (0x%08x): never delivered", value);
    else if ((value & GIC_MAP_TO_PIN) && !gic_map_has_pin(value))
        log_guest(gic->log, "gic.map-pin", "gic: interrupt mapped to pin %u: there are %d", value & GIC_MAP_PIN,
                  GIC_PIN_COUNT);
    return value & MAP_WRITABLE;
}

/* VALUE for the processors from 32 * WORD on. */
static void map_vpe_write(struct gic *gic, unsigned number, unsigned word, uint32_t value)
{
    uint32_t *map = &gic->state.map_vpe[word][number];
    *map = value & (uint32_t)(UINT64_MAX >> (64 - gic->cpus) >> word * 32);
    if (*map != value)
        log_guest(gic->log, "gic.map-vpe", "gic: interrupt %u mapped to processors 0x%llx: there are %u", number,
                  (unsigned long long)value << word * 32, gic->cpus);
    gic_update_route(gic, number);
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
        gic_counter_set(gic, register_replace_half(gic_counter(gic), offset == SH_COUNTER_HIGH, value),
                        state->counter_stopped);
        return;
    case SH_WEDGE: wedge_write(gic, value); return;
    default: break;
    }
    if ((i = array_index(offset, SH_MAP_PIN, 4, gic->shared)) >= 0) {
        state->map_pin[i] = map_from_guest(gic, value);
        gic_update_route(gic, (unsigned)i);
        return;
    }
    for (unsigned word = 0; word < GIC_MAP_VPE_WORDS; word++)
        if ((i = array_index(offset, SH_MAP_VPE + word * 4, SH_MAP_VPE_STRIDE, gic->shared)) >= 0) {
            map_vpe_write(gic, (unsigned)i, word, value);
            return;
        }
    if ((i = array_index(offset, SH_RMASK, 4, gic->words)) >= 0) {
        state->mask[i] &= ~value;
    } else if ((i = array_index(offset, SH_SMASK, 4, gic->words)) >= 0) {
        state->mask[i] |= value;
    } else if ((i = array_index(offset, SH_POL, 4, gic->words)) >= 0) {
        state->polarity[i] = value;
    } else if ((i = array_index(offset, SH_DUAL, 4, gic->words)) >= 0) {
        state->dual[i] = value;
    } else if ((i = array_index(offset, SH_TRIG, 4, gic->words)) >= 0) {
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
            log_guest(gic->log, "gic.eic", "gic: EIC mode requested: not modelled");
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
        local->compare = register_replace_half(local->compare, offset == VL_COMPARE_HIGH, value);
        local->pending &= ~(1u << GIC_LOCAL_COMPARE);
        gic_update_local(gic, cpu);
        gic_compare_arm(gic, cpu);
        break;
    default: break;
    }
}

/* Find the processor whose local section appears at OFFSET (in the local or the other section) for REQUESTER. False if
 * the section selects a processor that does not exist. */
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
