#include "src/external.h"

#include "src/machine.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND   1000000000u
#define LONGEST  SECOND /* that the host sleeps at a time */
#define NO_LIMIT UINT64_MAX

struct external_waits {
    struct pollfd *fds;
    size_t count, room;
    nsec at_most;
    bool expecting;
};

struct external_source {
    struct external *external;
    struct external_source *next;
    const char *name;
    const struct external_ops *ops;
    void *opaque;
};

/* Where the machine is: input is taken in these places only. */
enum place { NOWHERE, AT_POLL, AT_IDLE, AT_BARRIER };

struct external {
    struct machine *machine;
    struct external_source *sources; /* in the order in which they were added */
    struct external_waits waits;
    enum place place;
    unsigned delivered; /* pieces, at the present place */
};

/* Sources */

struct external *external_create(struct machine *machine)
{
    struct external *external = checked_memory(calloc(1, sizeof *external));
    external->machine = machine;
    return external;
}

void external_free(struct external *external)
{
    if (!external)
        return;
    while (external->sources)
        external_remove(external->sources);
    free(external->waits.fds);
    free(external);
}

struct external_source *external_add(struct external *external, const char *name, const struct external_ops *ops,
                                     void *opaque)
{
    struct external_source **place = &external->sources;
    for (; *place; place = &(*place)->next)
        if (strcmp((*place)->name, name) == 0)
            log_bug("two inputs called %s", name);
    struct external_source *source = checked_memory(calloc(1, sizeof *source));
    *source = (struct external_source){.external = external, .name = name, .ops = ops, .opaque = opaque};
    *place = source;
    return source;
}

void external_remove(struct external_source *source)
{
    if (!source)
        return;
    struct external_source **place = &source->external->sources;
    while (*place != source)
        place = &(*place)->next;
    *place = source->next;
    free(source);
}

bool external_replaying(const struct external *external)
{
    (void)external;
    return false;
}

/* What has come */

void external_deliver(struct external_source *source, const void *bytes, size_t count)
{
    struct external *external = source->external;
    if (external->place == NOWHERE)
        log_bug("input %s comes while the guest runs", source->name);
    external->delivered++;
    source->ops->deliver(source->opaque, bytes, count);
}

void external_stop(struct external *external, unsigned reason)
{
    (void)reason;
    machine_request_stop(external->machine);
}

/* Waiting */

size_t external_wait_for(struct external_waits *waits, int fd, short events)
{
    if (waits->count == waits->room) {
        waits->room = waits->room ? 2 * waits->room : 8;
        waits->fds = checked_memory(realloc(waits->fds, waits->room * sizeof *waits->fds));
    }
    waits->fds[waits->count] = (struct pollfd){.fd = fd, .events = events};
    return waits->count++;
}

void external_wait_at_most(struct external_waits *waits, nsec duration)
{
    if (duration < waits->at_most)
        waits->at_most = duration;
}

void external_expect(struct external_waits *waits)
{
    waits->expecting = true;
}

short external_came(const struct external_waits *waits, size_t number)
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

/* Wait for up to DURATION of the host's time. */
static void await(struct external_waits *waits, nsec duration)
{
    struct timespec timeout = {.tv_sec = (time_t)(duration / SECOND), .tv_nsec = (long)(duration % SECOND)};
    if (waits->count == 0 && duration == 0)
        return;
    if (ppoll(waits->fds, waits->count, &timeout, NULL) <= 0)
        for (size_t i = 0; i < waits->count; i++)
            waits->fds[i].revents = 0;
}

/* Ask all sources. True if something came, or the run is to end. */
static bool take(struct external *external, enum place place)
{
    external->place = place;
    external->delivered = 0;
    for (struct external_source *source = external->sources; source; source = source->next)
        if (source->ops->take)
            source->ops->take(source->opaque, &external->waits);
    external->place = NOWHERE;
    return external->delivered || external->machine->stopping;
}

/* From the machine */

void external_poll_soon(struct external *external)
{
    struct machine *machine = external->machine;
    machine->next_poll = 0;
    if (machine->current)
        machine->current->stop = machine->current->attention = true;
}

void external_at_barrier(struct external *external, void (*exchange)(void *opaque), void *opaque)
{
    external->place = AT_BARRIER;
    exchange(opaque);
    external->place = NOWHERE;
}

void external_poll(struct external *external)
{
    if (!external->sources)
        return;
    prepare(external);
    await(&external->waits, 0);
    take(external, AT_POLL);
}

static nsec host_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (nsec)now.tv_sec * SECOND + (nsec)now.tv_nsec;
}

/* Sleep until something may have come, at most for GAP, and say how long that was. It is taken the next time that the
 * sources are asked, at the instant to which the time has moved. */
static cycles sleep_in_real_time(struct external *external, cycles gap)
{
    const struct machine *machine = external->machine;
    nsec duration = gap == CYCLES_NEVER ? LONGEST : time_nsec(machine->queue, gap);
    if (external->waits.at_most < duration)
        duration = external->waits.at_most;
    if (duration > LONGEST)
        duration = LONGEST;
    if (machine->host && machine->host->sleep)
        machine->host->sleep(machine->host_opaque);
    nsec start = host_time();
    await(&external->waits, duration);
    cycles passed = time_cycles_of_nsec(machine->queue, host_time() - start);
    return passed < gap ? passed : gap;
}

cycles external_idle(struct external *external, cycles gap)
{
    if (external->machine->stopping)
        return 0;
    prepare(external);
    await(&external->waits, 0);
    if (take(external, AT_IDLE))
        return 0;
    if (!external->waits.expecting)
        return gap;
    prepare(external);
    return external->waits.expecting ? sleep_in_real_time(external, gap) : 0;
}
