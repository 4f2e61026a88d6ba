/*
 * Displacement: for each miss of a service, which service took the line away.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_DISPLACEMENT_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_DISPLACEMENT_H

#include "annotations/services/service_types.h"
#include "src/base/json_writer.h"

struct displaced;

/* From now on record, for each miss, which service took the line away; anew, if that is recorded already. False if the
 * machine has no caches. */
bool services_record_displacement(struct services *services);
bool services_displacement_recorded(const struct services *services);
/* While that is recorded: call REPORT for each service that missed in CACHE ("l1d") and each cause, with the misses. A
 * cause is a service's name, or in parentheses what is none. False if there is no such cache. */
typedef void service_displaced_fn(void *opaque, const char *service, const char *cause, uint64_t misses);
bool services_displaced(struct services *services, const char *cache, service_displaced_fn *report, void *opaque);

/* DISPLACED may be NULL. */
void service_displacement_free(struct displaced *displaced);
/* Reset the counters. */
void service_displacement_reset(struct services *services);
/* Check that the misses of the first level add up to the processors' counters. After services_update(). */
bool service_displacement_check(const struct services *services, struct err *err);
/* Write the member `displaced`. It is recorded. */
void service_displacement_write_json(const struct services *services, struct json_writer *json);

#endif
