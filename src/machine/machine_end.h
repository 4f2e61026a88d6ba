/*
 * Why a run ends, and the reason that machine_run() then returns. Private to src/machine*.c and the modules of src/
 * that end runs.
 */
#ifndef SIMOS_MACHINE_END_H
#define SIMOS_MACHINE_END_H

#include "src/machine/machine.h"

/* The present run ends at the next boundary because of REASON. The first reason stays, unless it is
 * MACHINE_STOP_SAVE. */
void machine_end(struct machine *machine, enum machine_stop reason);

/* The present run ends at the next boundary with MACHINE_STOP_DEADLOCK, because of REASON. */
void machine_end_for_good(struct machine *machine, const struct err *reason);

/* Between two runs: has somebody said that there is to be no other? */
bool machine_is_ended(const struct machine *machine);

/* The guest is where EVENT of that KIND (and NAME, of a mark) has come: a pause may be due. */
void machine_pause_at(struct machine *machine, enum machine_event_kind kind, const char *name);

/* LIMITS, and with them a pause at a time or a number of instructions (machine_pause_when), which is a limit. */
struct machine_limits machine_pause_limits(const struct machine *machine, const struct machine_limits *limits);

/* A run within such limits has ended because of REASON. True if that was the pause: there is none any more. */
bool machine_pause_reached(struct machine *machine, enum machine_stop reason);

#endif
