#include "annotations/events.h"

#include <stdlib.h>

enum { LISTENERS_MAX = 8 };

struct listener {
    const struct core_observer *ops;
    void *opaque;
};

struct events {
    const struct subject *subject;
    struct listener listener[LISTENERS_MAX];
    unsigned count;
};

#define TELL(events, call, ...)                                                                                        \
    do {                                                                                                               \
        for (unsigned i = 0; i < (events)->count; i++)                                                                 \
            if ((events)->listener[i].ops->call)                                                                       \
                (events)->listener[i].ops->call((events)->listener[i].opaque, __VA_ARGS__);                            \
    } while (0)

static void entered(void *opaque, struct core *core, const struct core_entry *entry)
{
    struct events *events = opaque;
    TELL(events, entered, core, entry);
}

static void returned(void *opaque, struct core *core, vaddr target)
{
    struct events *events = opaque;
    TELL(events, returned, core, target);
}

static void mode_changed(void *opaque, struct core *core, enum mode before)
{
    struct events *events = opaque;
    TELL(events, mode_changed, core, before);
}

static void space_changed(void *opaque, struct core *core, uint8_t before)
{
    struct events *events = opaque;
    TELL(events, space_changed, core, before);
}

static void waits(void *opaque, struct core *core)
{
    struct events *events = opaque;
    TELL(events, waits, core);
}

static void waited(void *opaque, struct core *core, cycles duration)
{
    struct events *events = opaque;
    TELL(events, waited, core, duration);
}

static const struct core_observer to_all = {.entered = entered,
                                            .returned = returned,
                                            .mode_changed = mode_changed,
                                            .space_changed = space_changed,
                                            .waits = waits,
                                            .waited = waited};

/* A single observer is installed directly on the cores, without the loop over observers. */
static void connect(struct events *events)
{
    for (unsigned i = 0; i < events->subject->cpus; i++) {
        struct core *core = events->subject->cores[i];
        core->observer = events->count == 0 ? NULL : events->count == 1 ? events->listener[0].ops : &to_all;
        core->observer_opaque = events->count == 1 ? events->listener[0].opaque : events;
    }
}

struct events *events_create(const struct subject *subject)
{
    struct events *events = checked_memory(calloc(1, sizeof *events));
    events->subject = subject;
    return events;
}

void events_free(struct events *events)
{
    if (!events)
        return;
    events->count = 0;
    connect(events);
    free(events);
}

void events_listen(struct events *events, const struct core_observer *ops, void *opaque)
{
    if (events->count == LISTENERS_MAX)
        log_bug("more than %d listeners", LISTENERS_MAX);
    events->listener[events->count++] = (struct listener){ops, opaque};
    connect(events);
}

void events_leave(struct events *events, const struct core_observer *ops, const void *opaque)
{
    for (unsigned i = 0; i < events->count; i++)
        if (events->listener[i].ops == ops && events->listener[i].opaque == opaque) {
            for (events->count--; i < events->count; i++)
                events->listener[i] = events->listener[i + 1];
            connect(events);
            return;
        }
}
