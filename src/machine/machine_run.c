/*
 * The run loop: how long the CPU chosen by schedule.c may run, and the actions between the runs of two CPUs.
 *
 * A CPU runs up to the earliest of: the next event, the end of its quantum (if it is the only ready CPU: the run's
 * limits), the next host poll, the run's last instruction.
 */
#include "src/machine/machine.h"
#include "cpu/observe/executions.h"

#include "src/host/external.h"
#include "src/machine/machine_end.h"
#include "src/machine/machine_hold.h"
#include "src/machine/machine_model.h"
#include "src/machine/machine_power.h"
#include "src/machine/schedule.h"
#include "src/machine/deadlock.h"

/* Limits of a run. */
struct bounds {
    struct machine_limits limits;
    const uint64_t *steps; /* s.insns of each core at which its step ends (UINT64_MAX: none); NULL: no steps */
};

/* Between the runs of CPUs */

static cycles next_regular_poll(cycles time)
{
    return (time / MACHINE_POLL_CYCLES + 1) * MACHINE_POLL_CYCLES;
}

/* Poll the host and the external input if due. Recorded input may have arrived at an irregular poll: a replay checks
 * for it after every run of a CPU. */
static void poll_host(struct machine *machine)
{
    bool due = machine->now >= machine->next_poll;
    if (!due && !external_replaying(machine->external))
        return;
    machine->queue->now = machine->now;
    if (due) {
        const bool regular = machine->next_poll > 0; /* so that a restored machine checks at the same times */
        const struct machine_keeper *keeper = machine->keeper;
        machine->next_poll = next_regular_poll(machine->now);
        if (machine->host && machine->host->poll)
            machine->host->poll(machine->host_opaque);
        if (regular)
            deadlock_check(machine);
        if (keeper && !machine->stopping && keeper->is_due(keeper->opaque)) {
            machine->keep_wanted = true;
            machine_end(machine, MACHINE_STOP_SAVE);
        }
    }
    external_poll(machine->external);
}

/* True if only the CPUs' own timers are scheduled and each has wrapped around without waking a CPU: then no later wrap
 * will wake one either. */
bool machine_is_idle_forever(const struct machine *machine)
{
    if (machine->idle_since > machine->now)
        return false;
    cycles wrap = time_cycles_at_tick(machine->queue, 1ull << 32, BOARD_COUNT_HZ);
    return deadlock_devices_idle(machine) && machine->now - machine->idle_since > 2 * wrap;
}

bool machine_cannot_wake(const struct machine *machine)
{
    return machine_is_idle_forever(machine) && !external_is_expecting(machine->external);
}

/* All CPUs wait: advance time to the next event or LIMIT. */
static void pass_idle_time(struct machine *machine, cycles limit)
{
    if (deadlock_check(machine))
        return;
    const bool for_ever = machine_is_idle_forever(machine);
    if (for_ever && machine_hold_stops_some(machine)) {
        machine_end(machine, MACHINE_STOP_HELD);
        return;
    }
    cycles next = for_ever ? CYCLES_NEVER : event_queue_next(machine->queue);
    cycles until = schedule_earlier(next, limit);
    cycles gap = until == CYCLES_NEVER ? CYCLES_NEVER : until > machine->now ? until - machine->now : 0;
    machine->queue->now = machine->now;
    if (gap) {
        cycles passed = external_idle(machine->external, gap);
        if (passed < gap)
            until = machine->now + passed;
    }
    if (until == CYCLES_NEVER)
        deadlock_end(machine);
    else if (until > machine->now)
        machine->now = until;
    event_queue_run(machine->queue, machine->now);
}

/* Run the barrier if it is due, again while it stays so: barriers may be closer than an instruction is long. True if it
 * was: due times may have changed. */
static bool reach_barrier(struct machine *machine)
{
    if (machine->stopping || machine->now < machine->barrier.time)
        return false;
    machine->queue->now = machine->now;
    while (!machine->stopping && machine->barrier.time <= machine->now)
        machine->barrier.reached(machine->barrier.opaque);
    return true;
}

/* Limits of a CPU's run */

/* Instructions that CORE may still complete. */
static uint64_t insns_left(const struct machine *machine, const struct bounds *bounds, const struct core *core)
{
    uint64_t left = UINT64_MAX, limit = bounds->limits.insns;
    if (limit > machine->models->next_insns)
        limit = machine->models->next_insns;
    const uint64_t input = external_replay_insns(machine->external);
    if (limit != UINT64_MAX || input != UINT64_MAX) {
        const uint64_t done = machine_insns(machine);
        left = limit == UINT64_MAX ? UINT64_MAX : done < limit ? limit - done : 0;
        if (done < input && input - done < left)
            left = input - done;
    }
    if (bounds->steps) {
        const uint64_t end = bounds->steps[core->number];
        uint64_t rest = core->s.insns < end ? end - core->s.insns : 0;
        left = rest < left ? rest : left;
    }
    return left;
}

/* The earliest time at which a CPU that is the only ready one, or an idle machine, must stop for the host. */
static cycles next_limit(const struct machine *machine, const struct bounds *bounds)
{
    return schedule_earlier(bounds->limits.time, machine->barrier.time);
}

static void run_until(struct machine *machine, struct core *core, cycles until, uint64_t insns_end)
{
    core->insns_end = insns_end;
    core->stop = false;
    machine->current = core;
    core->model_ops->run(core->model, until);
    machine->current = NULL;
    machine_power_settle(machine, core);
}

/*
 * The only ready CPU needs no quanta: it runs up to the next event or limit. This applies to uniprocessors and to the
 * one busy CPU of an SMP kernel: in quanta of 200 cycles embra would take 2.5 times as long for the one CPU of machine
 * 1994 and its caches.
 *
 * A time limit does not shorten a quantum when several CPUs are ready: it would change the times of the others' quanta.
 */
static void run_core(struct machine *machine, struct core *core, const struct bounds *bounds)
{
    uint64_t left = insns_left(machine, bounds, core);
    if (left == 0) {
        machine_end(machine, MACHINE_STOP_INSNS);
        return;
    }
    cycles until = !machine->hold.active && schedule_is_alone(machine, core)
                       ? schedule_earlier(next_limit(machine, bounds), machine->models->next_time)
                       : schedule_quantum_end(machine, core->s.cycle);
    until = schedule_earlier(until, event_queue_next(machine->queue));
    until = schedule_earlier(until, next_regular_poll(core->s.cycle));
    /* an instruction takes at least a cycle: so the run never executes too many, and every run makes progress */
    if (left < until - core->s.cycle)
        until = core->s.cycle + left;
    machine->idle_since = CYCLES_NEVER;
    run_until(machine, core, until, left > UINT64_MAX - core->s.insns ? UINT64_MAX : core->s.insns + left);
    if (machine->hold.active && core->s.insns >= machine->hold.step_end[core->number]) {
        if (!machine->stopping)
            machine->stopped_cpu = core->number;
        machine_end(machine, MACHINE_STOP_STEP);
    }
}

/* Round-robin passes */

/* Is no event, poll or limit due between START and END, the limits of a quantum of all CPUs? */
static bool is_uneventful(const struct machine *machine, const struct bounds *bounds, cycles start, cycles end)
{
    const struct machine_models *models = machine->models;
    const uint64_t most_a_cycle = 64; /* instructions */
    return !machine->stopping && !external_replaying(machine->external) && !models->pending && !bounds->steps &&
           event_queue_next(machine->queue) >= end && machine->next_poll >= end && next_limit(machine, bounds) >= end &&
           models->next_time >= end && models->next_insns == UINT64_MAX &&
           (bounds->limits.insns == UINT64_MAX ||
            insns_left(machine, bounds, machine->cores[0]) / most_a_cycle / machine->cpus > end - start + 1);
}

/* Run each ready CPU once, in order, up to END; no event is due before. False if a CPU caused something that must be
 * handled first. */
static bool run_pass(struct machine *machine, cycles end)
{
    const cycles next_event = event_queue_next(machine->queue);
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (!schedule_may_run(core) || core->s.cycle >= end)
            continue;
        run_until(machine, core, end, UINT64_MAX);
        if (core->stop || !schedule_may_run(core) || core->s.cycle < end ||
            event_queue_next(machine->queue) != next_event || machine->models->pending)
            return false;
    }
    return true;
}

/*
 * Run complete quanta of two or more CPUs while nothing is due within them: the same runs as in run(), without its
 * checks between CPUs. With eight busy CPUs of machine 1994-mp8 this saves 7 % of the host time under embra and more
 * under mipsy.
 */
static void run_passes(struct machine *machine, const struct bounds *bounds)
{
    for (;;) {
        const struct core *laggard = schedule_laggard(machine);
        if (!laggard || schedule_is_alone(machine, laggard))
            return;
        const cycles start = laggard->s.cycle, end = schedule_quantum_end(machine, start);
        if (!is_uneventful(machine, bounds, start, end))
            return;
        if (start > machine->now)
            machine->now = start;
        machine->idle_since = CYCLES_NEVER;
        if (!run_pass(machine, end))
            return;
    }
}

/* Runs */

/* Charge all cycles up to the present to buckets. */
static void settle_accounts(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (core->s.running && core->s.waiting && machine->now > core->s.cycle)
            core_add_wait(core, machine->now - core->s.cycle);
        core_account(core);
    }
}

void machine_settle(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        core_sync(machine->cores[i]);
    settle_accounts(machine);
}

static enum machine_stop run(struct machine *machine, const struct bounds *bounds)
{
    machine->stopping = machine_has_ended(machine);
    for (;;) {
        run_passes(machine, bounds);
        machine->now = schedule_present(machine);
        machine_models_update(machine);
        if (event_queue_next(machine->queue) <= machine->now)
            event_queue_run(machine->queue, machine->now);
        poll_host(machine);
        if (reach_barrier(machine))
            continue;
        if (!machine->stopping && machine->now >= bounds->limits.time)
            machine_end(machine, MACHINE_STOP_TIME);
        if (machine->stopping)
            break;
        struct core *laggard = schedule_laggard(machine);
        struct core *core = schedule_next(machine, laggard, event_queue_next(machine->queue));
        if (core) {
            run_core(machine, core, bounds);
            continue;
        }
        if (laggard && laggard->held) {
            laggard->left_behind = true;
            continue;
        }
        if (machine->idle_since > machine->now)
            machine->idle_since = machine->now;
        pass_idle_time(machine, next_limit(machine, bounds));
    }
    machine->queue->now = machine->now = machine_now(machine); /* for device accesses by the caller */
    settle_accounts(machine);
    return machine_has_stopped(machine);
}

static void begin(const struct machine *machine)
{
    if (machine->keeper)
        machine->keeper->begin(machine->keeper->opaque);
}

/* A run has ended with REASON: let the keeper take its snapshot, if it wants one. Was that the only reason? */
static bool kept(struct machine *machine, enum machine_stop reason)
{
    if (!machine->keep_wanted)
        return false;
    machine->keep_wanted = false;
    machine->keeper->keep(machine->keeper->opaque);
    return reason == MACHINE_STOP_SAVE && !machine->saves;
}

static struct machine_limits up_to_horizon(const struct machine *machine, struct machine_limits limits)
{
    if (machine->horizon && limits.time > machine->horizon->time)
        limits.time = machine->horizon->time;
    if (machine->horizon && limits.insns > machine->horizon->insns)
        limits.insns = machine->horizon->insns;
    return limits;
}

/* A run within up_to_horizon(WANTED) has ended with REASON: was that the horizon? */
static enum machine_stop or_horizon(const struct machine *machine, const struct machine_limits *wanted,
                                    enum machine_stop reason)
{
    const struct machine_limits *horizon = machine->horizon;
    const bool by_time = reason == MACHINE_STOP_TIME && horizon && horizon->time < wanted->time;
    const bool by_insns = reason == MACHINE_STOP_INSNS && horizon && horizon->insns < wanted->insns &&
                          machine_insns(machine) >= horizon->insns;
    return by_time || by_insns ? MACHINE_STOP_HORIZON : reason;
}

enum machine_stop machine_run(struct machine *machine, const struct machine_limits *limits)
{
    const struct machine_limits wanted = machine_pause_limits(machine, limits);
    const struct bounds bounds = {.limits = up_to_horizon(machine, wanted),
                                  .steps = machine->hold.active ? machine->hold.step_end : machine->cpu_ends};
    enum machine_stop reason;
    begin(machine);
    do
        reason = run(machine, &bounds);
    while (kept(machine, reason));
    reason = or_horizon(machine, &wanted, reason);
    return machine_pause_reached(machine, reason) ? MACHINE_STOP_PAUSE : reason;
}

enum machine_stop machine_step(struct machine *machine, unsigned cpu, uint64_t count)
{
    struct core *core = machine->cores[cpu];
    if (!core->s.running)
        return MACHINE_STOP_DEADLOCK;
    uint64_t ends[BOARD_MAX_CPUS];
    for (unsigned i = 0; i < machine->cpus; i++)
        ends[i] = UINT64_MAX;
    if (count < UINT64_MAX - core->s.insns)
        ends[cpu] = core->s.insns + count;
    const struct bounds bounds = {.limits = up_to_horizon(machine, MACHINE_NO_LIMITS), .steps = ends};
    enum machine_stop reason;
    begin(machine);
    do
        reason = run(machine, &bounds);
    while (kept(machine, reason));
    return or_horizon(machine, &MACHINE_NO_LIMITS, reason);
}

/* Consistency of the accounts */

static bool check_bucket(const struct core *core, const struct bucket *bucket, unsigned mode, struct err *err)
{
    const uint64_t lost = bucket->wait + bucket_stall(bucket) + bucket_pipeline(bucket) + bucket_interlock(bucket);
    if (lost <= bucket->cycles)
        return true;
    return err_set(err, "CPU %u, mode %u: %llu cycles of stalls and waits in %llu cycles", core->number, mode,
                   (unsigned long long)lost, (unsigned long long)bucket->cycles);
}

bool machine_check_accounts(const struct machine *machine, struct err *err)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        const struct core *core = machine->cores[i];
        uint64_t total = 0, insns = 0;
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            const struct bucket *bucket = &core->mode_buckets[mode];
            if (!check_bucket(core, bucket, mode, err))
                return false;
            total += bucket->cycles;
            insns += bucket->insns;
        }
        total += machine->cycles_before[i];
        insns += machine->insns_before[i];
        if (total + machine->off_time[i] != core->s.cycle || insns != core->s.insns)
            return err_set(
                err, "CPU %u: the modes have %llu cycles and %llu instructions, the CPU %llu (off for %llu) and %llu",
                i, (unsigned long long)total, (unsigned long long)insns, (unsigned long long)core->s.cycle,
                (unsigned long long)machine->off_time[i], (unsigned long long)core->s.insns);
        if (!executions_check(core, err))
            return false;
        if (machine->models->counting && !machine->models->counting->check_counts(core, err))
            return false;
    }
    return true;
}
