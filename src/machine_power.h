/*
 * What devices do to a machine in the middle of a run. Private to src/machine*.c and src/board_*.c.
 */
#ifndef SIMOS_MACHINE_POWER_H
#define SIMOS_MACHINE_POWER_H

#include "src/machine.h"

/* CPU gets power, or is reset, and runs from PC. A CPU in the middle of its own run does so when that has returned. */
void machine_power_on(struct machine *machine, unsigned cpu, vaddr pc);
/* CPU loses its power. */
void machine_power_off(struct machine *machine, unsigned cpu);

/* CORE's wait has ended at the present time of the queue: the time until then was a wait. */
void machine_wake(struct machine *machine, struct core *core);

/* The present run ends at the next boundary because of REASON. The first reason stays, unless it is
 * MACHINE_STOP_SAVE. */
void machine_end(struct machine *machine, enum machine_stop reason);

/* The present run ends at the next boundary with MACHINE_STOP_DEADLOCK, because of REASON. */
void machine_end_for_good(struct machine *machine, const struct err *reason);

/* The guest is where EVENT of that KIND (and NAME, of a mark) has come: a pause may be due. */
void machine_pause_at(struct machine *machine, enum machine_event_kind kind, const char *name);

#endif
