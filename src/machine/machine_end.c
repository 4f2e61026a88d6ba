#include "src/machine/machine_end.h"

#include <string.h>

/* Can nothing be executed after an end for REASON? */
static bool is_final(enum machine_stop reason)
{
    return reason == MACHINE_STOP_EXIT || reason == MACHINE_STOP_FAILED;
}

/* Is the run ending? MACHINE_STOP_SAVE does not count: any other reason replaces it. */
static bool is_ending(const struct machine *machine)
{
    return machine->stopping && machine->stop_reason != MACHINE_STOP_SAVE;
}

/* Would REASON, an exit or a failure, take effect? After a pause it is that of the next run. */
static bool takes_effect(const struct machine *machine, enum machine_stop reason)
{
    const bool pauses = machine->stop_reason == MACHINE_STOP_PAUSE && !machine->ends_after_pause;
    return !is_ending(machine) || (pauses && is_final(reason));
}

void machine_end(struct machine *machine, enum machine_stop reason)
{
    if (!is_ending(machine)) {
        machine->stopping = true;
        machine->stop_reason = reason;
    } else if (takes_effect(machine, reason)) {
        machine->ends_after_pause = true;
        machine->after_pause = reason;
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
    if (takes_effect(machine, MACHINE_STOP_EXIT))
        machine->exit_status = status;
    machine_end(machine, MACHINE_STOP_EXIT);
}

/* The failure text is kept for the first reason. */
static void end_with_text(struct machine *machine, enum machine_stop stop, const struct err *reason)
{
    if (takes_effect(machine, stop))
        machine->failure = *reason;
    machine_end(machine, stop);
}

void machine_fail(struct machine *machine, const struct err *reason)
{
    end_with_text(machine, MACHINE_STOP_FAILED, reason);
}

void machine_end_deadlocked(struct machine *machine, const struct err *reason)
{
    end_with_text(machine, MACHINE_STOP_DEADLOCK, reason);
}

bool machine_stop_at_hook(struct machine *machine, const struct core *core)
{
    machine->stopped_cpu = core->number;
    machine_end(machine, MACHINE_STOP_HOOK);
    return true;
}

bool machine_has_ended(const struct machine *machine)
{
    return machine->stopping && is_final(machine->stop_reason);
}

enum machine_stop machine_has_stopped(struct machine *machine)
{
    const enum machine_stop reason = machine->stop_reason;
    machine->stopping = machine->ends_after_pause;
    if (machine->ends_after_pause)
        machine->stop_reason = machine->after_pause;
    machine->ends_after_pause = false;
    return reason;
}

/* Pauses */

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

struct machine_limits machine_pause_limits(const struct machine *machine, const struct machine_limits *limits)
{
    struct machine_limits result = *limits;
    if (!machine->pause_wanted)
        return result;
    cycles time = machine_event_time(&machine->pause, machine->queue->clock_hz);
    if (time <= result.time)
        result.time = time;
    if (machine->pause.kind == MACHINE_EVENT_INSNS && machine->pause.insns <= result.insns)
        result.insns = machine->pause.insns;
    return result;
}

bool machine_pause_reached(struct machine *machine, enum machine_stop reason)
{
    const struct machine_event *pause = &machine->pause;
    const bool at_time = reason == MACHINE_STOP_TIME && pause->kind == MACHINE_EVENT_TIME &&
                         machine_now(machine) >= machine_event_time(pause, machine->queue->clock_hz);
    const bool at_insns =
        reason == MACHINE_STOP_INSNS && pause->kind == MACHINE_EVENT_INSNS && machine_insns(machine) >= pause->insns;
    if (!machine->pause_wanted || (!at_time && !at_insns)) /* it may be another, earlier limit */
        return false;
    machine->pause_wanted = false;
    return true;
}
