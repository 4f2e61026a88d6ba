/*
 * Shares: the charges of each process for each service.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_SHARES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_SHARES_H

#include "annotations/accounts/account.h"
#include "annotations/services/service_types.h"

/* Number of 64-bit counters in a share: those of struct service_sum up to charge.all. */
unsigned service_share_words(const struct account_plan *plan);
/* Charge what PERCPU's services have accumulated since the last call to PERCPU's current task. */
void service_shares_charge(struct service_cpu *percpu);
/* Add CHARGE and CALLS to SERVICE in PERCPU, on behalf of TASK, which need not be current there. */
void service_shares_add(struct service_cpu *percpu, struct task *task, unsigned service, const struct charge *charge,
                        uint64_t calls);
/* Add all shares of FROM to those of TO. */
void service_shares_merge(const struct services *services, struct task *to, const struct task *from);
/* Totals of TASK for SHARE's service into SUM, including open frames. After services_update(). */
void service_shares_read(const struct services *services, const struct task *task, const struct service_share *share,
                         struct service_sum *sum);
/* Make sure that there is a share for the service of each open frame of TASK. */
void service_shares_add_open_frames(struct services *services, struct task *task);
/* Check that processes add up to services, and each process's services to its modes. After services_update(). */
bool service_shares_check(const struct services *services, struct err *err);
/* Free all shares of TASK. */
void service_shares_free(struct task *task);

#endif
