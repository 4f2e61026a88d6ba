/*
 * The scheduler, and what devices do to it in the middle of a run.
 *
 * A core's turn ends at a multiple of the quantum, not a quantum after it began, and a core that was stopped within its
 * turn goes on before any other: so where machine_run() is interrupted and continued makes no difference to who runs
 * when.
 */
#include "src/machine.h"

#include "src/external.h"
#include "src/machine_model.h"
#include "src/machine_power.h"
#include "src/standstill.h"
#include <string.h>

/* What a run is bound by. */
struct bounds {
    struct machine_limits limits;
    struct core *stepped; /* machine_step(): this core runs up to ... */
    uint64_t stepped_end; /* ... this number of instructions */
};

static bool may_run(const struct core *core)
{
    return core->s.running > core->s.waiting; /* and not: asked several times a turn of each core */
}

/* The runnable core that is furthest behind, or NULL if all wait or are off: its time is the machine's. */
static struct core *hindmost_core(const struct machine *machine)
{
    struct core *chosen = NULL;
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (may_run(core) && (!chosen || core->s.cycle < chosen->s.cycle))
            chosen = core;
    }
    return chosen;
}

static cycles earlier(cycles a, cycles b)
{
    return a < b ? a : b;
}

static cycles next_multiple(cycles time, cycles step)
{
    return (time / step + 1) * step;
}

/*
 * The core that runs next: of those that have not reached HORIZON, the time of the next event, the one in the earliest
 * turn, which is that of the HINDMOST; in the same turn, the lowest number. A core whose turn was interrupted is still
 * in it, and so goes on with it.
 */
static struct core *choose_core(const struct machine *machine, const struct core *hindmost, cycles horizon)
{
    if (!hindmost || hindmost->s.cycle >= horizon)
        return NULL;
    const cycles end = earlier(horizon, next_multiple(hindmost->s.cycle, machine->quantum));
    for (unsigned i = 0;; i++) {
        struct core *core = machine->cores[i];
        if (may_run(core) && core->s.cycle < end)
            return core;
    }
}

static bool runs_alone(const struct machine *machine, const struct core *core)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        if (machine->cores[i] != core && may_run(machine->cores[i]))
            return false;
    return true;
}

/* Power */

static void switch_on(struct machine *machine, struct core *core, vaddr pc)
{
    cycles now = machine->queue->now;
    if (!core->s.running && now > core->s.cycle) {
        core_account(core);
        machine->off_time[core->number] += now - core->s.cycle;
        core->s.cycle = core->charged_cycle = now;
    } else if (core->s.waiting) {
        machine_wake(machine, core);
    }
    core_reset(core, pc);
    core->s.bootstrap_base = pc & 0xfffff000;
    if (machine->current)
        machine->current->stop = machine->current->attention = true;
}

static void switch_off(struct machine *machine, struct core *core)
{
    if (core->s.waiting)
        machine_wake(machine, core);
    core->s.running = core->s.waiting = false;
    core_account(core);
    machine->round_broken = true;
}

static void power_later(struct machine *machine, unsigned cpu, vaddr pc)
{
    machine->power_pending[cpu] = true;
    machine->power_pc[cpu] = pc;
    machine->current->stop = machine->current->attention = true;
}

void machine_power_on(struct machine *machine, unsigned cpu, vaddr pc)
{
    if (machine->cores[cpu] == machine->current)
        power_later(machine, cpu, pc);
    else
        switch_on(machine, machine->cores[cpu], pc);
}

void machine_power_off(struct machine *machine, unsigned cpu)
{
    if (machine->cores[cpu] == machine->current)
        power_later(machine, cpu, 0);
    else
        switch_off(machine, machine->cores[cpu]);
}

static __attribute__((noinline)) void switch_as_asked(struct machine *machine, struct core *core)
{
    machine->power_pending[core->number] = false;
    if (machine->power_pc[core->number])
        switch_on(machine, core, machine->power_pc[core->number]);
    else
        switch_off(machine, core);
}

static inline void do_pending_power(struct machine *machine, struct core *core)
{
    if (SIM_UNLIKELY(machine->power_pending[core->number]))
        switch_as_asked(machine, core);
}

void machine_wake(struct machine *machine, struct core *core)
{
    cycles now = machine->queue->now;
    if (now > core->s.cycle)
        core_add_wait(core, now - core->s.cycle);
    /* the one that runs may have been given more than a quantum, because it was alone */
    if (machine->current)
        machine->current->stop = machine->current->attention = true;
}

/* Ends */

/* Will the run end? For a checkpoint it only stops: every other reason is a better one. */
static bool is_ending(const struct machine *machine)
{
    return machine->stopping && machine->stop_reason != MACHINE_STOP_SAVE;
}

void machine_end(struct machine *machine, enum machine_stop reason)
{
    if (!is_ending(machine)) {
        machine->stopping = true;
        machine->stop_reason = reason;
    }
    if (machine->current)
        machine->current->stop = machine->current->attention = true;
}

void machine_request_stop(struct machine *machine)
{
    machine_end(machine, MACHINE_STOP_REQUEST);
}

void machine_request_exit(struct machine *machine, unsigned status)
{
    if (!is_ending(machine))
        machine->exit_status = status;
    machine_end(machine, MACHINE_STOP_EXIT);
}

void machine_fail(struct machine *machine, const struct err *reason)
{
    if (!is_ending(machine))
        machine->failure = *reason;
    machine_end(machine, MACHINE_STOP_FAILED);
}

void machine_end_for_good(struct machine *machine, const struct err *reason)
{
    if (!is_ending(machine))
        machine->failure = *reason;
    machine_end(machine, MACHINE_STOP_DEADLOCK);
}

void machine_pause_when(struct machine *machine, const struct machine_event *event)
{
    machine->pause = *event;
    machine->pause_wanted = true;
}

void machine_pause_at(struct machine *machine, enum machine_event_kind kind, const char *name)
{
    const struct machine_event *pause = &machine->pause;
    if (!machine->pause_wanted || pause->kind != kind ||
        (kind == MACHINE_EVENT_MARK && strcmp(pause->mark, name) != 0) || is_ending(machine))
        return;
    machine->pause_wanted = false;
    machine_end(machine, MACHINE_STOP_PAUSE);
}

/* A pause at a time or a number of instructions is a limit. */
static struct machine_limits limits_with_pause(const struct machine *machine, const struct machine_limits *limits)
{
    struct machine_limits with = *limits;
    if (!machine->pause_wanted)
        return with;
    cycles time = machine_event_time(&machine->pause, machine->queue->clock_hz);
    if (time <= with.time)
        with.time = time;
    if (machine->pause.kind == MACHINE_EVENT_INSNS && machine->pause.insns <= with.insns)
        with.insns = machine->pause.insns;
    return with;
}

bool machine_stop_at_hook(struct machine *machine, const struct core *core)
{
    machine->stopped_cpu = core->number;
    machine_end(machine, MACHINE_STOP_HOOK);
    return true;
}

/* Time */

cycles machine_now(const struct machine *machine)
{
    const struct core *core = hindmost_core(machine);
    return core && core->s.cycle > machine->now ? core->s.cycle : machine->now;
}

/* The scheduler's present. While all CPUs wait it is not before the last of them began to. */
static cycles present(const struct machine *machine)
{
    cycles now = machine_now(machine);
    if (hindmost_core(machine))
        return now;
    for (unsigned i = 0; i < machine->cpus; i++)
        if (machine->cores[i]->s.running && machine->cores[i]->s.cycle > now)
            now = machine->cores[i]->s.cycle;
    return now;
}

uint64_t machine_insns(const struct machine *machine)
{
    uint64_t insns = 0;
    for (unsigned i = 0; i < machine->cpus; i++)
        insns += machine->cores[i]->s.insns;
    return insns;
}

/* What was recorded may have come at a poll between the regular ones: in a replay it is looked for after every turn. */
static void poll_host(struct machine *machine)
{
    bool due = machine->now >= machine->next_poll;
    if (!due && !external_replaying(machine->external))
        return;
    machine->queue->now = machine->now;
    if (due) {
        const bool regular = machine->next_poll > 0; /* at the same times in a machine that is restored */
        machine->next_poll = next_multiple(machine->now, MACHINE_POLL_CYCLES);
        if (machine->host && machine->host->poll)
            machine->host->poll(machine->host_opaque);
        if (regular)
            standstill_look(machine);
    }
    external_poll(machine->external);
}

/* Nothing but the CPUs' own timers is scheduled, and each of those has gone round without waking anybody: it will not
 * do better the next time. */
bool machine_is_asleep(const struct machine *machine)
{
    if (machine->idle_since > machine->now)
        return false;
    cycles round = time_cycles_at_tick(machine->queue, 1ull << 32, BOARD_COUNT_HZ);
    return standstill_no_device_works(machine) && machine->now - machine->idle_since > 2 * round;
}

/* All wait: let time pass until the next event or LIMIT. */
static void pass_idle_time(struct machine *machine, cycles limit)
{
    if (standstill_look(machine))
        return;
    cycles next = machine_is_asleep(machine) ? CYCLES_NEVER : event_queue_next(machine->queue);
    cycles until = earlier(next, limit);
    cycles gap = until == CYCLES_NEVER ? CYCLES_NEVER : until > machine->now ? until - machine->now : 0;
    machine->queue->now = machine->now;
    if (gap) {
        cycles passed = external_idle(machine->external, gap);
        if (passed < gap)
            until = machine->now + passed;
    }
    if (until == CYCLES_NEVER)
        standstill_end(machine);
    else if (until > machine->now)
        machine->now = until;
    event_queue_run(machine->queue, machine->now);
}

/* Instructions that CORE may still complete. */
static uint64_t insns_left(const struct machine *machine, const struct bounds *bounds, const struct core *core)
{
    uint64_t left = UINT64_MAX, limit = bounds->limits.insns;
    if (limit > machine->models->next_insns)
        limit = machine->models->next_insns;
    if (limit != UINT64_MAX) {
        uint64_t done = machine_insns(machine);
        left = done < limit ? limit - done : 0;
    }
    if (core == bounds->stepped) {
        uint64_t rest = core->s.insns < bounds->stepped_end ? bounds->stepped_end - core->s.insns : 0;
        left = rest < left ? rest : left;
    }
    return left;
}

/* The outside is heard. True if it was: what is due may have changed. */
static bool meet_barrier(struct machine *machine)
{
    if (machine->stopping || machine->now < machine->barrier.time)
        return false;
    machine->queue->now = machine->now;
    machine->barrier.reached(machine->barrier.opaque);
    if (!machine->stopping && machine->barrier.time <= machine->now)
        log_bug("a barrier at %llu stays at cycle %llu", (unsigned long long)machine->barrier.time,
                (unsigned long long)machine->now);
    return true;
}

/* The next time at which a CPU that runs alone, or none, has to stop for others than the guest. */
static cycles next_limit(const struct machine *machine, const struct bounds *bounds)
{
    return earlier(bounds->limits.time, machine->barrier.time);
}

static void run_until(struct machine *machine, struct core *core, cycles until, uint64_t insns_end)
{
    core->insns_end = insns_end;
    core->stop = false;
    machine->current = core;
    core->model_ops->run(core->model, until);
    machine->current = NULL;
}

static void run_core(struct machine *machine, struct core *core, const struct bounds *bounds)
{
    uint64_t left = insns_left(machine, bounds, core);
    if (left == 0) {
        machine_end(machine, MACHINE_STOP_INSNS);
        return;
    }
    cycles until = earlier(event_queue_next(machine->queue), next_multiple(core->s.cycle, MACHINE_POLL_CYCLES));
    /* a time limit does not cut a turn short: the others' turns would come at other times than without it */
    cycles turn = runs_alone(machine, core) ? earlier(next_limit(machine, bounds), machine->models->next_time)
                                            : next_multiple(core->s.cycle, machine->quantum);
    until = earlier(until, turn);
    /* an instruction takes at least a cycle: so this never runs too many, and comes nearer with every turn */
    if (left < until - core->s.cycle)
        until = core->s.cycle + left;
    machine->idle_since = CYCLES_NEVER;
    run_until(machine, core, until, left > UINT64_MAX - core->s.insns ? UINT64_MAX : core->s.insns + left);
    do_pending_power(machine, core);
}

/*
 * Between most turns nothing is due: then the next is found with one look at the cores. NULL if something may be: an
 * event, input, a change of models, a limit, the end of the run.
 */
static struct core *next_in_turn(struct machine *machine, const struct bounds *bounds)
{
    const struct machine_models *models = machine->models;
    const struct core *hindmost = hindmost_core(machine);
    cycles next_event = event_queue_next(machine->queue);
    if (!hindmost || machine->stopping || external_replaying(machine->external) || models->wanted ||
        models->next_insns != UINT64_MAX)
        return NULL;
    cycles now = hindmost->s.cycle > machine->now ? hindmost->s.cycle : machine->now;
    cycles due =
        earlier(earlier(next_event, machine->next_poll), earlier(next_limit(machine, bounds), models->next_time));
    if (now >= due)
        return NULL;
    machine->now = now;
    return choose_core(machine, hindmost, next_event);
}

/* Between START and END, a turn of all, nothing is due, and no limit is reached. */
static bool is_uneventful(const struct machine *machine, const struct bounds *bounds, cycles start, cycles end)
{
    const struct machine_models *models = machine->models;
    const uint64_t most_a_cycle = 64; /* instructions */
    return !machine->stopping && !external_replaying(machine->external) && !models->wanted && !bounds->stepped &&
           event_queue_next(machine->queue) >= end && machine->next_poll >= end && next_limit(machine, bounds) >= end &&
           models->next_time >= end && models->next_insns == UINT64_MAX &&
           next_multiple(start, MACHINE_POLL_CYCLES) >= end &&
           (bounds->limits.insns == UINT64_MAX ||
            insns_left(machine, bounds, machine->cores[0]) / most_a_cycle / machine->cpus > end - start + 1);
}

/* The time of the CPU that is furthest behind of those that may run, two or more; CYCLES_NEVER if there are fewer. */
static cycles start_of_round(const struct machine *machine)
{
    const struct core *hindmost = NULL;
    unsigned running = 0;
    for (unsigned i = 0; i < machine->cpus; i++) {
        const struct core *core = machine->cores[i];
        if (may_run(core) && (running++ == 0 || core->s.cycle < hindmost->s.cycle))
            hindmost = core;
    }
    return running < 2 ? CYCLES_NEVER : hindmost->s.cycle;
}

/* A turn of all CPUs that may run, up to END, in which nothing is due. Returns the time of the one that is furthest
 * behind then; CYCLES_NEVER: a CPU did something that has to be seen to, the others had no turn. */
static cycles take_turns(struct machine *machine, cycles end)
{
    const struct machine_models *models = machine->models;
    const cycles next_event = event_queue_next(machine->queue);
    cycles hindmost = CYCLES_NEVER;
    machine->round_broken = false;
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (!may_run(core))
            continue;
        if (core->s.cycle < end) {
            run_until(machine, core, end, UINT64_MAX);
            if (core->stop) { /* as who leaves power pending sets it */
                do_pending_power(machine, core);
                return CYCLES_NEVER;
            }
            if (!may_run(core) || core->s.cycle < end || machine->round_broken ||
                event_queue_next(machine->queue) != next_event || models->wanted)
                return CYCLES_NEVER;
        }
        hindmost = earlier(hindmost, core->s.cycle);
    }
    return hindmost;
}

/*
 * Turns of all CPUs that may run, two or more, as long as nothing is due within one: as next_in_turn() and run_core()
 * would have it, one CPU after the other, without looking for each whether it is so. False if none can be taken; they
 * end where a CPU does something that makes it untrue.
 */
static bool run_rounds(struct machine *machine, const struct bounds *bounds)
{
    bool any = false;
    for (cycles start = start_of_round(machine), end; start != CYCLES_NEVER; start = take_turns(machine, end)) {
        end = next_multiple(start, machine->quantum);
        if (!is_uneventful(machine, bounds, start, end))
            break;
        if (start > machine->now)
            machine->now = start;
        machine->idle_since = CYCLES_NEVER;
        any = true;
    }
    return any;
}

/* Up to the present, every cycle is in a bucket. */
static void settle_accounts(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (core->s.running && core->s.waiting && machine->now > core->s.cycle)
            core_add_wait(core, machine->now - core->s.cycle);
        core_account(core);
    }
}

/* Between two runs somebody may have said that there is to be no other. */
static bool is_ended(const struct machine *machine)
{
    return machine->stopping &&
           (machine->stop_reason == MACHINE_STOP_EXIT || machine->stop_reason == MACHINE_STOP_FAILED);
}

static enum machine_stop run(struct machine *machine, const struct bounds *bounds)
{
    machine->stopping = is_ended(machine);
    for (;;) {
        if (run_rounds(machine, bounds))
            continue;
        struct core *core = next_in_turn(machine, bounds);
        if (core) {
            run_core(machine, core, bounds);
            continue;
        }
        machine->now = present(machine);
        machine_models_update(machine);
        if (event_queue_next(machine->queue) <= machine->now)
            event_queue_run(machine->queue, machine->now);
        poll_host(machine);
        if (meet_barrier(machine))
            continue;
        if (!machine->stopping && machine->now >= bounds->limits.time)
            machine_end(machine, MACHINE_STOP_TIME);
        if (machine->stopping)
            break;
        core = choose_core(machine, hindmost_core(machine), event_queue_next(machine->queue));
        if (core) {
            run_core(machine, core, bounds);
            continue;
        }
        if (machine->idle_since > machine->now)
            machine->idle_since = machine->now;
        pass_idle_time(machine, next_limit(machine, bounds));
    }
    machine->queue->now = machine->now = machine_now(machine); /* for what the caller does to devices */
    settle_accounts(machine);
    machine->stopping = false;
    return machine->stop_reason;
}

enum machine_stop machine_run(struct machine *machine, const struct machine_limits *limits)
{
    struct bounds bounds = {.limits = limits_with_pause(machine, limits)};
    enum machine_stop reason = run(machine, &bounds);
    bool wanted = machine->pause_wanted, is_time = machine->pause.kind == MACHINE_EVENT_TIME;
    bool is_insns = machine->pause.kind == MACHINE_EVENT_INSNS;
    if (!wanted || !((reason == MACHINE_STOP_TIME && is_time) || (reason == MACHINE_STOP_INSNS && is_insns)))
        return reason;
    machine->pause_wanted = false;
    return MACHINE_STOP_PAUSE;
}

enum machine_stop machine_step(struct machine *machine, unsigned cpu, uint64_t count)
{
    struct core *core = machine->cores[cpu];
    if (!core->s.running)
        return MACHINE_STOP_DEADLOCK;
    struct bounds bounds = {.limits = MACHINE_NO_LIMITS, .stepped = core, .stepped_end = core->s.insns + count};
    if (bounds.stepped_end < count)
        bounds.stepped_end = UINT64_MAX;
    return run(machine, &bounds);
}

/* Accounts */

static bool check_bucket(const struct core *core, const struct bucket *bucket, unsigned mode, struct err *err)
{
    uint64_t lost = bucket->wait;
    for (unsigned i = 0; i < STALL_COUNT; i++)
        lost += bucket->stall[i];
    for (unsigned i = 0; i < PIPELINE_COUNT; i++)
        lost += bucket->pipeline[i];
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
        if (machine->models->counting && !machine->models->counting->check_counts(core, err))
            return false;
    }
    return true;
}
