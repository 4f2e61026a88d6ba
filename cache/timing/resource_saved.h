/*
 * Calendars and what is booked in them as something that is saved: part of the section "timing". Private to cache/.
 *
 * A booking says where it is by the number of its resource in a list of all of them, which is the same in every machine
 * with the same parameters.
 */
#ifndef SIMOS_CACHE_RESOURCE_SAVED_H
#define SIMOS_CACHE_RESOURCE_SAVED_H

#include "cache/timing/resource.h"
#include "src/base/saved.h"

/* No time in a file is later: what a run adds to it stays a time. */
#define TIMING_TIME_MAX (UINT64_C(1) << 60)

enum { RESOURCE_LIST_MAX = 512 };

struct resource_list {
    uint32_t count;
    struct resource *resource[RESOURCE_LIST_MAX];
};

/* RESOURCE, unless it is NULL, is the next. More than RESOURCE_LIST_MAX abort. */
void resource_list_add(struct resource_list *list, struct resource *resource);

/* Write a calendar; read it into one that is free for ever. */
void resource_write(const struct resource *resource, struct saved_out *out);
bool resource_read(struct resource *resource, struct saved_in *in, struct err *err);

/* The same for what one operation has reserved, in resources of LIST. */
void bookings_write(const struct bookings *bookings, const struct resource_list *list, struct saved_out *out);
bool bookings_read(struct bookings *bookings, const struct resource_list *list, struct saved_in *in, struct err *err);

/* Can all COUNT bookings be taken back, in any order: are they busy time, and no two of them the same? False with ERR.
 * The array is sorted. */
bool bookings_check(struct booking *bookings, size_t count, struct err *err);

#endif
