/*
 * Machines for random streams: made, loaded, compared.
 */
#ifndef SIMOS_TEST_DIFF_HARNESS_H
#define SIMOS_TEST_DIFF_HARNESS_H

#include "src/machine.h"
#include "tests/diff/stream.h"

/* A machine of the assignments (NULL-terminated), with 16 MB and no warnings about its guest. */
struct machine *harness_machine(const char *const *assignments);

/* Put IMAGE into MACHINE's memory. */
void harness_load(struct machine *machine, const struct image *image);

/* CPU runs from CONTEXT, under the handlers of driver.S; the CP0 timer is routed to it. */
void harness_start(struct machine *machine, unsigned cpu, const struct context *context);

/* Everything a machine holds that its guest can see, and its statistics. NULL if equal; else what differs first, in a
 * static buffer of the caller: TEXT of SIZE bytes. TIME: compare cycles, clocks and statistics too. */
const char *harness_compare(struct machine *a, struct machine *b, bool time, char *text, size_t size);

/* Statistics as JSON; free() it. */
char *harness_stats(const struct machine *machine);

#endif
