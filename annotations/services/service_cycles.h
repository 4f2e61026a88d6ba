/*
 * Cycles by mode, routine, cause, data structure and class of miss: every cycle of every processor, once.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_CYCLES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_CYCLES_H

#include "annotations/services/service_misses.h"

/* From now on count where the cycles go; anew, if they are counted already. NAMES gives numbers to the data at an
 * address and names them, and ROUTINE the number of the routine of the instruction at PC, which CORE has executed, and
 * how far its code reaches around PC, from *LOW to *HIGH - 1. Both must outlive SERVICES. */
typedef uint64_t cycle_routine_fn(void *opaque, struct core *core, vaddr pc, vaddr *low, vaddr *high);
void services_record_cycles(struct services *services, const struct miss_names *names, cycle_routine_fn *routine,
                            void *opaque);

/* Are the cycles of SERVICES, which may be NULL, recorded? */
bool services_records_cycles(const struct services *services);

/* From now on what WHATIF says takes no time. Cycles are recorded, and SERVICES owns WHATIF from now on. All but misses
 * needs in-order CPUs. */
struct whatif;
void services_set_whatif(struct services *services, struct whatif *whatif);

/* The names of two routines that are none: where a processor waits for an event (`wait`), and the code at the TLB
 * refill vector, which has the number CYCLES_TLB_REFILL. */
#define CYCLES_TLB_REFILL  UINT64_MAX
#define CYCLES_REFILL_NAME "(TLB refill)"
#define CYCLES_WAIT_NAME   "(wait)"
#define CYCLES_LOCK_PREFIX "lock "

/* RECORD may be NULL. */
struct cycle_record;
void service_cycles_free(struct cycle_record *record);
void service_cycles_reset(struct services *services);
/* Do the cycles by place add up to the accounts of the modes, cause by cause? False with ERR. */
bool service_cycles_check(struct services *services, struct err *err);
/* Write the member `cycles`. They are recorded. */
void service_cycles_write_json(const struct services *services, struct json_writer *json);

#endif
