/*
 * A guest that can no longer do anything: the run ends, with a line that says what each CPU that matters does, where,
 * what its last exception was, and whether the kernel is another board's.
 *
 * It is found where no CPU is left that could go on by itself (cpu/standstill.h) and no device has anything under way;
 * and, at the latest, when all CPUs wait and nothing that is scheduled or may come from outside will wake one. Looking
 * changes nothing, so a run in which nothing is found is as it would be without.
 *
 * Not found: CPUs that all loop with instructions that do not fault, one alone in a branch to itself among them.
 */
#ifndef SIMOS_STANDSTILL_H
#define SIMOS_STANDSTILL_H

#include "src/machine/machine.h"
#include <stdio.h>

/* If it is so, end the run with MACHINE_STOP_DEADLOCK and return true. While a CPU runs, only from its fault_repeats
 * hook. */
bool standstill_look(struct machine *machine);

/* All CPUs wait or are off, and the scheduler has found that nothing will wake one: end the run. */
void standstill_end(struct machine *machine);

/* Is nothing scheduled but the CPUs' own timers? */
bool standstill_no_device_works(const struct machine *machine);

/* Print " at 0x80100000 (start_kernel+0x10)" for kernel code at ADDRESS; the name only if there are symbols. */
void standstill_print_place(const struct machine *machine, vaddr address, FILE *out);

/* Print what the last exception of CORE was, from its registers: "; last exception: ...". CODE is Cause.ExcCode, or
 * that of the exception before the one that is told already. */
void standstill_print_exception(const struct machine *machine, const struct core *core, unsigned code, FILE *out);

#endif
