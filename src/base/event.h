/*
 * Simulated time and the event queue, one per machine: all timed actions are its events.
 *
 * Ordering rule: events fire in order of time; at equal times, in the order in which they were scheduled. No host clock
 * is read here.
 */
#ifndef SIMOS_BASE_EVENT_H
#define SIMOS_BASE_EVENT_H

#include "src/base/types.h"

/* An event, embedded in its owner (a device, a CPU's timer); the queue holds a pointer to it. Zero-initialise, then
 * event_init(). */
struct event {
    const char *name;
    void (*fire)(void *opaque); /* called with queue->now == when; may schedule again */
    void *opaque;
    cycles when;
    uint64_t order;
    int slot; /* heap index + 1; 0 = not scheduled */
};

struct event_queue {
    cycles now;        /* time of the current access or event */
    uint64_t clock_hz; /* CPU clock: cycles per second */
    cycles next;       /* time of heap[0]; CYCLES_NEVER: the queue is empty */
    struct event **heap;
    int count, capacity;
    uint64_t next_order;
};

/* Create an empty queue at time 0 with a clock of CLOCK_HZ (above 0). Never NULL. */
struct event_queue *event_queue_create(uint64_t clock_hz);
/* Free the queue; scheduled events are dropped without firing. NULL is allowed. */
void event_queue_free(struct event_queue *queue);

/* Initialise an unscheduled event. NAME is a string constant, for messages; FIRE is called with OPAQUE and may schedule
 * the event again. */
void event_init(struct event *event, const char *name, void (*fire)(void *opaque), void *opaque);

/* Schedule (or move) EVENT to fire at time WHEN (cycles); a time before queue->now becomes queue->now, so that it fires
 * at the next opportunity. CYCLES_NEVER cancels it. A moved event is placed behind others of the same time. */
void event_schedule(struct event_queue *queue, struct event *event, cycles when);
void event_cancel(struct event_queue *queue, struct event *event);
static inline bool event_is_scheduled(const struct event *event)
{
    return event->slot != 0;
}

/* Restore EVENT, which is not scheduled, from a saved queue: at time WHEN, with sequence number ORDER among events of
 * the same time. False if invalid: WHEN before queue->now or CYCLES_NEVER, ORDER not below queue->next_order or already
 * in use. */
bool event_restore(struct event_queue *queue, struct event *event, cycles when, uint64_t order);

/* Time of the earliest event, or CYCLES_NEVER. */
static inline cycles event_queue_next(const struct event_queue *queue)
{
    return queue->next;
}

/* Fire every event due at or before TIME, in order, with queue->now set to its time; including events scheduled
 * meanwhile. Afterwards queue->now is TIME (with CYCLES_NEVER: the time of the last event). Events that keep firing
 * without time advancing are a bug (aborts). */
void event_queue_run(struct event_queue *queue, cycles time);

/* Conversions between CPU cycles and a counter of TICK_HZ that started at 0 in cycle 0. Ticks are rounded down;
 * time_cycles_at_tick() is the first cycle at which the counter has reached TICK (or passed it, if it is faster than
 * the clock). Exact (128-bit intermediate); results beyond 64 bits become UINT64_MAX. */
uint64_t time_ticks(const struct event_queue *queue, cycles time, uint64_t tick_hz);
cycles time_cycles_at_tick(const struct event_queue *queue, uint64_t tick, uint64_t tick_hz);
nsec time_nsec(const struct event_queue *queue, cycles time);
cycles time_cycles_of_nsec(const struct event_queue *queue, nsec duration); /* rounded up */
/* The same conversion for a clock of CLOCK_HZ. */
cycles cycles_of_nsec(nsec duration, uint64_t clock_hz);

#endif
