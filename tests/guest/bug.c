/*
 * simos-bug is simos with an error in it: from cycle SIMOS_BUG_AFTER on, the event of the GIC's timer schedules itself
 * for the present again and again. (Linked with --wrap=event_init and --wrap=event_queue_run.)
 */
#include "src/base/event.h"

#include <stdlib.h>
#include <string.h>

enum { CPUS = 16 };

static struct timer {
    struct event *event;
    void (*fire)(void *opaque);
    void *opaque;
} timers[CPUS];
static struct event_queue *running;

void __real_event_init(struct event *event, const char *name, void (*fire)(void *opaque), void *opaque);
void __wrap_event_init(struct event *event, const char *name, void (*fire)(void *opaque), void *opaque);
void __real_event_queue_run(struct event_queue *queue, cycles time);
void __wrap_event_queue_run(struct event_queue *queue, cycles time);

static void timer_fires(void *opaque)
{
    struct timer *timer = opaque;
    const char *after = getenv("SIMOS_BUG_AFTER");
    if (!after || running->now < strtoull(after, NULL, 10))
        timer->fire(timer->opaque);
    else
        event_schedule(running, timer->event, running->now);
}

void __wrap_event_init(struct event *event, const char *name, void (*fire)(void *opaque), void *opaque)
{
    unsigned i = 0;
    __real_event_init(event, name, fire, opaque);
    if (strcmp(name, "gic compare") != 0)
        return;
    while (i < CPUS - 1 && timers[i].event)
        i++;
    timers[i] = (struct timer){event, fire, opaque};
    event->fire = timer_fires;
    event->opaque = &timers[i];
}

void __wrap_event_queue_run(struct event_queue *queue, cycles time)
{
    running = queue;
    __real_event_queue_run(queue, time);
}
