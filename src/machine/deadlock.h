/*
 * Deadlock detection: ends the run of a guest that cannot continue, with a message on what each relevant CPU does and
 * where, its last exception, and whether the kernel was built for another board.
 *
 * Detected when no CPU can continue by itself (cpu/privileged/stuck.h) and no device has work in progress; and at the
 * latest when all CPUs wait and neither a scheduled event nor external input can wake one. Detection has no side
 * effects on the run.
 *
 * Not detected: CPUs that all loop with instructions that do not fault, including a single CPU in a branch to itself.
 */
#ifndef SIMOS_MACHINE_DEADLOCK_H
#define SIMOS_MACHINE_DEADLOCK_H

#include "src/machine/machine.h"
#include <stdio.h>

/* If the guest is deadlocked, end the run with MACHINE_STOP_DEADLOCK and return true. While a CPU runs, call it only
 * from its fault_repeats hook. */
bool deadlock_check(struct machine *machine);

/* All CPUs wait or are off, and the scheduler has found that nothing can wake one: end the run. */
void deadlock_end(struct machine *machine);

/* Are the CPUs' own timers the only scheduled events? */
bool deadlock_devices_idle(const struct machine *machine);

/* Print " at 0x80100000 (start_kernel+0x10)" for kernel code at ADDRESS; the name only with symbols. */
void deadlock_print_address(const struct machine *machine, vaddr address, FILE *out);

/* Print the last exception of CORE from its registers: "; last exception: ...". CODE is Cause.ExcCode, or the code of
 * the exception before the one already printed. */
void deadlock_print_exception(const struct machine *machine, const struct core *core, unsigned code, FILE *out);

#endif
