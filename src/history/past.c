#include "src/history/past.h"

#include "src/history/channel.h"
#include "src/history/cut_off.h"
#include "src/host/external_log.h"
#include "src/machine/save_request.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct past {
    struct machine *machine;
    struct history_front front;
    int fd;
    struct machine_limits horizon;
    struct machine_keeper keeper;
    bool entered; /* the front end knows that this is the past */
};

/* Answers */

static bool at_horizon(const struct past *past)
{
    return machine_insns(past->machine) >= past->horizon.insns || machine_now(past->machine) >= past->horizon.time;
}

static struct past_answer answer_of(const struct past *past)
{
    const struct machine *machine = past->machine;
    struct past_answer answer = {.position = {machine_now(machine), machine_insns(machine)},
                                 .replayed = external_log_replayed(machine->external),
                                 .pid = getpid(),
                                 .at_horizon = at_horizon(past)};
    for (unsigned i = 0; i < machine->cpus; i++)
        answer.cpu_insns[i] = machine->cores[i]->s.insns;
    return answer;
}

/* Whoever asked may have gone: then this process ends when it waits for the next request. */
static void send_answer(const struct past *past, const struct past_answer *answer, const void *bytes, size_t size)
{
    char *whole = checked_memory(malloc(sizeof *answer + size));
    memcpy(whole, answer, sizeof *answer);
    if (size)
        memcpy(whole + sizeof *answer, bytes, size);
    channel_send(past->fd, CHANNEL_DONE, whole, sizeof *answer + size, -1);
    free(whole);
}

static void send_failure(int fd, const char *reason)
{
    channel_send(fd, CHANNEL_FAILED, reason, strlen(reason), -1);
}

/* Runs */

static void begin(void *opaque)
{
    (void)opaque;
}

/* The present has something to say: that it does not want to wait. */
static bool look_at_channel(void *opaque)
{
    struct past *past = opaque;
    if (channel_is_ready(past->fd))
        machine_request_stop(past->machine);
    return false;
}

/* Run up to LIMITS, whatever else would end a run. False with ERR: that cannot be. */
static bool run_to(const struct past *past, const struct machine_limits *limits, struct err *err)
{
    struct machine *machine = past->machine;
    for (;;) {
        const enum machine_stop reason = past->front.run(past->front.opaque, limits);
        save_request_drop_all(machine);
        if (reason == MACHINE_STOP_TIME || reason == MACHINE_STOP_INSNS || reason == MACHINE_STOP_HORIZON ||
            machine_insns(machine) >= limits->insns || at_horizon(past))
            return true;
        if (channel_is_ready(past->fd))
            return err_set(err, "interrupted");
        if (reason == MACHINE_STOP_FAILED)
            return err_set(err, "%s", machine->failure.text);
        if (reason == MACHINE_STOP_EXIT || reason == MACHINE_STOP_REBOOT || reason == MACHINE_STOP_DEADLOCK)
            return err_set(err, "the guest has ended before");
    }
}

/* For machine->cpu_ends: no CPU ends a run. */
static void set_no_ends(uint64_t ends[BOARD_MAX_CPUS])
{
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++)
        ends[i] = UINT64_MAX;
}

static bool run_to_target(struct past *past, const struct history_target *target, struct err *err)
{
    struct machine_limits limits = MACHINE_NO_LIMITS;
    uint64_t ends[BOARD_MAX_CPUS];
    set_no_ends(ends);
    switch (target->unit) {
    case HISTORY_INSNS: limits.insns = target->value; break;
    case HISTORY_TIME: limits.time = target->value; break;
    case HISTORY_CPU_INSNS:
        ends[target->cpu] = target->value;
        if (past->machine->cores[target->cpu]->s.insns >= target->value)
            return true;
        past->machine->cpu_ends = ends;
        break;
    }
    const bool done = run_to(past, &limits, err);
    past->machine->cpu_ends = NULL;
    return done;
}

/* Requests */

static void go(struct past *past, const struct past_go *request)
{
    struct err err = {""};
    past->horizon = request->horizon;
    if (!run_to_target(past, &request->target, &err)) {
        send_failure(past->fd, err.text);
        return;
    }
    const struct past_answer answer = answer_of(past);
    send_answer(past, &answer, NULL, 0);
}

static void ask(const struct past *past, const char *question, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = checked_memory(open_memstream(&text, &length));
    past->front.answer(past->front.opaque, question, size, out);
    fclose(out);
    const struct past_answer answer = answer_of(past);
    send_answer(past, &answer, text, length);
    free(text);
}

/* An idle machine passes time without an instruction. */
static bool run_until(const struct past *past, const struct history_position *until, struct err *err)
{
    const struct machine_limits limits = {.time = CYCLES_NEVER, .insns = until->insns};
    const struct machine_limits rest = {.time = until->time, .insns = until->insns};
    return run_to(past, &limits, err) && (machine_now(past->machine) >= until->time || run_to(past, &rest, err));
}

/* The same, instruction by instruction of the CPU that FINDING looks at. */
static bool step_until(const struct past *past, struct finding *finding, const struct history_position *until,
                       struct err *err)
{
    struct machine *machine = past->machine;
    const unsigned cpu = (unsigned)finding_steps(finding);
    uint64_t ends[BOARD_MAX_CPUS];
    set_no_ends(ends);
    const struct machine_limits limits = {.time = CYCLES_NEVER, .insns = until->insns};
    bool done = true;
    machine->cpu_ends = ends;
    while (done && machine_insns(machine) < until->insns && !at_horizon(past)) {
        ends[cpu] = machine->cores[cpu]->s.insns + 1;
        done = run_to(past, &limits, err);
        finding_look(finding);
    }
    machine->cpu_ends = NULL;
    return done;
}

static void find(struct past *past, const struct past_find *request)
{
    struct err err = {""};
    size_t count;
    past->horizon = request->horizon;
    struct finding *finding = finding_begin(past->machine, &request->request);
    const bool done = finding_steps(finding) == FIND_ANY_CPU ? run_until(past, &request->until, &err)
                                                             : step_until(past, finding, &request->until, &err);
    const struct past_answer answer = answer_of(past);
    struct find_event *events = finding_end(finding, &count);
    if (done)
        send_answer(past, &answer, events, count * sizeof *events);
    else
        send_failure(past->fd, err.text);
    free(events);
}

static _Noreturn void serve(struct past *past, int parent);

/* Make a copy of this process that serves the descriptor of MESSAGE. */
static void copy(struct past *past, const struct channel_message *message)
{
    const pid_t self = getpid(), pid = fork();
    if (pid < 0)
        send_failure(message->fd, strerror(errno));
    if (pid != 0) {
        close(message->fd);
        return;
    }
    past->fd = message->fd;
    if (!external_log_replay(past->machine->external, message->bytes, message->size))
        _exit(1);
    if (!past->entered)
        past->front.enter(past->front.opaque);
    past->entered = true;
    const struct past_answer answer = answer_of(past);
    send_answer(past, &answer, NULL, 0);
    serve(past, self);
}

static _Noreturn void serve(struct past *past, int parent)
{
    struct channel_message message;
    if (!cut_off(past->fd, parent))
        _exit(1);
    while (channel_receive(past->fd, &message)) {
        switch (message.kind) {
        case CHANNEL_FORK: copy(past, &message); break;
        case CHANNEL_GO: go(past, (const struct past_go *)(const void *)message.bytes); break;
        case CHANNEL_ASK: ask(past, message.bytes, message.size); break;
        case CHANNEL_FIND: find(past, (const struct past_find *)(const void *)message.bytes); break;
        case CHANNEL_INTERRUPT: /* what it was to end has ended */
        case CHANNEL_DONE:
        case CHANNEL_FAILED: break;
        }
        free(message.bytes);
    }
    _exit(0);
}

_Noreturn void past_wait(struct machine *machine, const struct history_front *front, int fd, int parent)
{
    struct past past = {.machine = machine, .front = *front, .fd = fd, .horizon = MACHINE_NO_LIMITS};
    past.keeper = (struct machine_keeper){begin, look_at_channel, NULL, &past};
    machine->keeper = &past.keeper;
    machine->keep_wanted = false;
    machine->horizon = &past.horizon;
    machine->pause_wanted = false;
    serve(&past, parent);
}
