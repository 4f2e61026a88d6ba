/*
 * Rules, which run at addresses of kernel functions.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_RULES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_RULES_H

#include "annotations/services/service_types.h"

/* True if CONDITION holds on CORE now. */
bool service_condition_holds(const struct service_condition *condition, struct core *core);
/* Apply RULE on all processors from now on. */
void services_add_rule(struct services *services, const struct service_rule *rule);
void service_rules_free(struct services *services);

#endif
