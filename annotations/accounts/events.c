#include "annotations/accounts/events.h"

#include <stdlib.h>

enum { OBSERVERS_MAX = 8 };

struct observers {
    const struct core_observer *ops;
    void *opaque;
};

struct events {
    const struct machine_view *machine;
    struct observers observers[OBSERVERS_MAX];
    unsigned count;
};

#define NOTIFY(events, call, ...)                                                                                      \
    do {                                                                                                               \
        for (unsigned i = 0; i < (events)->count; i++)                                                                 \
            if ((events)->observers[i].ops->call)                                                                      \
                (events)->observers[i].ops->call((events)->observers[i].opaque, __VA_ARGS__);                          \
    } while (0)

static void entered(void *opaque, struct core *core, const struct core_entry *entry)
{
    struct events *events = opaque;
    NOTIFY(events, entered, core, entry);
}

static void returned(void *opaque, struct core *core, vaddr target)
{
    struct events *events = opaque;
    NOTIFY(events, returned, core, target);
}

static void mode_changed(void *opaque, struct core *core, enum mode before)
{
    struct events *events = opaque;
    NOTIFY(events, mode_changed, core, before);
}

static void space_changed(void *opaque, struct core *core, uint8_t before)
{
    struct events *events = opaque;
    NOTIFY(events, asid_changed, core, before);
}

static void page_walked(void *opaque, struct core *core, vaddr address, bool found)
{
    struct events *events = opaque;
    NOTIFY(events, page_walked, core, address, found);
}

static void waits(void *opaque, struct core *core)
{
    struct events *events = opaque;
    NOTIFY(events, wait_begins, core);
}

static void waited(void *opaque, struct core *core, cycles duration)
{
    struct events *events = opaque;
    NOTIFY(events, wait_ended, core, duration);
}

static const struct core_observer distributor = {.entered = entered,
                                                 .returned = returned,
                                                 .mode_changed = mode_changed,
                                                 .asid_changed = space_changed,
                                                 .page_walked = page_walked,
                                                 .wait_begins = waits,
                                                 .wait_ended = waited};

/* A single observer is installed directly on the cores, without the loop over observers. */
static void install(struct events *events)
{
    for (unsigned i = 0; i < events->machine->cpus; i++) {
        struct core *core = events->machine->cores[i];
        core->observer = events->count == 0 ? NULL : events->count == 1 ? events->observers[0].ops : &distributor;
        core->observer_opaque = events->count == 1 ? events->observers[0].opaque : events;
    }
}

struct events *events_create(const struct machine_view *machine)
{
    struct events *events = checked_memory(calloc(1, sizeof *events));
    events->machine = machine;
    return events;
}

void events_free(struct events *events)
{
    if (!events)
        return;
    events->count = 0;
    install(events);
    free(events);
}

void events_add_observer(struct events *events, const struct core_observer *ops, void *opaque)
{
    if (events->count == OBSERVERS_MAX)
        log_bug("more than %d observers of processor events", OBSERVERS_MAX);
    events->observers[events->count++] = (struct observers){ops, opaque};
    install(events);
}

void events_remove_observer(struct events *events, const struct core_observer *ops, const void *opaque)
{
    for (unsigned i = 0; i < events->count; i++)
        if (events->observers[i].ops == ops && events->observers[i].opaque == opaque) {
            for (events->count--; i < events->count; i++)
                events->observers[i] = events->observers[i + 1];
            install(events);
            return;
        }
}
