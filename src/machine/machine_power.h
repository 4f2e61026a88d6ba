/*
 * CPUs that get power, lose it, or end to wait, in the middle of a run. Private to src/machine/.
 */
#ifndef SIMOS_MACHINE_POWER_H
#define SIMOS_MACHINE_POWER_H

#include "src/machine/machine.h"

/* CPU gets power, or is reset, and runs from PC (not 0). A CPU in the middle of its own run does so when that has
 * returned. */
void machine_power_on(struct machine *machine, unsigned cpu, vaddr pc);
/* CPU loses its power; in the middle of its own run, when that has returned. */
void machine_power_off(struct machine *machine, unsigned cpu);

/* What CORE did to its own power in its run, which has returned. */
void machine_power_settle(struct machine *machine, struct core *core);

/* CORE's wait has ended at the present time of the queue: the time until then was a wait. */
void machine_wake(struct machine *machine, struct core *core);

#endif
