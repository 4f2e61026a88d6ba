/*
 * Simulated time and the event queue: one a machine, everything timed hangs on it.
 *
 * Ordering rule: events fire in order of time; at the same time, in the order in which they were scheduled. Nothing
 * here reads a host clock.
 */
#ifndef SIMOS_EVENT_H
#define SIMOS_EVENT_H

#include "src/base/types.h"

/* An event lives inside its owner (a device, a CPU's timer); the queue only points at it. Zero-initialise, then
 * event_init(). */
struct event {
    const char *name;
    void (*fire)(void *opaque); /* called with queue->now == when; may schedule again */
    void *opaque;
    cycles when;
    uint64_t order;
    int slot; /* heap position + 1; 0 = not scheduled */
};

struct event_queue {
    cycles now;        /* the time at which the current access or event takes place */
    uint64_t clock_hz; /* CPU clock: cycles a second */
    cycles next;       /* when of heap[0]; CYCLES_NEVER: there is none */
    struct event **heap;
    int count, capacity;
    uint64_t next_order;
};

/* An empty queue at time 0 whose cycles are those of CLOCK_HZ (above 0). Never NULL. */
struct event_queue *event_queue_create(uint64_t clock_hz);
/* Events that are scheduled are forgotten, not fired. NULL is allowed. */
void event_queue_free(struct event_queue *queue);

/* An event that is not scheduled. NAME is a string constant, for messages; FIRE is called with OPAQUE and may schedule
 * it again. */
void event_init(struct event *event, const char *name, void (*fire)(void *opaque), void *opaque);

/* Schedule (or move) EVENT to fire at time WHEN (cycles); a time before queue->now becomes queue->now, so that it fires
 * at the next opportunity. CYCLES_NEVER cancels. An event that is moved goes behind others of its time. */
void event_schedule(struct event_queue *queue, struct event *event, cycles when);
void event_cancel(struct event_queue *queue, struct event *event);
static inline bool event_is_scheduled(const struct event *event)
{
    return event->slot != 0;
}

/* Put EVENT, which is not scheduled, where a saved queue had it: at WHEN, in ORDER among those of the same time. False
 * if that cannot be: WHEN is before queue->now or never, ORDER is not below queue->next_order or is another event's. */
bool event_restore(struct event_queue *queue, struct event *event, cycles when, uint64_t order);

/* Time of the earliest event, or CYCLES_NEVER. */
static inline cycles event_queue_next(const struct event_queue *queue)
{
    return queue->next;
}

/* Fire every event due at or before TIME, in order, with queue->now set to each one's time; also those that are
 * scheduled meanwhile. Afterwards queue->now is TIME (with CYCLES_NEVER: the time of the last event). Events that keep
 * firing without time advancing are a bug (aborts). */
void event_queue_run(struct event_queue *queue, cycles time);

/* Conversions between CPU cycles and a counter of TICK_HZ that started at 0 with cycle 0. Ticks are rounded down;
 * cycles_at_tick is the first cycle at which the counter shows TICK (or has passed it, if it ticks faster than the
 * clock). Exact (128-bit intermediate); results beyond 64 bits become UINT64_MAX. */
uint64_t time_ticks(const struct event_queue *queue, cycles time, uint64_t tick_hz);
cycles time_cycles_at_tick(const struct event_queue *queue, uint64_t tick, uint64_t tick_hz);
nsec time_nsec(const struct event_queue *queue, cycles time);
cycles time_cycles_of_nsec(const struct event_queue *queue, nsec duration); /* rounded up */
/* The same for a clock of CLOCK_HZ. */
cycles cycles_of_nsec(nsec duration, uint64_t clock_hz);

#endif
