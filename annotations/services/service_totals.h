/*
 * Totals over all processors.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_TOTALS_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_TOTALS_H

#include "annotations/services/service_types.h"

/* Totals of SERVICE over all processors into SUM, including open frames. After services_update(). */
void service_total(const struct services *services, unsigned service, struct service_sum *sum);
/* Add to SUM the charges of all open frames on PERCPU's processor: of SERVICE, or of all services if SERVICES_MAX. */
void service_add_open_frames(const struct services *services, const struct service_cpu *percpu, unsigned service,
                             struct service_sum *sum);
/* Misses of the first level by the processors' own counters. */
uint64_t service_first_level_misses(const struct services *services);

#endif
