#include "src/base/event.h"
#include "src/base/log.h"
#include <stdlib.h>

enum {
    EVENT_FIRST_CAPACITY = 32,
    /* Bound on events at the same time: an event that reschedules itself for the present cycle would hang the
     * simulator. */
    EVENT_MAX_SAME_TIME = 1 << 20
};

#define NSEC_HZ 1000000000ull

__extension__ typedef unsigned __int128 wide;

struct event_queue *event_queue_create(uint64_t clock_hz)
{
    if (clock_hz == 0)
        log_bug("event queue with a clock of 0 Hz");
    struct event_queue *queue = calloc(1, sizeof *queue);
    if (queue)
        queue->heap = calloc(EVENT_FIRST_CAPACITY, sizeof(struct event *));
    if (!queue || !queue->heap)
        log_bug("out of memory");
    queue->clock_hz = clock_hz;
    queue->next = CYCLES_NEVER;
    queue->capacity = EVENT_FIRST_CAPACITY;
    return queue;
}

void event_queue_free(struct event_queue *queue)
{
    if (!queue)
        return;
    for (int i = 0; i < queue->count; i++)
        queue->heap[i]->slot = 0;
    free(queue->heap);
    free(queue);
}

void event_init(struct event *event, const char *name, void (*fire)(void *opaque), void *opaque)
{
    *event = (struct event){.name = name, .fire = fire, .opaque = opaque};
}

static bool is_before(const struct event *a, const struct event *b)
{
    return a->when < b->when || (a->when == b->when && a->order < b->order);
}

static void heap_put(struct event_queue *queue, int index, struct event *event)
{
    queue->heap[index] = event;
    event->slot = index + 1;
}

/* Position `index` of the heap is free: sift EVENT from there up, then down, to its position. */
static void heap_sift(struct event_queue *queue, int index, struct event *event)
{
    while (index > 0) {
        int parent = (index - 1) / 2;
        if (!is_before(event, queue->heap[parent]))
            break;
        heap_put(queue, index, queue->heap[parent]);
        index = parent;
    }
    for (;;) {
        int child = 2 * index + 1;
        if (child >= queue->count)
            break;
        if (child + 1 < queue->count && is_before(queue->heap[child + 1], queue->heap[child]))
            child++;
        if (!is_before(queue->heap[child], event))
            break;
        heap_put(queue, index, queue->heap[child]);
        index = child;
    }
    heap_put(queue, index, event);
    queue->next = queue->heap[0]->when;
}

static void heap_add(struct event_queue *queue, struct event *event)
{
    if (queue->count == queue->capacity) {
        struct event **heap =
            checked_memory(realloc(queue->heap, 2 * (size_t)queue->capacity * sizeof(struct event *)));
        queue->heap = heap;
        queue->capacity *= 2;
    }
    queue->count++;
    heap_sift(queue, queue->count - 1, event);
}

void event_schedule(struct event_queue *queue, struct event *event, cycles when)
{
    if (when == CYCLES_NEVER) {
        event_cancel(queue, event);
        return;
    }
    event->when = when < queue->now ? queue->now : when;
    event->order = queue->next_order++;
    if (event->slot)
        heap_sift(queue, event->slot - 1, event);
    else
        heap_add(queue, event);
}

bool event_restore(struct event_queue *queue, struct event *event, cycles when, uint64_t order)
{
    if (event->slot || when < queue->now || when == CYCLES_NEVER || order >= queue->next_order)
        return false;
    for (int i = 0; i < queue->count; i++)
        if (queue->heap[i]->order == order)
            return false;
    event->when = when;
    event->order = order;
    heap_add(queue, event);
    return true;
}

void event_cancel(struct event_queue *queue, struct event *event)
{
    if (!event->slot)
        return;
    int index = event->slot - 1;
    event->slot = 0;
    struct event *last = queue->heap[--queue->count];
    if (last != event)
        heap_sift(queue, index, last);
    else if (index == 0)
        queue->next = CYCLES_NEVER;
}

void event_queue_run(struct event_queue *queue, cycles time)
{
    cycles last_time = CYCLES_NEVER;
    int fired = 0;
    while (queue->count && queue->heap[0]->when <= time) {
        struct event *event = queue->heap[0];
        fired = event->when == last_time ? fired + 1 : 0;
        last_time = event->when;
        if (fired > EVENT_MAX_SAME_TIME)
            log_bug("event \"%s\" keeps firing at cycle %llu", event->name, (unsigned long long)last_time);
        event_cancel(queue, event);
        queue->now = last_time;
        event->fire(event->opaque);
    }
    if (time != CYCLES_NEVER)
        queue->now = time;
}

static uint64_t saturate(wide value)
{
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

/* value * to / from, rounded down */
static uint64_t scale_down(uint64_t value, uint64_t to, uint64_t from)
{
    return saturate((wide)value * to / from);
}

static uint64_t scale_up(uint64_t value, uint64_t to, uint64_t from)
{
    return saturate(((wide)value * to + from - 1) / from);
}

uint64_t time_ticks(const struct event_queue *queue, cycles time, uint64_t tick_hz)
{
    return scale_down(time, tick_hz, queue->clock_hz);
}

cycles time_cycles_at_tick(const struct event_queue *queue, uint64_t tick, uint64_t tick_hz)
{
    return scale_up(tick, queue->clock_hz, tick_hz);
}

nsec time_nsec(const struct event_queue *queue, cycles time)
{
    return scale_down(time, NSEC_HZ, queue->clock_hz);
}

cycles cycles_of_nsec(nsec duration, uint64_t clock_hz)
{
    return scale_up(duration, clock_hz, NSEC_HZ);
}

cycles time_cycles_of_nsec(const struct event_queue *queue, nsec duration)
{
    return cycles_of_nsec(duration, queue->clock_hz);
}
