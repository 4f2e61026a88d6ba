/*
 * Runs in which a debugger resumes some CPUs only: the others are held, and a resumed CPU may make a step of one
 * instruction.
 *
 * A held CPU executes nothing. The others first run as far as they would before it is its turn. If they stop there, as
 * at a step over a breakpoint, and it is released, the run is the same as if it had never been held. Otherwise they
 * leave it behind: simulated time goes on, events occur, and the levels of its interrupt lines change. When it is
 * released it continues at the present time, and the time that it missed is counted as off.
 *
 * Ordering rule: machine_hold_begin(), any number of runs, machine_hold_end(). Between runs.
 */
#ifndef SIMOS_MACHINE_MACHINE_HOLD_H
#define SIMOS_MACHINE_MACHINE_HOLD_H

#include "src/machine/machine.h"

enum machine_action {
    MACHINE_CPU_HELD,
    MACHINE_CPU_RUNS,
    MACHINE_CPU_STEPS, /* as RUNS; the run ends with MACHINE_STOP_STEP when it has completed one instruction */
};

/* In the following runs each CPU does ACTIONS[its number]. If several make a step, the first to complete it ends the
 * run. A run ends with MACHINE_STOP_HELD when the CPUs that are not held are off, or wait for ever. */
void machine_hold_begin(struct machine *machine, const enum machine_action actions[]);

/* Release all CPUs. */
void machine_hold_end(struct machine *machine);

/* Is a CPU held that could otherwise run? */
bool machine_hold_stops_some(const struct machine *machine);

#endif
