/*
 * CPUs that are powered up or down, or woken, during a run. Private to src/machine*.c and src/machine/board_*.c.
 */
#ifndef SIMOS_MACHINE_MACHINE_POWER_H
#define SIMOS_MACHINE_MACHINE_POWER_H

#include "src/machine/machine.h"

/* Power up or reset CPU; it starts at PC (not 0). If CPU itself is running, this takes effect when its run()
 * returns. */
void machine_power_on(struct machine *machine, unsigned cpu, vaddr pc);
/* Power down CPU. If CPU itself is running, this takes effect when its run() returns. */
void machine_power_off(struct machine *machine, unsigned cpu);

/* Apply the pending power change that CORE requested for itself in its run(), which has returned. */
void machine_power_settle(struct machine *machine, struct core *core);

/* End CORE's wait at the queue's present time; the time until then is charged as wait. */
void machine_wake(struct machine *machine, struct core *core);

#endif
