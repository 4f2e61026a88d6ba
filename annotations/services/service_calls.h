/*
 * Numbers of calls: what service an interrupt or a fault is, is known only later, so that what is counted during a call
 * is counted under its number.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_CALLS_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_CALLS_H

#include "annotations/services/service_types.h"

/* From now on calls that may be reclassified have numbers. */
void service_calls_wanted(struct services *services);
/* A call of SERVICE begins that may be reclassified. Returns its number; 0: it has none. */
uint32_t service_call_begin(struct services *services, unsigned service);
/* CALL (0 is ignored) turned out to be one of SERVICE; its service is final. */
void service_call_reclassify(struct services *services, uint32_t call, unsigned service);
void service_call_end(struct services *services, uint32_t call);
/* What CPU executes now: a service, or SERVICES_MAX and more: a call with a number. The service of that, as far as it
 * is known; the same as a number that no longer changes, if the service is final. */
uint32_t service_executing(const struct services *services, unsigned cpu);
unsigned service_call_service(const struct services *services, uint32_t who);
uint32_t service_call_settled(const struct services *services, uint32_t who);

#endif
