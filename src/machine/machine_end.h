/*
 * Ending a run, with the reason that machine_run() returns. Private to src/machine*.c and the modules of src/ that end
 * runs.
 */
#ifndef SIMOS_MACHINE_MACHINE_END_H
#define SIMOS_MACHINE_MACHINE_END_H

#include "src/machine/machine.h"

/* End the present run at the next boundary with REASON. The first reason is kept, unless it is MACHINE_STOP_SAVE. An
 * exit or a failure at the same boundary as MACHINE_STOP_PAUSE ends the next run, before anything is executed. */
void machine_end(struct machine *machine, enum machine_stop reason);

/* End the present run at the next boundary with MACHINE_STOP_DEADLOCK and the message REASON. */
void machine_end_deadlocked(struct machine *machine, const struct err *reason);

/* A run is over: why. What an end after its pause says holds from now on. */
enum machine_stop machine_has_stopped(struct machine *machine);

/* Between runs: has the machine ended, so that no further run is possible? */
bool machine_has_ended(const struct machine *machine);

/* The guest has reached an event of KIND (and NAME, for a mark): pause if requested. */
void machine_pause_at(struct machine *machine, enum machine_event_kind kind, const char *name);

/* LIMITS, with a requested pause at a time or number of instructions (machine_pause_when) added as a limit. */
struct machine_limits machine_pause_limits(const struct machine *machine, const struct machine_limits *limits);

/* A run within such limits has ended with REASON. True if that was the pause, which is then cancelled. */
bool machine_pause_reached(struct machine *machine, enum machine_stop reason);

#endif
