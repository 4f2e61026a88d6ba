/* The performance counters; cp0.h describes them. */
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/cp0_hooks.h"
#include "cpu/observe/executions.h"
#include "cpu/observe/perf_events.h"

enum {
    COUNTERS = CORE_PERF_COUNTERS,
    CTL_EXL = 1 << 0, /* count while EXL is set */
    CTL_K = 1 << 1,
    CTL_U = 1 << 3,
    CTL_IE = 1 << 4,
    CTL_MODES = CTL_EXL | CTL_K | CTL_U,
    CTL_EVENT_SHIFT = 5,
    CTL_EVENT = 0x7f << CTL_EVENT_SHIFT,
};
#define OVERFLOW 0x80000000u

static unsigned control_number(unsigned counter)
{
    return CP0_PERFCTL0 + 2 * counter;
}

static uint32_t *stored(struct core *core, unsigned counter)
{
    return &core->s.cp0[control_number(counter) + 1];
}

static enum perf_event event_of(const struct core *core, unsigned counter)
{
    return core->perf_event[counter];
}

/* Does the mode that STATUS describes count under CONTROL? ERL: no mode does. */
static bool is_selected(uint32_t control, uint32_t status)
{
    if (status & STATUS_ERL)
        return false;
    if (status & STATUS_EXL)
        return control & CTL_EXL;
    return control & (status & STATUS_UM ? CTL_U : CTL_K);
}

static bool is_running(const struct core *core, unsigned counter, uint32_t status)
{
    return event_of(core, counter) != PERF_NONE && is_selected(core->s.cp0[control_number(counter)], status);
}

static uint32_t count_of(const struct core *core, unsigned counter)
{
    return (uint32_t)perf_event_count(core, event_of(core, counter));
}

static uint32_t value_in(const struct core *core, unsigned counter, uint32_t status)
{
    const uint32_t value = core->s.cp0[control_number(counter) + 1];
    return is_running(core, counter, status) ? value + count_of(core, counter) : value;
}

uint32_t cp0_perf_read(const struct core *core, unsigned counter)
{
    return value_in(core, counter, core->s.cp0[CP0_STATUS]);
}

/* Can EVENT occur now? Of a CPU that is off, nothing counts; of one in `wait`, only its cycles do. */
static bool advances(const struct core *core, enum perf_event event)
{
    return core->s.running && (!core->s.waiting || event == PERF_CYCLES);
}

/* The interrupt output, and the time of the next check. A counter cannot overflow before its event has occurred as
 * often as possible, so that the check at that time finds either the overflow, at its instruction, or that fewer events
 * have occurred; then it is repeated. NOW is the time up to which events are counted; PRESENT, that of the access or
 * event that asks. The check is later than NOW, and a counter that stands still has none. */
static void update_interrupt_at(struct core *core, cycles now, cycles present)
{
    cycles check = CYCLES_NEVER;
    bool overflow = false;
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (!(core->s.cp0[control_number(i)] & CTL_IE))
            continue;
        const uint32_t value = cp0_perf_read(core, i);
        overflow |= (value & OVERFLOW) != 0;
        if (value & OVERFLOW || !is_running(core, i, core->s.cp0[CP0_STATUS]))
            continue;
        if (!advances(core, event_of(core, i)))
            continue;
        const uint32_t rate = perf_event_rate(core, event_of(core, i));
        const cycles when = now + ((OVERFLOW - value) + rate - 1) / rate;
        check = when < check ? when : check;
    }
    if (event_is_scheduled(&core->perf_check) ? core->perf_check.when != check : check != CYCLES_NEVER)
        core_schedule(core, &core->perf_check, present, check);
    if (overflow == !!(core->s.cp0[CP0_CAUSE] & CAUSE_PCI))
        return;
    core->s.cp0[CP0_CAUSE] ^= CAUSE_PCI;
    if (core->hooks && core->hooks->perf_output)
        core->hooks->perf_output(core->hooks_opaque, core->number, overflow);
}

static void update_interrupt(struct core *core)
{
    update_interrupt_at(core, core->s.cycle, core_time(core));
}

/* Bring what is counted up to date with core->s, which is in sync. */
static void update_counts(struct core *core)
{
    if (core->perf_needs_mix && core->executions != NULL)
        executions_flush(core);
}

static void sync_counts(struct core *core)
{
    core_sync(core);
    update_counts(core);
}

/* The CPU's own time may lie behind the event's: it stands still in `wait`, while the CPU is off or is not scheduled.
 */
void cp0_perf_check(void *opaque)
{
    struct core *core = opaque;
    const cycles now = core->queue->now;
    update_counts(core);
    update_interrupt_at(core, core->s.cycle > now ? core->s.cycle : now, now);
}

void cp0_perf_woken(struct core *core)
{
    if (core->perf_in_use && !event_is_scheduled(&core->perf_check))
        update_interrupt_at(core, core->s.cycle, core->queue->now);
}

static void set_value(struct core *core, unsigned counter, uint32_t value)
{
    *stored(core, counter) = value;
    if (is_running(core, counter, core->s.cp0[CP0_STATUS]))
        *stored(core, counter) -= count_of(core, counter);
}

void cp0_perf_write(struct core *core, unsigned counter, uint32_t value)
{
    set_value(core, counter, value);
    update_interrupt(core);
}

/* Set what follows from the control registers. */
static void select_events(struct core *core)
{
    core->perf_in_use = core->perf_needs_mix = false;
    for (unsigned i = 0; i < COUNTERS; i++) {
        const uint32_t control = core->s.cp0[control_number(i)];
        const unsigned number = (control & CTL_EVENT) >> CTL_EVENT_SHIFT;
        const enum perf_event event = perf_event_of(i, number);
        const bool is_counted = event != PERF_NONE && perf_event_is_counted(core, event);
        core->perf_event[i] = is_counted ? event : PERF_NONE;
        core->perf_in_use |= is_counted && control & CTL_MODES;
        core->perf_needs_mix |= is_counted && control & CTL_MODES && perf_event_needs_mix(event);
        if (!is_counted && control & CTL_MODES)
            log_guest(
                core->log, "performance counter",
                "CPU %u counts event %u with performance counter %u, which the CPU model does not: it stands still",
                core->number, number, i);
    }
    if (core->perf_needs_mix && core->executions == NULL && core->model != NULL)
        executions_start(core, NULL);
}

void cp0_perf_write_control(struct core *core, unsigned counter, uint32_t value)
{
    unsigned number = control_number(counter);
    uint32_t mask = core->architecture->cp0[number].write_mask, count = cp0_perf_read(core, counter);
    core->s.cp0[number] = (core->s.cp0[number] & ~mask) | (value & mask);
    select_events(core);
    update_counts(core); /* of the new event */
    set_value(core, counter, count);
    update_interrupt(core);
}

void cp0_perf_mode(struct core *core, uint32_t old_status)
{
    const uint32_t status = core->s.cp0[CP0_STATUS];
    bool changed = false;
    update_counts(core);
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (is_running(core, i, old_status) == is_running(core, i, status))
            continue;
        changed = true;
        set_value(core, i, value_in(core, i, old_status));
    }
    if (changed)
        update_interrupt(core);
}

void cp0_perf_reset(struct core *core)
{
    if (event_is_scheduled(&core->perf_check))
        event_cancel(core->queue, &core->perf_check);
    select_events(core);
    if (core->hooks && core->hooks->perf_output)
        core->hooks->perf_output(core->hooks_opaque, core->number, false);
}

void cp0_perf_state_changed(struct core *core)
{
    select_events(core);
}

/* Values without the counts, which may be others from now on. */
void cp0_perf_suspend(struct core *core)
{
    update_counts(core);
    for (unsigned i = 0; i < COUNTERS; i++)
        *stored(core, i) = cp0_perf_read(core, i);
}

void cp0_perf_resume(struct core *core)
{
    select_events(core);
    for (unsigned i = 0; i < COUNTERS; i++)
        set_value(core, i, *stored(core, i));
    update_interrupt(core);
}

void cp0_perf_loaded(struct core *core, const uint32_t value[CORE_PERF_COUNTERS], unsigned width)
{
    for (unsigned i = 0; i < COUNTERS; i++)
        set_value(core, i, value[i]);
    if (core->width > width)
        update_interrupt(core);
}

static uint32_t read_synced(struct core *core, unsigned counter)
{
    sync_counts(core);
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
    sync_counts(core);
    cp0_perf_write(core, 0, value);
}

void cp0_write_perfcnt1(struct core *core, uint32_t value)
{
    sync_counts(core);
    cp0_perf_write(core, 1, value);
}

void cp0_write_perfctl0(struct core *core, uint32_t value)
{
    sync_counts(core);
    cp0_perf_write_control(core, 0, value);
}

void cp0_write_perfctl1(struct core *core, uint32_t value)
{
    sync_counts(core);
    cp0_perf_write_control(core, 1, value);
}
