#include "cache/timing/resource_saved.h"

#include <stdlib.h>

void resource_list_add(struct resource_list *list, struct resource *resource)
{
    if (!resource)
        return;
    if (list->count == RESOURCE_LIST_MAX)
        log_bug("more than %d ports, wires and banks", RESOURCE_LIST_MAX);
    list->resource[list->count++] = resource;
}

static uint32_t number_of(const struct resource_list *list, const struct resource *resource)
{
    uint32_t number = 0;
    while (number < list->count && list->resource[number] != resource)
        number++;
    return number;
}

/* Reservation tables */

void resource_write(const struct resource *resource, struct saved_out *out)
{
    saved_put_u32(out, resource->last - resource->first);
    for (uint32_t i = resource->first; i < resource->last; i++) {
        saved_put_u64(out, resource->stretch[i].start);
        saved_put_u64(out, resource->stretch[i].end);
    }
    saved_put_u64(out, resource->table_start);
    saved_put(out, &resource->counts, sizeof resource->counts);
}

bool resource_read(struct resource *resource, struct saved_in *in, struct err *err)
{
    uint32_t count;
    cycles before = 0;
    if (!saved_get_u32(in, &count))
        return false;
    if (count > RESOURCE_INTERVALS)
        return err_set(err, "%u busy intervals; at most %d", count, RESOURCE_INTERVALS);
    resource->first = 0;
    resource->last = count;
    for (uint32_t i = 0; i < count; i++) {
        struct stretch *stretch = &resource->stretch[i];
        if (!saved_get_u64(in, &stretch->start) || !saved_get_u64(in, &stretch->end))
            return false;
        if (stretch->start < before || stretch->end <= stretch->start || stretch->end > TIMING_TIME_MAX)
            return err_set(err, "busy from %llu to %llu after %llu", (unsigned long long)stretch->start,
                           (unsigned long long)stretch->end, (unsigned long long)before);
        before = stretch->end;
    }
    if (!saved_get_u64(in, &resource->table_start) || !saved_get(in, &resource->counts, sizeof resource->counts))
        return false;
    return resource->table_start <= (count ? resource->stretch[0].start : TIMING_TIME_MAX) ||
           err_set(err, "busy intervals before the start of the reservation table");
}

/* Reservations */

void reservations_write(const struct reservations *reservations, const struct resource_list *list,
                        struct saved_out *out)
{
    saved_put_u32(out, reservations->count);
    for (uint32_t i = 0; i < reservations->count; i++) {
        const struct reservation *reservation = &reservations->reservation[i];
        saved_put_u32(out, number_of(list, reservation->resource));
        saved_put_u64(out, reservation->requested);
        saved_put_u64(out, reservation->start);
        saved_put_u64(out, reservation->duration);
    }
}

static bool read_reservation(struct reservation *reservation, const struct resource_list *list, struct saved_in *in,
                             struct err *err)
{
    uint32_t number;
    if (!saved_get_u32(in, &number) || !saved_get_u64(in, &reservation->requested) ||
        !saved_get_u64(in, &reservation->start) || !saved_get_u64(in, &reservation->duration))
        return false;
    if (number >= list->count || reservation->requested > reservation->start || reservation->start > TIMING_TIME_MAX ||
        reservation->duration == 0 || reservation->duration > TIMING_TIME_MAX)
        return err_set(err, "invalid reservation");
    reservation->resource = list->resource[number];
    return true;
}

bool reservations_read(struct reservations *reservations, const struct resource_list *list, struct saved_in *in,
                       struct err *err)
{
    if (!saved_get_u32(in, &reservations->count))
        return false;
    if (reservations->count > RESERVATIONS_MAX)
        return err_set(err, "%u reservations in one operation; at most %d", reservations->count, RESERVATIONS_MAX);
    for (uint32_t i = 0; i < reservations->count; i++)
        if (!read_reservation(&reservations->reservation[i], list, in, err))
            return false;
    return true;
}

static int by_resource_and_start(const void *a, const void *b)
{
    const struct reservation *x = a, *y = b;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static bool is_busy(const struct resource *resource, cycles start, cycles end)
{
    for (uint32_t i = resource->first; i < resource->last; i++)
        if (resource->stretch[i].start <= start && end <= resource->stretch[i].end)
            return true;
    return false;
}

bool reservations_check(struct reservation *reservations, size_t count, struct err *err)
{
    if (count)
        qsort(reservations, count, sizeof *reservations, by_resource_and_start);
    for (size_t i = 0; i < count; i++) {
        const struct reservation *reservation = &reservations[i], *next = i + 1 < count ? reservation + 1 : NULL;
        cycles end = reservation->start + reservation->duration;
        if (reservation->start < reservation->resource->table_start)
            continue;
        if (!is_busy(reservation->resource, reservation->start, end))
            return err_set(err, "a reservation at %llu, when the resource is free",
                           (unsigned long long)reservation->start);
        if (next && next->resource == reservation->resource && next->start < end)
            return err_set(err, "overlapping reservations at %llu", (unsigned long long)next->start);
    }
    return true;
}
