/*
 * Machines for random streams: creation, loading, comparison.
 */
#ifndef SIMOS_TESTS_DIFF_HARNESS_H
#define SIMOS_TESTS_DIFF_HARNESS_H

#include "src/machine/machine.h"
#include "tests/diff/stream.h"

/* Create a machine with 16 MB and the NULL-terminated ASSIGNMENTS; guest warnings are suppressed. */
struct machine *harness_machine(const char *const *assignments);

/* Copy IMAGE to MACHINE's memory. */
void harness_load(struct machine *machine, const struct image *image);

/* Start CPU with CONTEXT, under the handlers of driver.S; its CP0 timer interrupt is routed to it. */
void harness_start(struct machine *machine, unsigned cpu, const struct context *context);

/* Compare everything that src/run/compare.h compares. Returns NULL if equal; otherwise a description of the first
 * difference in TEXT, of SIZE bytes. TIME: compare time, accounts and statistics too; false: timing may differ. */
const char *harness_compare(struct machine *a, struct machine *b, bool time, char *text, size_t size);

/* Print at most LIMIT differences. */
void harness_print_differences(struct machine *a, struct machine *b, unsigned limit);

/* Print CPU's registers and the instructions around its pc. */
void harness_print_around(struct machine *machine, unsigned cpu);

#endif
