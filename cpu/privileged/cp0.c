/*
 * CP0: side effects of reads and writes, Count and the timer. Each architecture has a table of the registers.
 */
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/cp0_hooks.h"
#include "cpu/observe/executions.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/vmap.h"
#include "cpu/privileged/watch_registers.h"
#include "src/base/board.h"

const struct cp0_register *cp0_find(const struct architecture *architecture, unsigned number)
{
    return number < CP0_COUNT_OF_REGISTERS && architecture->cp0[number].name ? &architecture->cp0[number] : NULL;
}

uint32_t cp0_reset_bits_ebase(const struct core *core)
{
    return core->number;
}

/* Config1.MMUSize has the low 6 bits of the number of the last TLB entry; Config4.MMUSizeExt, if there are any, the
 * others. */
enum { CONFIG1_WR = 1 << 3 }; /* watch registers are present */
enum { MMUSIZE_SHIFT = 25, MMUSIZE_BITS = 6, MMUSIZE = (1 << MMUSIZE_BITS) - 1, MMUEXTDEF_MMUSIZEEXT = 1 << 14 };

uint32_t cp0_reset_bits_config1(const struct core *core)
{
    return ((core->tlb_entries - 1) & MMUSIZE) << MMUSIZE_SHIFT | (core->has_watch_registers ? CONFIG1_WR : 0);
}

uint32_t cp0_reset_bits_config4(const struct core *core)
{
    const uint32_t extension = (core->tlb_entries - 1) >> MMUSIZE_BITS;
    return extension ? MMUEXTDEF_MMUSIZEEXT | extension : 0;
}

uint32_t cp0_reset_value(const struct core *core, unsigned number)
{
    const struct cp0_register *row = &core->architecture->cp0[number];
    return row->reset | (row->reset_bits ? row->reset_bits(core) : 0);
}

void cp0_reset(struct core *core)
{
    uint32_t *cp0 = core->s.cp0;
    uint32_t pins = cp0[CP0_CAUSE] & CAUSE_IP & ~(uint32_t)CAUSE_IP_SOFTWARE;
    for (unsigned i = 0; i < CP0_COUNT_OF_REGISTERS; i++)
        cp0[i] = cp0_reset_value(core, i);
    cp0[CP0_CAUSE] |= pins;
}

uint32_t cp0_read(struct core *core, unsigned number)
{
    const struct cp0_register *row = &core->architecture->cp0[number % CP0_COUNT_OF_REGISTERS];
    if (row->read)
        return row->read(core);
    return row->name ? core->s.cp0[number % CP0_COUNT_OF_REGISTERS] : 0;
}

void cp0_write(struct core *core, unsigned number, uint32_t value)
{
    const struct cp0_register *row = &core->architecture->cp0[number % CP0_COUNT_OF_REGISTERS];
    uint32_t *word = &core->s.cp0[number % CP0_COUNT_OF_REGISTERS];
    if (row->write)
        row->write(core, value);
    else
        *word = (*word & ~row->write_mask) | (value & row->write_mask);
}

static uint32_t merge(const struct core *core, unsigned number, uint32_t value)
{
    uint32_t mask = core->architecture->cp0[number].write_mask;
    return (core->s.cp0[number] & ~mask) | (value & mask);
}

/* MMU */

uint32_t cp0_read_random(struct core *core)
{
    return tlb_random(core) << core->architecture->tlb.index_shift;
}

/* The number of writable bits of Index and Wired depends on the number of entries. */
static uint32_t index_bits(const struct core *core)
{
    uint32_t bits = 15;
    while (bits < core->tlb_entries - 1)
        bits = bits << 1 | 1;
    return bits;
}

void cp0_write_index(struct core *core, uint32_t value)
{
    core->s.cp0[CP0_INDEX] = (core->s.cp0[CP0_INDEX] & 0x80000000u) | (value & index_bits(core));
}

void cp0_write_wired(struct core *core, uint32_t value)
{
    uint32_t wired = value & index_bits(core);
    if (wired >= core->tlb_entries) {
        log_guest(core->log, "cp0.wired", "CPU %u wires %u of %u TLB entries", core->number, wired, core->tlb_entries);
        wired = core->tlb_entries - 1;
    }
    core->s.cp0[CP0_WIRED] = wired;
}

void cp0_write_pagemask(struct core *core, uint32_t value)
{
    core->s.cp0[CP0_PAGEMASK] = tlb_page_mask(value);
}

void cp0_set_entryhi(struct core *core, uint32_t value)
{
    uint32_t old = core->s.cp0[CP0_ENTRYHI];
    core->s.cp0[CP0_ENTRYHI] = value;
    const struct tlb_format *format = &core->architecture->tlb;
    if ((old ^ value) & format->asid) {
        const uint8_t before = (uint8_t)((old & format->asid) >> format->asid_shift);
        if (SIM_UNLIKELY(core->executions != NULL) && core->executions->profile) {
            core->s.cp0[CP0_ENTRYHI] = old;
            core_sync(core);
            executions_flush(core);
            core->s.cp0[CP0_ENTRYHI] = value;
        }
        tlb_change_asid(core, before);
        /* Code in mapped space has changed the mapping of its own page. */
        if (!vaddr_is_unmapped(core->s.pc))
            core->attention = true;
        if (SIM_UNLIKELY(core->observer != NULL) && core->observer->asid_changed)
            core->observer->asid_changed(core->observer_opaque, core, before);
    }
}

void cp0_write_entryhi(struct core *core, uint32_t value)
{
    cp0_set_entryhi(core, merge(core, CP0_ENTRYHI, value));
}

void cp0_write_config(struct core *core, uint32_t value)
{
    if (value == core->s.cp0[CP0_CONFIG])
        return;
    core->s.cp0[CP0_CONFIG] = merge(core, CP0_CONFIG, value);
    vmap_invalidate_all(core);
    core->attention = true;
}

uint32_t cp0_read_lladdr(struct core *core)
{
    return core->s.ll_address >> 4;
}

/* Status and Cause */

void cp0_set_status(struct core *core, uint32_t value)
{
    cp0_set_status_by(core, value, core_sync);
}

void cp0_write_status(struct core *core, uint32_t value)
{
    bool user = core->user_mode;
    uint32_t old = core->s.cp0[CP0_STATUS];
    cp0_set_status(core, merge(core, CP0_STATUS, value));
    core_update_isolation(core);
    /* The mapping of code in kuseg may have changed. */
    bool remapped = (old ^ core->s.cp0[CP0_STATUS]) & core->architecture->kuseg_unmapped;
    if (core->user_mode != user || remapped || interrupt_pending(core))
        core->attention = true;
}

static void timer_output(struct core *core, bool level)
{
    uint32_t *cause = &core->s.cp0[CP0_CAUSE];
    if (level == !!(*cause & CAUSE_TI))
        return;
    *cause ^= CAUSE_TI;
    if (core->hooks && core->hooks->timer_output)
        core->hooks->timer_output(core->hooks_opaque, core->number, level);
    else
        interrupt_set_pin(core, 5, level);
}

void cp0_write_cause(struct core *core, uint32_t value)
{
    uint32_t old = core->s.cp0[CP0_CAUSE], cause = merge(core, CP0_CAUSE, value);
    cause &= value | ~(uint32_t)CAUSE_WP; /* software can clear it only */
    if ((old ^ cause) & CAUSE_DC) {
        core_sync(core);
        uint32_t count = cp0_count(core);
        core->s.cp0[CP0_CAUSE] = cause;
        core->s.count_base = 0;
        core->s.count_base = cause & CAUSE_DC ? count : count - cp0_count(core);
        cp0_timer_arm(core);
    }
    core->s.cp0[CP0_CAUSE] = cause;
    core_update_checked(core);
    if (interrupt_pending(core))
        core->attention = true;
}

/* Count and the timer. While Cause.DC is set, Count stays at count_base. */

static uint64_t board_ticks(const struct core *core, cycles time)
{
    return time_ticks(core->queue, time, BOARD_COUNT_HZ);
}

uint32_t cp0_count(const struct core *core)
{
    if (core->s.cp0[CP0_CAUSE] & CAUSE_DC)
        return core->s.count_base;
    return core->s.count_base + (uint32_t)board_ticks(core, core->s.cycle);
}

static void arm_at(struct core *core, cycles now)
{
    cycles match = CYCLES_NEVER;
    if (core->architecture->cp0[CP0_COMPARE].name && !(core->s.cp0[CP0_CAUSE] & CAUSE_DC)) {
        uint64_t ticks = board_ticks(core, now);
        uint32_t distance = core->s.cp0[CP0_COMPARE] - (core->s.count_base + (uint32_t)ticks);
        uint64_t tick = ticks + (distance ? distance : 1ull << 32);
        match = time_cycles_at_tick(core->queue, tick, BOARD_COUNT_HZ);
    }
    core_schedule(core, &core->timer, now, match);
}

void cp0_timer_arm(struct core *core)
{
    arm_at(core, core->s.cycle);
}

void cp0_timer_fire(void *opaque)
{
    struct core *core = opaque;
    timer_output(core, true);
    arm_at(core, core->queue->now);
}

uint32_t cp0_read_count(struct core *core)
{
    core_sync(core);
    return cp0_count(core);
}

void cp0_write_count(struct core *core, uint32_t value)
{
    core_sync(core);
    core->s.count_base += value - cp0_count(core);
    cp0_timer_arm(core);
}

void cp0_write_compare(struct core *core, uint32_t value)
{
    core_sync(core);
    core->s.cp0[CP0_COMPARE] = value;
    timer_output(core, false);
    cp0_timer_arm(core);
}
