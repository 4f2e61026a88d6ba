#include "cache/timing/resource.h"

#include "src/base/log.h"
#include <string.h>

/* The search tries this many of the latest intervals one by one before it bisects the others. */
enum { NEAR_END = 4 };

void resource_init(struct resource *resource)
{
    memset(resource, 0, sizeof *resource);
}

/* Index of the first interval that ends after TIME; resource->last if there is none. */
static uint32_t first_ending_after(const struct resource *resource, cycles time)
{
    uint32_t low = resource->first, high = resource->last;
    for (unsigned i = 0; i < NEAR_END; i++, high--) /* the usual case: requests come almost in time order */
        if (high == low || resource->stretch[high - 1].end <= time)
            return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (resource->stretch[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first time at or after TIME that is free for DURATION cycles. *INDEX: the interval after it. */
static cycles find(const struct resource *resource, cycles time, cycles duration, uint32_t *index)
{
    if (time < resource->table_start)
        time = resource->table_start;
    uint32_t i = first_ending_after(resource, time);
    while (i < resource->last && resource->stretch[i].start < time + duration) {
        time = resource->stretch[i].end;
        i++;
    }
    *index = i;
    return time;
}

cycles resource_find(const struct resource *resource, cycles now, cycles duration)
{
    uint32_t index;
    return duration ? find(resource, now, duration, &index) : now;
}

/* Drops the oldest interval. If it ends by NOW, `table_start` moves to its end; if not, it merges with the next one,
 * and the gap between them counts as busy. */
static void drop_oldest(struct resource *resource, cycles now)
{
    struct stretch *oldest = &resource->stretch[resource->first];
    if (oldest->end <= now)
        resource->table_start = oldest->end;
    else
        oldest[1].start = oldest->start;
    resource->first++;
}

/* Inserts a slot for a new interval before INDEX. Returns NULL if the time of the new interval is busy already,
 * because dropping the oldest interval has filled its gap. */
static struct stretch *insert_interval(struct resource *resource, uint32_t index, cycles now)
{
    if (resource->last - resource->first == RESOURCE_INTERVALS) {
        if (index == resource->first + 1 && resource->stretch[resource->first].end > now) {
            drop_oldest(resource, now);
            return NULL;
        }
        drop_oldest(resource, now);
        if (index < resource->first)
            index = resource->first;
    }
    if (resource->last == 2 * RESOURCE_INTERVALS) {
        uint32_t shift = resource->first;
        memmove(resource->stretch, resource->stretch + shift, (resource->last - shift) * sizeof resource->stretch[0]);
        resource->first = 0;
        resource->last -= shift;
        index -= shift;
    }
    struct stretch *stretch = &resource->stretch[index];
    if (index < resource->last)
        memmove(stretch + 1, stretch, (resource->last - index) * sizeof *stretch);
    resource->last++;
    return stretch;
}

static void remove_interval(struct resource *resource, uint32_t index)
{
    struct stretch *stretch = &resource->stretch[index];
    resource->last--;
    memmove(stretch, stretch + 1, (resource->last - index) * sizeof *stretch);
}

/* Adds the busy interval [START, END), which is free, before INDEX; merges it with adjacent intervals. */
static void add_interval(struct resource *resource, uint32_t index, cycles start, cycles end, cycles now)
{
    struct stretch *after = index < resource->last ? &resource->stretch[index] : NULL;
    struct stretch *before = index > resource->first ? &resource->stretch[index - 1] : NULL;
    bool joins_after = after && after->start == end;
    if (before && before->end == start) {
        before->end = joins_after ? after->end : end;
        if (joins_after)
            remove_interval(resource, index);
    } else if (joins_after) {
        after->start = start;
    } else {
        struct stretch *stretch = insert_interval(resource, index, now);
        if (stretch)
            *stretch = (struct stretch){start, end};
    }
}

static void add_to_log(struct reservations *log, struct resource *resource, cycles asked, cycles start, cycles duration)
{
    if (log->count == RESERVATIONS_MAX)
        log_bug("more than %d reservations in one operation", RESERVATIONS_MAX);
    log->reservation[log->count++] = (struct reservation){resource, asked, start, duration};
}

cycles resource_reserve_any(struct resource *resource, cycles now, cycles duration, struct reservations *log)
{
    if (!duration)
        return now;
    uint32_t index;
    cycles start = find(resource, now, duration, &index);
    add_interval(resource, index, start, start + duration, now);
    struct resource_counts *counts = &resource->counts;
    counts->requests++;
    counts->waited += start > now;
    counts->busy += duration;
    counts->wait += start - now;
    counts->late += now < resource->table_start;
    if (log)
        add_to_log(log, resource, now, start, duration);
    return start;
}

/* Frees [START, END), which is reserved. */
static void free_interval(struct resource *resource, cycles start, cycles end)
{
    if (start < resource->table_start)
        return;
    uint32_t index = first_ending_after(resource, start);
    struct stretch *stretch = &resource->stretch[index];
    if (index == resource->last || stretch->start > start || stretch->end < end)
        log_bug("cancelling cycles %llu to %llu, which are not reserved", (unsigned long long)start,
                (unsigned long long)end);
    if (stretch->start == start && stretch->end == end) {
        remove_interval(resource, index);
    } else if (stretch->start == start) {
        stretch->start = end;
    } else if (stretch->end == end) {
        stretch->end = start;
    } else {
        cycles first = stretch->start;
        stretch->start = end;
        *insert_interval(resource, index, first) = (struct stretch){first, start};
    }
}

void reservations_cancel(struct reservations *log)
{
    while (log->count) {
        const struct reservation *reservation = &log->reservation[--log->count];
        struct resource_counts *counts = &reservation->resource->counts;
        free_interval(reservation->resource, reservation->start, reservation->start + reservation->duration);
        counts->requests--;
        counts->waited -= reservation->start > reservation->requested;
        counts->busy -= reservation->duration;
        counts->wait -= reservation->start - reservation->requested;
    }
}

static double utilisation(const void *opaque)
{
    const struct resource_view *view = opaque;
    return (double)view->resource->counts.busy / (double)*view->latest;
}

static double queue_length(const void *opaque)
{
    const struct resource_view *view = opaque;
    return (double)view->resource->counts.wait / (double)*view->latest; /* Little's law */
}

void resource_register_stats(const struct resource_view *view, struct stats *stats, const char *name)
{
    const struct resource_counts *counts = &view->resource->counts;
    const struct {
        const char *name, *unit, *text;
        const uint64_t *value;
    } rows[] = {
        {"requests", "requests", "reservations", &counts->requests},
        {"waited", "requests", "requests that waited", &counts->waited},
        {"busy", "cycles", "time in use", &counts->busy},
        {"wait", "cycles", "time that requests waited for it", &counts->wait},
        {"late", "requests",
         "requests for a time that the reservation table no longer covers: machine.quantum is too long", &counts->late},
    };
    char full[64];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(full, sizeof full, "%s.%s", name, rows[i].name);
        stats_counter(stats, full, rows[i].unit, rows[i].text, rows[i].value);
    }
    snprintf(full, sizeof full, "%s.utilisation", name);
    stats_formula(stats, full, "", "share of time in use", utilisation, view);
    snprintf(full, sizeof full, "%s.queue", name);
    stats_formula(stats, full, "requests", "mean number of waiting requests", queue_length, view);
}
