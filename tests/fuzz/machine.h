/*
 * Small machines for targets whose reader needs one.
 */
#ifndef SIMOS_TESTS_FUZZ_MACHINE_H
#define SIMOS_TESTS_FUZZ_MACHINE_H

#include "src/machine/machine.h"
#include "tests/fuzz/fuzz.h"

/* OPTIONS as machine_options_init() makes them. */
static inline void fuzz_options_init(struct machine_options *options)
{
    static struct machine_options initial;
    if (!initial.params)
        machine_options_init(&initial);
    *options = initial;
    options->params = params_copy(initial.params);
}

/* OPTIONS of a machine of 16 MB, two CPUs and small caches, and further assignments up to a NULL. */
static inline void fuzz_options(struct machine_options *options, const char *const *assignments)
{
    static const char *const small[] = {"machine.memory=16M",
                                        "machine.cpus=2",
                                        "cpu.model=mipsy",
                                        "cache.l1i.size=1K",
                                        "cache.l1d.size=1K",
                                        "cache.l2.size=4K",
                                        NULL};
    struct err err = {""};
    fuzz_options_init(options);
    options->quiet = true;
    for (const char *const *at = small; *at; at++)
        fuzz_must(params_set_assignment(options->params, *at, &err), *at, &err);
    for (; assignments && *assignments; assignments++)
        fuzz_must(params_set_assignment(options->params, *assignments, &err), *assignments, &err);
}

static inline struct machine *fuzz_machine(const char *const *assignments)
{
    struct machine_options options;
    struct err err = {""};
    fuzz_options(&options, assignments);
    struct machine *machine = machine_create(&options, NULL, NULL, &err);
    fuzz_must(machine, "machine", &err);
    machine_options_release(&options);
    return machine;
}

#endif
