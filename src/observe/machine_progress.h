/*
 * The progress line of a machine that runs: simulated seconds, guest instructions a host second, and what the CPUs have
 * been doing since the line was last drawn.
 */
#ifndef SIMOS_MACHINE_PROGRESS_H
#define SIMOS_MACHINE_PROGRESS_H

#include "src/machine/machine.h"
#include "src/base/progress.h"

struct machine_progress {
    struct machine_limits begin, end;        /* where the run began, and where it will end unless the guest ends it */
    double updated;                          /* host time, seconds */
    uint64_t insns, mode_cycles[MODE_COUNT]; /* as of then */
};

/* MACHINE is about to run until END. */
void machine_progress_begin(struct machine_progress *of, const struct machine *machine,
                            const struct machine_limits *end);

/* How much of the way to END MACHINE has gone, 0 to 1; -1 if there is no limit. */
double machine_progress_share(const struct machine_progress *of, const struct machine *machine);

/* Draw the line anew if it is time to. */
void machine_progress_update(struct machine_progress *of, const struct machine *machine, struct progress *progress);

#endif
