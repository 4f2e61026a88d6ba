/*
 * Names: of services, of the services of system calls, and of counters.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_NAMES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_NAMES_H

#include "annotations/services/service_types.h"

/* Give the predefined services their names. */
void service_names_init(struct services *services);
/* Number of the service NAME; the number of services if there is none. */
unsigned service_named(const struct services *services, const char *name);
/* Number of the service NAME, created if necessary. SERVICES_MAX if there are too many. */
unsigned services_find(struct services *services, const char *name);
/* Assign system call NUMBER (as in $v0) to the service NAME. False if NUMBER is out of range or there are too many
 * services. */
bool services_name_call(struct services *services, uint32_t number, const char *name);
/* Name of service number SERVICE. */
const char *services_name(const struct services *services, unsigned service);
/* The service of system call NUMBER (as in $v0). */
unsigned service_of_call(struct services *services, uint32_t number);
/* The counter NAME for RULE_COUNT, created if necessary; NULL if there are too many. Owned by SERVICES. */
uint64_t *services_counter(struct services *services, const char *name);

#endif
