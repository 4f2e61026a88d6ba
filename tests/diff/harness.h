/*
 * Machines for random streams: made, loaded, compared.
 */
#ifndef SIMOS_TEST_DIFF_HARNESS_H
#define SIMOS_TEST_DIFF_HARNESS_H

#include "src/machine/machine.h"
#include "tests/diff/stream.h"

/* A machine of the assignments (NULL-terminated), with 16 MB and no warnings about its guest. */
struct machine *harness_machine(const char *const *assignments);

/* Put IMAGE into MACHINE's memory. */
void harness_load(struct machine *machine, const struct image *image);

/* CPU runs from CONTEXT, under the handlers of driver.S; the CP0 timer is routed to it. */
void harness_start(struct machine *machine, unsigned cpu, const struct context *context);

/* Everything that src/run/compare.h compares. NULL if equal; else what differs first, in a buffer of the caller: TEXT of
 * SIZE bytes. TIME: compare time, accounts and statistics too; without, the two may take different time for the same.
 */
const char *harness_compare(struct machine *a, struct machine *b, bool time, char *text, size_t size);

/* Print what differs, figure by figure, at most LIMIT of them. */
void harness_print_differences(struct machine *a, struct machine *b, unsigned limit);

/* Print CPU's registers and the instructions around its pc. */
void harness_print_around(struct machine *machine, unsigned cpu);

#endif
