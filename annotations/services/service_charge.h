/*
 * Charging: what the counters of a processor's modes (cpu/core.h, struct bucket) have accumulated goes to a service.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_CHARGE_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_CHARGE_H

#include "annotations/services/service_types.h"

/* Charge what the current mode has accumulated since the last flush to its current target. */
void service_charge_mode(struct service_cpu *percpu);
/* Like service_charge_mode(), for all modes, including changes of counters without a cycle or instruction. Between
 * runs. */
void service_charge_all_modes(struct service_cpu *percpu);
/* Charge what MODE has accumulated to TO, if it has cycles or instructions. */
void service_charge_to(struct service_cpu *percpu, enum mode mode, struct charge *to);
/* Charge all processors up to now. Between turns of the processors. */
void services_charge(struct services *services);

/* Cycles charged on CORE since creation or reset, up to the last change of service, and the memory stall cycles
 * among them. */
struct service_cost {
    cycles cycles, stall;
};
struct service_cost services_cost(const struct services *services, const struct core *core);

#endif
