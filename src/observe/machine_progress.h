/*
 * Progress line of a running machine: simulated seconds, guest instructions per host second, and the modes of the CPUs
 * since the last update.
 */
#ifndef SIMOS_OBSERVE_MACHINE_PROGRESS_H
#define SIMOS_OBSERVE_MACHINE_PROGRESS_H

#include "src/machine/machine.h"
#include "src/base/progress.h"

struct machine_progress {
    struct machine_limits begin, end;        /* start of the run, and its end unless the guest ends it earlier */
    double updated;                          /* host time, seconds */
    uint64_t insns, mode_cycles[MODE_COUNT]; /* at the last update */
};

/* Start the progress of a run of MACHINE until END. */
void machine_progress_begin(struct machine_progress *of, const struct machine *machine,
                            const struct machine_limits *end);

/* Fraction of the run done, 0 to 1; -1 without a limit. */
double machine_progress_share(const struct machine_progress *of, const struct machine *machine);

/* Redraw the line if it is due. */
void machine_progress_update(struct machine_progress *of, const struct machine *machine, struct progress *progress);

#endif
