/*
 * Compares the architectural state of two processors, for the lockstep of two CPU models. Not compared: the sink for
 * writes to $zero (GPR_SINK); branch_target outside delay slots and ll_address without a link, which are meaningless
 * then.
 */
#ifndef SIMOS_CPU_PRIVILEGED_STATE_COMPARE_H
#define SIMOS_CPU_PRIVILEGED_STATE_COMPARE_H

#include "cpu/architecture.h"

/* May A and B differ? Conservative, and fast: also true if only insignificant bytes differ. */
bool state_may_differ(const struct cpu *a, const struct cpu *b);

/* Call VISIT for each value of A and B, with its name; of the TLB, and of CP0 registers that the architecture does not
 * have, only for those that differ. */
typedef void state_visit_fn(void *opaque, const char *name, bool is_flag, uint64_t a, uint64_t b);
void state_visit(const struct architecture *architecture, const struct cpu *a, const struct cpu *b,
                 state_visit_fn *visit, void *opaque);

#endif
