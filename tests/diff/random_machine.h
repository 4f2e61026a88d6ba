/*
 * Random memory systems, drawn from the table of parameters: every parameter of a geometry takes part, those that will
 * be added too.
 */
#ifndef SIMOS_TESTS_DIFF_RANDOM_MACHINE_H
#define SIMOS_TESTS_DIFF_RANDOM_MACHINE_H

#include "src/base/params.h"
#include "tests/diff/random.h"

enum { RANDOM_MACHINE_SETTINGS = 240 };

/* A machine as "NAME=VALUE" texts: those of its parameters that differ from their initial values. */
struct random_machine {
    char setting[RANDOM_MACHINE_SETTINGS][112];
    unsigned count;
    bool validates; /* a cache has write_allocate=validate with lines of several words, which excludes cache.classify */
};

/* Draw a machine of CPUS processors that memsys_create() accepts. PAGES, "FIRST-LAST", may get the update protocol. */
void random_machine_draw(struct random_machine *machine, struct random *random, unsigned cpus, const char *pages);

/* Print the settings in one line, as arguments of --set. */
void random_machine_print(const struct random_machine *machine);

#endif
