#include "src/host/external.h"

#include "src/host/external_log.h"
#include "src/host/external_state.h"
#include "src/base/event.h"
#include "src/base/host_time.h"
#include "src/host/replay_state.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND   1000000000u
#define LONGEST  SECOND /* longest sleep of the host */
#define NO_LIMIT UINT64_MAX

/* Sources */

struct external *external_create(const struct external_owner *owner, struct record *record,
                                 const struct replay_machine *replay)
{
    struct external *external = checked_memory(calloc(1, sizeof *external));
    external->owner = *owner;
    external->record = record;
    external->replay = replay;
    external->replay_path = replay ? replay_path(replay->replay) : NULL;
    return external;
}

void external_free(struct external *external)
{
    if (!external)
        return;
    while (external->sources)
        external_remove(external->sources);
    external_log_end(external);
    free(external->waits.fds);
    free(external);
}

void external_end(struct external *external)
{
    if (external)
        external_record_end(external);
}

struct external_source *external_add(struct external *external, const char *name, const struct external_ops *ops,
                                     void *opaque)
{
    struct external_source **link = &external->sources;
    for (; *link; link = &(*link)->next)
        if (strcmp((*link)->name, name) == 0)
            log_bug("two inputs called %s", name);
    struct external_source *source = checked_memory(calloc(1, sizeof *source));
    *source = (struct external_source){.external = external, .name = name, .ops = ops, .opaque = opaque};
    *link = source;
    return source;
}

void external_remove(struct external_source *source)
{
    if (!source)
        return;
    struct external_source **link = &source->external->sources;
    while (*link != source)
        link = &(*link)->next;
    *link = source->next;
    free(source);
}

bool external_replaying(const struct external *external)
{
    return external->replay != NULL;
}

/* Input */

void external_deliver(struct external_source *source, const void *bytes, size_t count)
{
    struct external *external = source->external;
    if (!external->open || external->replay)
        log_bug("input %s delivered %s", source->name, external->replay ? "in a replay" : "while the guest runs");
    external->delivered++;
    external_record_input(external, source->name, bytes, count);
    source->ops->deliver(source->opaque, bytes, count);
}

void external_stop(struct external *external, unsigned reason)
{
    external->stop_reason = reason;
    external_record_stop(external, reason);
    external->owner.request_stop(external->owner.opaque);
}

unsigned external_stop_reason(const struct external *external)
{
    return external->stop_reason;
}

/* Wait set */

size_t external_wait_for(struct external_waits *waits, int fd, short events)
{
    if (waits->count == waits->room) {
        waits->room = waits->room ? 2 * waits->room : 8;
        waits->fds = checked_memory(realloc(waits->fds, waits->room * sizeof *waits->fds));
    }
    waits->fds[waits->count] = (struct pollfd){.fd = fd, .events = events};
    return waits->count++;
}

void external_set_timeout(struct external_waits *waits, nsec duration)
{
    if (duration < waits->at_most)
        waits->at_most = duration;
}

void external_expect_input(struct external_waits *waits)
{
    waits->expecting = true;
}

short external_revents(const struct external_waits *waits, size_t number)
{
    return number < waits->count ? waits->fds[number].revents : 0;
}

static void prepare(struct external *external)
{
    struct external_waits *waits = &external->waits;
    waits->count = 0;
    waits->at_most = NO_LIMIT;
    waits->expecting = false;
    for (struct external_source *source = external->sources; source; source = source->next)
        if (source->ops->prepare)
            source->ops->prepare(source->opaque, waits);
}

/* Wait for up to DURATION of host time. */
static void wait_ready(struct external_waits *waits, nsec duration)
{
    struct timespec timeout = {.tv_sec = (time_t)(duration / SECOND), .tv_nsec = (long)(duration % SECOND)};
    if (waits->count == 0 && duration == 0)
        return;
    if (ppoll(waits->fds, waits->count, &timeout, NULL) <= 0)
        for (size_t i = 0; i < waits->count; i++)
            waits->fds[i].revents = 0;
}

/* Take input of all sources, or replay it. True if input was delivered, or the run ends. */
static bool take(struct external *external, enum input_point place)
{
    external->open = true;
    external->place = place;
    external->delivered = 0;
    if (external->replay)
        external_replay_events(external, place);
    else
        for (struct external_source *source = external->sources; source; source = source->next)
            if (source->ops->take)
                source->ops->take(source->opaque, &external->waits);
    external->open = false;
    return external->delivered || external->owner.is_stopping(external->owner.opaque);
}

/* Calls from the machine */

void external_poll_soon(struct external *external)
{
    external->owner.poll_soon(external->owner.opaque);
}

void external_at_barrier(struct external *external, void (*exchange)(void *opaque), void *opaque)
{
    external->open = true;
    external->place = INPUT_AT_BARRIER;
    if (external->replay)
        external_replay_events(external, INPUT_AT_BARRIER);
    else
        exchange(opaque);
    external->open = false;
}

void external_poll(struct external *external)
{
    if (external->replay) {
        take(external, INPUT_AT_POLL);
        return;
    }
    external_record_begin(external);
    external_record_progress(external);
    if (!external->sources)
        return;
    prepare(external);
    wait_ready(&external->waits, 0);
    take(external, INPUT_AT_POLL);
}

/* Sleep until input may be available, for GAP at most; returns the cycles slept. The input is taken at the next poll,
 * at the simulated time reached by then. */
static cycles sleep_in_real_time(struct external *external, cycles gap)
{
    const struct event_queue *queue = external->owner.queue(external->owner.opaque);
    nsec duration = gap == CYCLES_NEVER ? LONGEST : time_nsec(queue, gap);
    if (external->waits.at_most < duration)
        duration = external->waits.at_most;
    if (duration > LONGEST)
        duration = LONGEST;
    external->owner.about_to_sleep(external->owner.opaque);
    nsec start = host_time();
    wait_ready(&external->waits, duration);
    cycles passed = time_cycles_of_nsec(queue, host_time() - start);
    return passed < gap ? passed : gap;
}

static cycles play_idle(struct external *external, cycles gap)
{
    if (take(external, INPUT_AT_IDLE))
        return 0;
    cycles next = external_replay_gap(external);
    return next < gap ? next : gap;
}

cycles external_idle(struct external *external, cycles gap)
{
    if (external->owner.is_stopping(external->owner.opaque))
        return 0;
    if (external->replay)
        return play_idle(external, gap);
    prepare(external);
    wait_ready(&external->waits, 0);
    if (take(external, INPUT_AT_IDLE))
        return 0;
    if (!external->waits.expecting)
        return gap;
    prepare(external);
    return external->waits.expecting ? sleep_in_real_time(external, gap) : 0;
}

bool external_is_expecting(struct external *external)
{
    if (external->replay)
        return true;
    prepare(external);
    return external->waits.expecting;
}
