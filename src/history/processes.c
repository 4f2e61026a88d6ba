/* Processes of the past: from which snapshot one is opened, and what it is asked. */
#include "src/history/history_state.h"

#include "src/base/host_time.h"
#include "src/host/external_log.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A way to the target that takes longer than this is made shorter for the next time: a copy stays where the last
 * NEAR_SHARE-th of it begins. */
#define LONG_WAY_NSEC 10000000
enum { NEAR_SHARE = 16 };

enum { PATIENCE_MS = 3000 /* of a process of the past, before it is ended */ };

bool history_is_ending(const struct history *history)
{
    return history->front.is_ending(history->front.opaque);
}

/* Wait until FD's process has answered, or has ended. Who does not want to wait tells it so, and waits a little. False:
 * it does not answer. */
static bool await(const struct history *history, int fd)
{
    struct pollfd inputs[] = {{.fd = fd, .events = POLLIN},
                              {.fd = history->front.interrupt_fd(history->front.opaque), .events = POLLIN}};
    while (!history_is_ending(history)) {
        const int ready = poll(inputs, 2, -1);
        if ((ready > 0 && inputs[0].revents) || (ready < 0 && errno != EINTR))
            return true;
        if (ready > 0 && inputs[1].revents)
            break;
    }
    channel_send(fd, CHANNEL_INTERRUPT, NULL, 0, -1);
    return poll(inputs, 1, PATIENCE_MS) > 0;
}

void past_process_close(struct past_process *process)
{
    if (process->fd < 0)
        return;
    close(process->fd); /* which ends it */
    process->fd = -1;
}

/* Receive the answer of PROCESS; what follows its head is *REST, to be freed, unless NULL. */
static enum reply receive(const struct history *history, struct past_process *process, char **rest, size_t *size,
                          struct err *err)
{
    struct channel_message message;
    const bool answered = await(history, process->fd);
    if (!answered && process->last.pid > 0)
        kill(process->last.pid, SIGKILL);
    if (!answered || !channel_receive(process->fd, &message)) {
        err_set(err, history_is_ending(history) ? "interrupted" : "history: a process of the past has ended by itself");
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
enum reply past_process_request(const struct history *history, struct past_process *process, enum channel_kind kind,
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
enum reply past_process_open(const struct history *history, const struct snapshot *base, struct past_process *process,
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
        past_process_close(process);
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
unsigned history_latest_before(const struct history *history, const struct history_target *target)
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

void history_drop_near(struct history *history, unsigned number)
{
    snapshot_end(&history->near[number]);
    history->near_count--;
    memmove(&history->near[number], &history->near[number + 1],
            (history->near_count - number) * sizeof history->near[0]);
}

/* How far a process may run that is a copy of snapshot NUMBER: to a change by hand, or to the present. Several CPUs may
 * be ahead of the present time by a quantum. */
struct machine_limits history_horizon_of(const struct history *history, unsigned number, bool *to_change)
{
    const struct machine *machine = history->machine;
    const struct snapshots *snapshots = &history->snapshots;
    struct history_position end = history_present(history);
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
    const struct past_go go = {.target = *target, .horizon = history_horizon_of(history, number, &process->to_change)};
    return past_process_request(history, process, CHANNEL_GO, &go, sizeof go, NULL, NULL, err);
}

/* Leave a copy of snapshot NUMBER, or of what is nearer, shortly before TARGET, for now and for the next time. */
static void shorten_way(struct history *history, unsigned number, const struct history_target *target)
{
    struct past_process process;
    struct err err = {""};
    const struct snapshot *base = &history->snapshots.list[number];
    const struct history_target before = {.unit = HISTORY_INSNS,
                                          .value = target->value - (target->value - base->at.insns) / NEAR_SHARE};
    if (past_process_open(history, base, &process, &err) != REPLY_DONE)
        return;
    if (go_process(history, &process, number, &before, &err) != REPLY_DONE) {
        past_process_close(&process);
        return;
    }
    if (history->near_count == NEAR_MAX) /* the oldest one that the place is no copy of */
        history_drop_near(history, history_is_past(history) && history->past.base.pid == history->near[NEAR_MAX - 1].pid
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

/* Make room for one process more, but keep snapshot *NUMBER, which may get another number. False with ERR, which says
 * WHAT needs it. */
static bool make_room(struct history *history, unsigned *number, const char *what, struct err *err)
{
    const uint64_t room = snapshots_own_memory() + history_held_by_copies(history);
    return snapshots_make_room(&history->snapshots, room, number) ||
           err_set(err, "history: memory= is too small to %s: %" PRIu64 " MB are needed", what,
                   (snapshots_held(&history->snapshots) + room) >> 20);
}

/* This process, whose parent is PARENT, is to be the snapshot asleep in FILE: load it and wait. */
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
enum reply history_wake(struct history *history, unsigned *number, struct err *err)
{
    int ends[2];
    if (history->snapshots.list[*number].pid != 0)
        return REPLY_DONE;
    if (!make_room(history, number, "load a checkpoint", err))
        return REPLY_FAILED;
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
    enum reply reply = past_process_open(history, near == UINT32_MAX ? base : &history->near[near], process, err);
    if (reply == REPLY_NONE && near != UINT32_MAX && !history_is_ending(history)) {
        history_drop_near(history, near);
        reply = past_process_open(history, base, process, err);
    }
    if (reply != REPLY_DONE)
        return reply;
    reply = go_process(history, process, number, target, err);
    if (reply != REPLY_DONE)
        past_process_close(process);
    return reply;
}

/* Snapshot NUMBER has ended by itself: it is no more, and ERR is of no interest. */
void history_lose(struct history *history, unsigned number, struct err *err)
{
    history->counts.lost++;
    snapshots_drop(&history->snapshots, number);
    *err = (struct err){""};
}

/* Open a process at TARGET, from the snapshot that is best. A snapshot that has ended by itself is no more. */
bool history_open_best(struct history *history, const struct history_target *target, struct past_process *process,
                       struct err *err)
{
    for (;;) {
        unsigned number = history_latest_before(history, target);
        if (number == UINT32_MAX)
            return err_set(err, "the past begins after %" PRIu64 " instructions, at %.9f s",
                           history_first(history).insns,
                           (double)history_first(history).time / (double)history->machine->queue->clock_hz);
        if (!make_room(history, &number, "go back", err))
            return false;
        enum reply reply = history_wake(history, &number, err);
        if (reply == REPLY_DONE)
            reply = open_at(history, number, target, process, err);
        if (reply == REPLY_DONE)
            return true;
        if (reply == REPLY_FAILED || history_is_ending(history))
            return false;
        history_lose(history, number, err);
    }
}
