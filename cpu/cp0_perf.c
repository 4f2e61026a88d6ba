/* The performance counters; cp0.h describes them. */
#include "cpu/cp0.h"
#include "cpu/cp0_hooks.h"

enum {
    COUNTERS = 2,
    CTL_EXL = 1 << 0, /* count while EXL is set */
    CTL_K = 1 << 1,
    CTL_U = 1 << 3,
    CTL_MODES = CTL_EXL | CTL_K | CTL_U,
    CTL_EVENT_SHIFT = 5,
    CTL_EVENT = 0x7f << CTL_EVENT_SHIFT,
    EVENT_CYCLES = 0,
    EVENT_INSNS = 1,
};

static unsigned control_number(unsigned counter)
{
    return CP0_PERFCTL0 + 2 * counter;
}

static unsigned event(uint32_t control)
{
    return (control & CTL_EVENT) >> CTL_EVENT_SHIFT;
}

static bool is_running(uint32_t control, uint32_t status)
{
    if (event(control) > EVENT_INSNS || (status & STATUS_ERL))
        return false;
    if (status & STATUS_EXL)
        return control & CTL_EXL;
    return control & (status & STATUS_UM ? CTL_U : CTL_K);
}

static uint32_t source(const struct core *core, uint32_t control)
{
    return (uint32_t)(event(control) == EVENT_CYCLES ? core->s.cycle : core->s.insns);
}

uint32_t cp0_perf_read(const struct core *core, unsigned counter)
{
    uint32_t control = core->s.cp0[control_number(counter)], stored = core->s.cp0[control_number(counter) + 1];
    return is_running(control, core->s.cp0[CP0_STATUS]) ? stored + source(core, control) : stored;
}

void cp0_perf_write(struct core *core, unsigned counter, uint32_t value)
{
    uint32_t control = core->s.cp0[control_number(counter)];
    if (is_running(control, core->s.cp0[CP0_STATUS]))
        value -= source(core, control);
    core->s.cp0[control_number(counter) + 1] = value;
}

static bool is_enabled(uint32_t control)
{
    return (control & CTL_MODES) && event(control) <= EVENT_INSNS;
}

void cp0_perf_write_control(struct core *core, unsigned counter, uint32_t value)
{
    unsigned number = control_number(counter);
    uint32_t mask = cp0_table[number].write_mask, count = cp0_perf_read(core, counter);
    core->s.cp0[number] = (core->s.cp0[number] & ~mask) | (value & mask);
    cp0_perf_write(core, counter, count);
    core->perf_in_use = is_enabled(core->s.cp0[CP0_PERFCTL0]) || is_enabled(core->s.cp0[CP0_PERFCTL1]);
}

void cp0_perf_mode(struct core *core, uint32_t old_status)
{
    uint32_t status = core->s.cp0[CP0_STATUS];
    for (unsigned counter = 0; counter < COUNTERS; counter++) {
        core->s.cp0[CP0_STATUS] = old_status;
        uint32_t count = cp0_perf_read(core, counter);
        core->s.cp0[CP0_STATUS] = status;
        cp0_perf_write(core, counter, count);
    }
}

static uint32_t read_synced(struct core *core, unsigned counter)
{
    core_sync(core);
    return cp0_perf_read(core, counter);
}

uint32_t cp0_read_perfcnt0(struct core *core)
{
    return read_synced(core, 0);
}

uint32_t cp0_read_perfcnt1(struct core *core)
{
    return read_synced(core, 1);
}

void cp0_write_perfcnt0(struct core *core, uint32_t value)
{
    core_sync(core);
    cp0_perf_write(core, 0, value);
}

void cp0_write_perfcnt1(struct core *core, uint32_t value)
{
    core_sync(core);
    cp0_perf_write(core, 1, value);
}

void cp0_write_perfctl0(struct core *core, uint32_t value)
{
    core_sync(core);
    cp0_perf_write_control(core, 0, value);
}

void cp0_write_perfctl1(struct core *core, uint32_t value)
{
    core_sync(core);
    cp0_perf_write_control(core, 1, value);
}
