/*
 * Execution of instructions when they issue.
 */
#ifndef SIMOS_CPU_MXS_EXECUTE_H
#define SIMOS_CPU_MXS_EXECUTE_H

#include "cpu/mxs/op.h"

/* By enum isa_id: execute ENTRY, whose sources are ready, at time NOW. */
extern mxs_execute_fn *const mxs_execute[];

/* By enum isa_id, stores only: compute entry->data, the data to store; all sources are ready. */
extern mxs_value_fn *const mxs_store_values[];

#endif
