#include "src/history/history.h"

#include "src/base/array.h"
#include "src/base/host_time.h"
#include "src/history/channel.h"
#include "src/history/past.h"
#include "src/history/snapshots.h"
#include "src/host/external_log.h"
#include "src/machine/board_disks.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Snapshots by time: the share of the host's time that they may take, the time that a page fault costs, how close they
 * may be, and how long none is tried after the host has refused one. */
#define SHARE        20
#define FAULT_NSEC   4000
#define CLOSEST_NSEC 20000000
#define REFUSED_NSEC 2000000000

/* A way to the target that takes longer than this is made shorter for the next time: a copy stays where the last
 * NEAR_SHARE-th of it begins. */
#define LONG_WAY_NSEC 10000000
enum { NEAR_SHARE = 16, NEAR_MAX = 2 };

enum { PATIENCE_MS = 3000 /* of a process of the past, before it is ended */ };

/* A process of the past. */
struct past_process {
    int fd; /* -1: none */
    struct past_answer last;
    struct snapshot base; /* what it is a copy of */
    bool to_change;       /* its horizon is a change by hand, not the present */
};

struct mark {
    char name[CONTROL_NAME_MAX + 1];
    uint64_t insns;
};

struct history {
    struct machine *machine;
    struct history_options options;
    struct history_front front;
    struct machine_keeper keeper;
    struct snapshots snapshots;
    bool changed;    /* by hand, since the last snapshot or run */
    nsec taken_at;   /* the last snapshot, ... */
    nsec taken_for;  /* ... and how long that took */
    nsec refused_at; /* 0: never */
    nsec polled_at;  /* when the machine was last seen to run; it was at: */
    struct history_position polled;
    struct history_counts counts;
    struct past_process past;       /* where one is */
    struct snapshot near[NEAR_MAX]; /* the latest first */
    unsigned near_count;
    struct mark *marks; /* by array_room(), in order */
    size_t mark_count;
};

/* Positions */

static struct history_position position_of(const struct machine *machine)
{
    return (struct history_position){machine_now(machine), machine_insns(machine)};
}

struct history_position history_present(const struct history *history)
{
    return position_of(history->machine);
}

struct history_position history_first(const struct history *history)
{
    return history->snapshots.count ? history->snapshots.list[0].at : history_present(history);
}

bool history_is_past(const struct history *history)
{
    return history && history->past.fd >= 0;
}

struct history_position history_place(const struct history *history)
{
    return history_is_past(history) ? history->past.last.position : history_present(history);
}

uint64_t history_cpu_insns(const struct history *history, unsigned cpu)
{
    return history_is_past(history) ? history->past.last.cpu_insns[cpu] : history->machine->cores[cpu]->s.insns;
}

uint64_t history_first_cpu_insns(const struct history *history, unsigned cpu)
{
    return history->snapshots.count ? history->snapshots.list[0].cpu_insns[cpu] : history_cpu_insns(history, cpu);
}

/* Taking snapshots */

/* What the copies of snapshots hold that there are. */
static uint64_t held_by_copies(const struct history *history)
{
    uint64_t held = history_is_past(history) ? snapshot_alone(history->past.last.pid) : 0;
    for (unsigned i = 0; i < history->near_count; i++)
        held += snapshot_alone(history->near[i].pid);
    return held;
}

static void note_refusal(struct history *history, const char *reason)
{
    if (history->counts.refused++ == 0)
        fprintf(stderr, "simos: --history: a snapshot is left out: %s\n", reason);
    history->refused_at = host_time();
}

static void take(struct history *history, bool changed)
{
    const struct machine *machine = history->machine;
    unsigned none = UINT32_MAX;
    struct err err = {""};
    int ends[2];
    const nsec start = host_time();
    history->taken_at = start;
    if (!snapshots_make_room(&history->snapshots, snapshots_own_memory() + held_by_copies(history), &none)) {
        note_refusal(history, "memory= is less than the machine holds");
        return;
    }
    if (!channel_create(ends, &err)) {
        note_refusal(history, err.text);
        return;
    }
    struct snapshot snapshot = {.fd = ends[0],
                                .at = position_of(machine),
                                .log = external_log_count(machine->external),
                                .taken = start,
                                .is_changed = changed};
    for (unsigned i = 0; i < machine->cpus; i++)
        snapshot.cpu_insns[i] = machine->cores[i]->s.insns;
    const pid_t self = getpid();
    snapshots_measure_last(&history->snapshots);
    snapshot.pid = fork();
    if (snapshot.pid == 0)
        past_wait(history->machine, &history->front, ends[1], self);
    const int error = errno;
    close(ends[1]);
    if (snapshot.pid < 0) {
        close(ends[0]);
        note_refusal(history, strerror(error));
        return;
    }
    snapshots_add(&history->snapshots, &snapshot);
    history->taken_for = host_time() - start;
    history->changed = false;
}

static void begin_run(void *opaque)
{
    struct history *history = opaque;
    const struct snapshots *snapshots = &history->snapshots;
    if (snapshots->count == 0 || snapshots->list[snapshots->count - 1].file || history->changed)
        take(history, history->changed);
}

static bool is_due(void *opaque)
{
    struct history *history = opaque;
    const nsec now = host_time(), passed = now - history->taken_at;
    history->polled = position_of(history->machine);
    history->polled_at = now;
    if (history->refused_at && now - history->refused_at < REFUSED_NSEC)
        return false;
    if (history->options.every) {
        const struct snapshots *snapshots = &history->snapshots;
        return snapshots->count == 0 || machine_insns(history->machine) >=
                                            snapshots->list[snapshots->count - 1].at.insns + history->options.every;
    }
    if (passed < CLOSEST_NSEC || passed < SHARE * history->taken_for)
        return false;
    return passed >= SHARE * (history->taken_for + snapshots_faults(&history->snapshots) * FAULT_NSEC);
}

static void keep(void *opaque)
{
    take(opaque, false);
}

void history_changed(struct history *history)
{
    if (history)
        history->changed = true;
}

/* Marks */

void history_note_mark(struct history *history, const char *name)
{
    if (!history)
        return;
    for (unsigned i = 0; i < history->machine->cpus; i++)
        core_sync(history->machine->cores[i]);
    history->marks = array_room(history->marks, history->mark_count, sizeof *history->marks);
    struct mark *mark = &history->marks[history->mark_count++];
    snprintf(mark->name, sizeof mark->name, "%s", name);
    mark->insns = machine_insns(history->machine);
}

bool history_mark(const struct history *history, const char *name, uint64_t *insns)
{
    const uint64_t place = history_place(history).insns;
    for (size_t i = history->mark_count; i > 0; i--)
        if (history->marks[i - 1].insns <= place && strcmp(history->marks[i - 1].name, name) == 0) {
            *insns = history->marks[i - 1].insns;
            return true;
        }
    return false;
}

/* Processes of the past */

static bool is_ending(const struct history *history)
{
    return history->front.is_ending(history->front.opaque);
}

/* Wait until FD's process has answered, or has ended. Who does not want to wait tells it so, and waits a little. False:
 * it does not answer. */
static bool await(const struct history *history, int fd)
{
    struct pollfd inputs[] = {{.fd = fd, .events = POLLIN},
                              {.fd = history->front.interrupt_fd(history->front.opaque), .events = POLLIN}};
    while (!is_ending(history)) {
        const int ready = poll(inputs, 2, -1);
        if ((ready > 0 && inputs[0].revents) || (ready < 0 && errno != EINTR))
            return true;
        if (ready > 0 && inputs[1].revents)
            break;
    }
    channel_send(fd, CHANNEL_INTERRUPT, NULL, 0, -1);
    return poll(inputs, 1, PATIENCE_MS) > 0;
}

static void close_process(struct past_process *process)
{
    if (process->fd < 0)
        return;
    close(process->fd); /* which ends it */
    process->fd = -1;
}

enum reply { REPLY_DONE, REPLY_FAILED, REPLY_NONE /* it has ended, or does not answer */ };

/* Receive the answer of PROCESS; what follows its head is *REST, to be freed, unless NULL. */
static enum reply receive(const struct history *history, struct past_process *process, char **rest, size_t *size,
                          struct err *err)
{
    struct channel_message message;
    const bool answered = await(history, process->fd);
    if (!answered && process->last.pid > 0)
        kill(process->last.pid, SIGKILL);
    if (!answered || !channel_receive(process->fd, &message)) {
        err_set(err, is_ending(history) ? "interrupted" : "history: a process of the past has ended by itself");
        return REPLY_NONE;
    }
    const bool done = message.kind == CHANNEL_DONE && message.size >= sizeof process->last;
    if (!done)
        err_set(err, "%s", message.bytes);
    else {
        memcpy(&process->last, message.bytes, sizeof process->last);
        if (rest) {
            *size = message.size - sizeof process->last;
            *rest = checked_memory(malloc(*size + 1));
            memcpy(*rest, message.bytes + sizeof process->last, *size + 1);
        }
    }
    free(message.bytes);
    return done ? REPLY_DONE : REPLY_FAILED;
}

/* Send a request to PROCESS and receive its answer. */
static enum reply request(const struct history *history, struct past_process *process, enum channel_kind kind,
                          const void *bytes, size_t size, char **rest, size_t *rest_size, struct err *err)
{
    if (channel_send(process->fd, kind, bytes, size, -1))
        return receive(history, process, rest, rest_size, err);
    err_set(err, "history: a process of the past has ended by itself");
    return REPLY_NONE;
}

/* The input that has come since there were FIRST. */
static char *log_since(const struct history *history, size_t first, size_t *size)
{
    char *bytes = NULL;
    FILE *out = checked_memory(open_memstream(&bytes, size));
    external_log_write(history->machine->external, first, out);
    fclose(out);
    return bytes;
}

/* Let BASE make a copy of itself. */
static enum reply open_process(const struct history *history, const struct snapshot *base, struct past_process *process,
                               struct err *err)
{
    int ends[2];
    size_t size;
    *process = (struct past_process){.fd = -1, .base = *base};
    if (!channel_create(ends, err))
        return REPLY_FAILED;
    char *log = log_since(history, base->log, &size);
    const bool sent = channel_send(base->fd, CHANNEL_FORK, log, size, ends[1]);
    free(log);
    close(ends[1]);
    process->fd = ends[0];
    const enum reply reply = sent ? receive(history, process, NULL, NULL, err) : REPLY_NONE;
    if (!sent)
        err_set(err, "history: a snapshot has ended by itself");
    if (reply != REPLY_DONE)
        close_process(process);
    return reply;
}

/* Which snapshot */

static bool is_at_or_before(const struct snapshot *snapshot, const struct history_target *target)
{
    switch (target->unit) {
    case HISTORY_INSNS: return snapshot->at.insns <= target->value;
    case HISTORY_CPU_INSNS: return snapshot->cpu_insns[target->cpu] <= target->value;
    case HISTORY_TIME: return snapshot->at.time <= target->value;
    }
    log_bug("unit %d of a target", (int)target->unit);
}

/* The latest snapshot at or before TARGET: its number, or UINT32_MAX. */
static unsigned latest_before(const struct history *history, const struct history_target *target)
{
    unsigned number = history->snapshots.count;
    while (number > 0 && !is_at_or_before(&history->snapshots.list[number - 1], target))
        number--;
    return number > 0 ? number - 1 : UINT32_MAX;
}

/* The near snapshot from which the way to TARGET is shorter than from snapshot NUMBER; UINT32_MAX: none. */
static unsigned nearer(const struct history *history, unsigned number, const struct history_target *target)
{
    const struct snapshot *base = &history->snapshots.list[number];
    unsigned best = UINT32_MAX;
    for (unsigned i = 0; i < history->near_count; i++) {
        const struct snapshot *near = &history->near[i];
        if (is_at_or_before(near, target) && near->at.insns > base->at.insns &&
            (best == UINT32_MAX || near->at.insns > history->near[best].at.insns))
            best = i;
    }
    return best;
}

static void drop_near(struct history *history, unsigned number)
{
    snapshot_end(&history->near[number]);
    history->near_count--;
    memmove(&history->near[number], &history->near[number + 1],
            (history->near_count - number) * sizeof history->near[0]);
}

/* How far a process may run that is a copy of snapshot NUMBER: to a change by hand, or to the present. Several CPUs may
 * be ahead of the present time by a quantum. */
static struct machine_limits horizon_of(const struct history *history, unsigned number, bool *to_change)
{
    const struct machine *machine = history->machine;
    const struct snapshots *snapshots = &history->snapshots;
    struct history_position end = position_of(machine);
    *to_change = false;
    for (unsigned i = number + 1; i < snapshots->count && !*to_change; i++)
        if (snapshots->list[i].is_changed) {
            end = snapshots->list[i].at;
            *to_change = true;
        }
    return (struct machine_limits){end.time + (machine->cpus > 1 ? machine->quantum : 0), end.insns};
}

/* Going */

/* The first snapshot that was taken here; NULL: none. */
static const struct snapshot *first_taken(const struct history *history)
{
    for (unsigned i = 0; i < history->snapshots.count; i++)
        if (!history->snapshots.list[i].file)
            return &history->snapshots.list[i];
    return NULL;
}

/* Has the host needed long for so many instructions? */
static bool is_long_way(const struct history *history, const struct snapshot *base, const struct history_target *target)
{
    const struct snapshot *first = first_taken(history);
    if (target->unit != HISTORY_INSNS || !first || history->polled_at <= first->taken)
        return false;
    const double insns = (double)(history->polled.insns - first->at.insns);
    const double time = (double)(history->polled_at - first->taken);
    return (double)(target->value - base->at.insns) * time > insns * (double)LONG_WAY_NSEC;
}

static enum reply go_process(const struct history *history, struct past_process *process, unsigned number,
                             const struct history_target *target, struct err *err)
{
    const struct past_go go = {.target = *target, .horizon = horizon_of(history, number, &process->to_change)};
    return request(history, process, CHANNEL_GO, &go, sizeof go, NULL, NULL, err);
}

/* Leave a copy of snapshot NUMBER, or of what is nearer, shortly before TARGET, for now and for the next time. */
static void shorten_way(struct history *history, unsigned number, const struct history_target *target)
{
    struct past_process process;
    struct err err = {""};
    const struct snapshot *base = &history->snapshots.list[number];
    const struct history_target before = {.unit = HISTORY_INSNS,
                                          .value = target->value - (target->value - base->at.insns) / NEAR_SHARE};
    if (open_process(history, base, &process, &err) != REPLY_DONE)
        return;
    if (go_process(history, &process, number, &before, &err) != REPLY_DONE) {
        close_process(&process);
        return;
    }
    if (history->near_count == NEAR_MAX) /* the oldest one that the place is no copy of */
        drop_near(history, history_is_past(history) && history->past.base.pid == history->near[NEAR_MAX - 1].pid
                               ? NEAR_MAX - 2
                               : NEAR_MAX - 1);
    memmove(&history->near[1], &history->near[0], history->near_count * sizeof history->near[0]);
    history->near_count++;
    history->near[0] = (struct snapshot){.pid = process.last.pid,
                                         .is_copy = true,
                                         .origin = base->pid,
                                         .fd = process.fd,
                                         .at = process.last.position,
                                         .log = base->log + process.last.replayed};
    memcpy(history->near[0].cpu_insns, process.last.cpu_insns, sizeof process.last.cpu_insns);
}

/* Is NEAR as close to TARGET, from BASE, as a new one would be, but for a factor of two? */
static bool is_most_of_way(const struct snapshot *base, const struct snapshot *near,
                           const struct history_target *target)
{
    return (target->value - near->at.insns) * NEAR_SHARE <= 2 * (target->value - base->at.insns);
}

/* This process is to be snapshot number N, asleep in a file, of the process PARENT: load it and wait. */
static _Noreturn void load_and_wait(const struct history *history, const char *file, int fd, int parent)
{
    struct err err = {""};
    struct machine *machine = history->front.load(history->front.opaque, file, &err);
    if (!machine) {
        fprintf(stderr, "simos: --history: %s\n", err.text);
        _exit(1);
    }
    past_wait(machine, &history->front, fd, parent);
}

/* Let snapshot *NUMBER have a process, which loads its file if it has none. Returns with *NUMBER changed if others had
 * to go. */
static enum reply wake(struct history *history, unsigned *number, struct err *err)
{
    int ends[2];
    if (history->snapshots.list[*number].pid != 0)
        return REPLY_DONE;
    const uint64_t room = snapshots_own_memory() + held_by_copies(history);
    if (!snapshots_make_room(&history->snapshots, room, number)) {
        err_set(err, "history: memory= is too small to load a checkpoint: %" PRIu64 " MB are needed",
                (snapshots_held(&history->snapshots) + room) >> 20);
        return REPLY_FAILED;
    }
    struct snapshot *snapshot = &history->snapshots.list[*number];
    if (!channel_create(ends, err))
        return REPLY_FAILED;
    const pid_t self = getpid(), pid = fork();
    if (pid == 0)
        load_and_wait(history, snapshot->file, ends[1], self);
    const int error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        err_set(err, "history: no process for %.200s: %s", snapshot->file, strerror(error));
        return REPLY_FAILED;
    }
    snapshot->pid = pid;
    snapshot->fd = ends[0];
    snapshot->own = snapshots_own_memory();
    return REPLY_DONE;
}

/* Open a process at TARGET, in *PROCESS, from snapshot NUMBER. */
static enum reply open_at(struct history *history, unsigned number, const struct history_target *target,
                          struct past_process *process, struct err *err)
{
    const struct snapshot *base = &history->snapshots.list[number];
    unsigned near = nearer(history, number, target);
    if (is_long_way(history, near == UINT32_MAX ? base : &history->near[near], target) &&
        (near == UINT32_MAX || !is_most_of_way(base, &history->near[near], target))) {
        shorten_way(history, number, target);
        near = nearer(history, number, target);
    }
    enum reply reply = open_process(history, near == UINT32_MAX ? base : &history->near[near], process, err);
    if (reply == REPLY_NONE && near != UINT32_MAX && !is_ending(history)) {
        drop_near(history, near);
        reply = open_process(history, base, process, err);
    }
    if (reply != REPLY_DONE)
        return reply;
    reply = go_process(history, process, number, target, err);
    if (reply != REPLY_DONE)
        close_process(process);
    return reply;
}

/* Snapshot NUMBER has ended by itself: it is no more, and ERR is of no interest. */
static void lose(struct history *history, unsigned number, struct err *err)
{
    history->counts.lost++;
    snapshots_drop(&history->snapshots, number);
    *err = (struct err){""};
}

/* Open a process at TARGET, from the snapshot that is best. A snapshot that has ended by itself is no more. */
static bool open_best(struct history *history, const struct history_target *target, struct past_process *process,
                      struct err *err)
{
    for (;;) {
        unsigned number = latest_before(history, target);
        if (number == UINT32_MAX)
            return err_set(err, "the past begins after %" PRIu64 " instructions, at %.9f s",
                           history_first(history).insns,
                           (double)history_first(history).time / (double)history->machine->queue->clock_hz);
        const uint64_t room = snapshots_own_memory() + held_by_copies(history);
        if (!snapshots_make_room(&history->snapshots, room, &number))
            return err_set(err, "history: memory= is too small to go back: %" PRIu64 " MB are needed",
                           (snapshots_held(&history->snapshots) + room) >> 20);
        enum reply reply = wake(history, &number, err);
        if (reply == REPLY_DONE)
            reply = open_at(history, number, target, process, err);
        if (reply == REPLY_DONE)
            return true;
        if (reply == REPLY_FAILED || is_ending(history))
            return false;
        lose(history, number, err);
    }
}

static bool is_reached(const struct past_process *process, const struct history_target *target)
{
    switch (target->unit) {
    case HISTORY_INSNS: return process->last.position.insns == target->value;
    case HISTORY_CPU_INSNS: return process->last.cpu_insns[target->cpu] == target->value;
    case HISTORY_TIME: return process->last.position.time >= target->value;
    }
    log_bug("unit %d of a target", (int)target->unit);
}

/* Is TARGET the present, or later? */
static bool is_behind(const struct history *history, const struct history_target *target, bool *at)
{
    const struct history_position present = position_of(history->machine);
    const uint64_t value = target->unit == HISTORY_INSNS  ? present.insns
                           : target->unit == HISTORY_TIME ? present.time
                                                          : history->machine->cores[target->cpu]->s.insns;
    *at = target->value == value;
    return target->value > value;
}

bool history_go(struct history *history, const struct history_target *target, struct err *err)
{
    struct past_process process;
    bool at;
    if (is_behind(history, target, &at))
        return err_set(err, "the present is after %" PRIu64 " instructions, at %.9f s", history_present(history).insns,
                       (double)history_present(history).time / (double)history->machine->queue->clock_hz);
    if (at) {
        history_return(history);
        return true;
    }
    if (!open_best(history, target, &process, err))
        return false;
    if (!is_reached(&process, target)) {
        close_process(&process);
        return err_set(err, "history: the machine was changed by hand there");
    }
    history_return(history);
    history->past = process;
    history->snapshots.needed = process.base.is_copy ? process.base.origin : process.base.pid;
    return true;
}

void history_return(struct history *history)
{
    close_process(&history->past);
    history->snapshots.needed = 0;
}

/* Asking */

/* The process of the past has come to its horizon: behind it is the present, or another snapshot. */
static enum history_outcome go_across(struct history *history, struct err *err)
{
    const struct history_target target = {.unit = HISTORY_INSNS, .value = history->past.last.position.insns};
    if (!history->past.to_change) {
        history_return(history);
        return HISTORY_PRESENT;
    }
    return history_go(history, &target, err) ? HISTORY_CHANGE : HISTORY_FAILED;
}

enum history_outcome history_ask(struct history *history, const char *question, size_t question_size, char **answer,
                                 size_t *size, struct err *err)
{
    struct past_process *past = &history->past;
    const struct history_position before = past->last.position;
    const enum reply reply = request(history, past, CHANNEL_ASK, question, question_size, answer, size, err);
    if (reply == REPLY_NONE)
        history_return(history);
    if (reply != REPLY_DONE)
        return HISTORY_FAILED;
    const struct history_position now = past->last.position;
    const bool moved = now.insns != before.insns || now.time != before.time;
    return past->last.at_horizon && moved ? go_across(history, err) : HISTORY_STAYED;
}

bool history_peek(struct history *history, const struct history_target *target, const char *question,
                  size_t question_size, char **answer, size_t *size, struct err *err)
{
    struct past_process process;
    if (!open_best(history, target, &process, err))
        return false;
    const enum reply reply = request(history, &process, CHANNEL_ASK, question, question_size, answer, size, err);
    close_process(&process);
    return reply == REPLY_DONE;
}

/* Finding */

/* Ask a process that has been opened, and end it. *EVENTS, COUNT of them, is to be freed. */
static enum reply find_in(const struct history *history, struct past_process *process, const struct past_find *find,
                          struct find_event **events, size_t *count, struct err *err)
{
    char *rest = NULL;
    size_t size = 0;
    const enum reply reply = request(history, process, CHANNEL_FIND, find, sizeof *find, &rest, &size, err);
    *events = (struct find_event *)(void *)rest;
    *count = size / sizeof **events;
    close_process(process);
    return reply;
}

/* Ask snapshot *NUMBER, whose number may change. */
static enum reply find_from(struct history *history, unsigned *number, struct past_find *find,
                            struct find_event **events, size_t *count, struct err *err)
{
    struct past_process process;
    bool to_change;
    *events = NULL;
    *count = 0;
    enum reply reply = wake(history, number, err);
    if (reply != REPLY_DONE)
        return reply;
    find->horizon = horizon_of(history, *number, &to_change);
    reply = open_process(history, &history->snapshots.list[*number], &process, err);
    return reply == REPLY_DONE ? find_in(history, &process, find, events, count, err) : reply;
}

/* What changes a register is looked for instruction by instruction, which takes long: so in stretches before the place
 * that become longer. */
static bool find_change(struct history *history, const struct find_request *request, struct history_position until,
                        bool *found, struct find_event *event, struct err *err)
{
    enum { FIRST_STRETCH = 10000, LONGER = 8 };
    struct past_find find = {.request = *request, .until = until};
    const uint64_t first = history_first(history).insns;
    for (uint64_t stretch = FIRST_STRETCH; !*found && find.until.insns > first; stretch *= LONGER) {
        struct past_process process;
        struct find_event *events;
        size_t count;
        const uint64_t from = find.until.insns - first > stretch ? find.until.insns - stretch : first;
        const struct history_target target = {.unit = HISTORY_INSNS, .value = from};
        if (!open_best(history, &target, &process, err))
            return false;
        const unsigned number = latest_before(history, &target);
        bool to_change;
        find.horizon = horizon_of(history, number == UINT32_MAX ? 0 : number, &to_change);
        if (find_in(history, &process, &find, &events, &count, err) != REPLY_DONE)
            return false;
        *found = count > 0;
        if (*found)
            *event = events[count - 1];
        free(events);
        find.until = (struct history_position){.insns = from};
    }
    return true;
}

bool history_find(struct history *history, const struct find_request *request, struct history_position until,
                  bool *found, struct find_event *event, struct err *err)
{
    struct past_find find = {.request = *request, .until = until};
    const struct history_target place = {.unit = HISTORY_INSNS, .value = find.until.insns};
    unsigned number = latest_before(history, &place);
    *found = false;
    if (request->count && request->points[0].kind == FIND_CHANGE)
        return find_change(history, request, until, found, event, err);
    while (number != UINT32_MAX && !*found) {
        struct find_event *events;
        size_t count;
        const enum reply reply = find_from(history, &number, &find, &events, &count, err);
        *found = count > 0;
        if (*found)
            *event = events[count - 1];
        free(events);
        if (reply == REPLY_FAILED || is_ending(history))
            return false;
        if (reply == REPLY_NONE)
            lose(history, number, err);
        else
            find.until = history->snapshots.list[number].at;
        number = number > 0 ? number - 1 : UINT32_MAX;
    }
    return true;
}

static void append(struct find_event **events, size_t *count, const struct find_event *more, size_t more_count,
                   uint64_t from)
{
    for (size_t i = 0; i < more_count; i++) {
        if (more[i].insns < from)
            continue;
        *events = array_room(*events, *count, sizeof **events);
        (*events)[(*count)++] = more[i];
    }
}

bool history_find_all(struct history *history, const struct find_request *request, uint64_t from, uint64_t to,
                      struct find_event **events, size_t *count, struct err *err)
{
    struct past_find find = {.request = *request};
    const struct history_target begin = {.unit = HISTORY_INSNS, .value = from};
    const struct snapshots *snapshots = &history->snapshots;
    unsigned number = latest_before(history, &begin);
    *events = NULL;
    *count = 0;
    find.request.all = true;
    if (number == UINT32_MAX)
        number = 0;
    while (number < snapshots->count && snapshots->list[number].at.insns < to) {
        struct find_event *more;
        size_t more_count;
        const struct history_position end =
            number + 1 < snapshots->count ? snapshots->list[number + 1].at : history_present(history);
        find.until = end.insns < to ? end : (struct history_position){.insns = to};
        const enum reply reply = find_from(history, &number, &find, &more, &more_count, err);
        append(events, count, more, more_count, from);
        free(more);
        if (reply == REPLY_DONE)
            number++;
        else if (reply == REPLY_NONE && !is_ending(history) && number > 0)
            lose(history, number--, err);
        else
            return false;
    }
    return true;
}

/* Begin and end */

/* Take "series=FOLDER" from *TEXT; false: it is something else. */
static bool take_series(char **series, const char **text)
{
    static const char name[] = "series=";
    const size_t length = strlen(name);
    if (*series || strncmp(*text, name, length) != 0 || (*text)[length] == 0 || (*text)[length] == ',')
        return false;
    const char *folder = *text + length, *end = strchrnul(folder, ',');
    *series = checked_memory(strndup(folder, (size_t)(end - folder)));
    *text = *end ? end + 1 : end;
    return true;
}

bool history_options_parse(struct history_options *options, char **series, const char *text, struct err *err)
{
    *options = HISTORY_DEFAULTS;
    *series = NULL;
    while (*text) {
        char *end = NULL;
        if (take_series(series, &text))
            continue;
        const bool every = strncmp(text, "every=", 6) == 0, memory = strncmp(text, "memory=", 7) == 0;
        const char *number = text + (every ? 6 : 7);
        const unsigned long long value = every || memory ? strtoull(number, &end, 10) : 0;
        const unsigned shift = !memory || !end ? 0 : *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
        if (end && shift)
            end++;
        if (!end || *number < '0' || *number > '9' || (*end && *end != ',') || value == 0 ||
            value > UINT64_MAX >> 1 >> shift)
            return err_set(err, "--history \"%.100s\": expected every=INSTRUCTIONS, memory=SIZE or series=FOLDER",
                           text);
        *(every ? &options->every : &options->memory) = (uint64_t)value << shift;
        text = *end ? end + 1 : end;
    }
    return true;
}

/* Does the guest change no file of the host that it reads again? */
static bool check_disks(const struct machine *machine, struct err *err)
{
    struct disk_text *disk = checked_memory(calloc(1, sizeof *disk));
    bool good = true;
    for (unsigned i = 0; i < BOARD_DISKS && good; i++) {
        char name[32];
        snprintf(name, sizeof name, "machine.disk%u", i);
        board_disk_parse(disk, params_string(machine->params, name));
        if (disk->overlay || disk->mode == DISK_WRITE_THROUGH)
            good = err_set(err, "--history: %s %.200s is written to a file, which has no past; use it read-only", name,
                           disk->path);
    }
    free(disk);
    return good;
}

struct history *history_begin(struct machine *machine, const struct history_options *options,
                              const struct history_front *front, struct err *err)
{
    if (!check_disks(machine, err))
        return NULL;
    const uint64_t own = snapshots_own_memory();
    if (2 * own > options->memory) {
        err_set(err, "--history: memory=%" PRIu64 "M is too little: this machine needs %" PRIu64 "M at least",
                options->memory >> 20, (2 * own >> 20) + 1);
        return NULL;
    }
    struct history *history = checked_memory(calloc(1, sizeof *history));
    history->machine = machine;
    history->options = *options;
    history->front = *front;
    history->snapshots.limit = options->memory;
    history->past.fd = -1;
    history->keeper = (struct machine_keeper){begin_run, is_due, keep, history};
    machine->keeper = &history->keeper;
    external_log_begin(machine->external);
    return history;
}

void history_add_file(struct history *history, const struct history_file *file)
{
    struct snapshots *snapshots = &history->snapshots;
    if (snapshots->count == HISTORY_FILES_MAX)
        log_bug("more than %d files of the past", HISTORY_FILES_MAX);
    struct snapshot *snapshot = &snapshots->list[snapshots->count++];
    *snapshot = (struct snapshot){.file = file->path, .fd = -1, .at = file->at};
    memcpy(snapshot->cpu_insns, file->cpu_insns, history->machine->cpus * sizeof *file->cpu_insns);
}

void history_end(struct history *history)
{
    if (!history)
        return;
    history_return(history);
    while (history->near_count)
        drop_near(history, history->near_count - 1);
    while (history->snapshots.count)
        snapshots_drop(&history->snapshots, history->snapshots.count - 1);
    external_log_end(history->machine->external);
    history->machine->keeper = NULL;
    free(history->marks);
    free(history);
}

struct history_counts history_counts(const struct history *history)
{
    struct history_counts counts = history->counts;
    counts.snapshots = history->snapshots.count + history->near_count;
    counts.bytes = snapshots_held(&history->snapshots) + held_by_copies(history);
    counts.limit = history->options.memory;
    return counts;
}
