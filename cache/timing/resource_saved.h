/*
 * Checkpoints of reservation tables and reservations: part of the section "timing". Private to cache/.
 *
 * A saved reservation names its resource by the index in a list of all resources. The list is the same in every machine
 * with the same parameters.
 */
#ifndef SIMOS_CACHE_TIMING_RESOURCE_SAVED_H
#define SIMOS_CACHE_TIMING_RESOURCE_SAVED_H

#include "cache/timing/resource.h"
#include "src/base/saved.h"

/* Upper limit of the times in a checkpoint, so that the run cannot overflow them. */
#define TIMING_TIME_MAX (UINT64_C(1) << 60)

enum { RESOURCE_LIST_MAX = 512 };

struct resource_list {
    uint32_t count;
    struct resource *resource[RESOURCE_LIST_MAX];
};

/* Appends RESOURCE, unless it is NULL. More than RESOURCE_LIST_MAX abort. */
void resource_list_add(struct resource_list *list, struct resource *resource);

/* Saves a reservation table; loads it into an empty one. */
void resource_write(const struct resource *resource, struct saved_out *out);
bool resource_read(struct resource *resource, struct saved_in *in, struct err *err);

/* Saves and loads the reservations of one operation in resources of LIST. */
void reservations_write(const struct reservations *reservations, const struct resource_list *list,
                        struct saved_out *out);
bool reservations_read(struct reservations *reservations, const struct resource_list *list, struct saved_in *in,
                       struct err *err);

/* Checks that all COUNT reservations can be cancelled, in any order: their time is busy, and no two overlap. Returns
 * false with ERR if not. Sorts the array. */
bool reservations_check(struct reservation *reservations, size_t count, struct err *err);

#endif
