/*
 * What a run saves at an error in simos (log_bug()), before the process aborts: what it has counted, up to the error,
 * and what it has written so far. The statistics say so in their text `incomplete`, and a line on stderr names each
 * file.
 *
 * Not saved: checkpoints, and files that the guest copies out.
 */
#ifndef SIMOS_RUN_SALVAGE_H
#define SIMOS_RUN_SALVAGE_H

#include "src/observe/console.h"
#include "src/observe/instrument.h"
#include "src/run/run.h"

enum { SALVAGE_STEPS = 10 };

struct salvage {
    const struct run_options *run;
    struct instrument *instrument; /* NULL: none */
    bool instrument_ended;         /* instrument_end() has been called */
    struct console *console;       /* NULL: none */
    struct machine *machine;
    struct log_bug_step steps[SALVAGE_STEPS];
};

/* From now on an error in simos saves the outputs of RUN, of MACHINE, WATCH (NULL: none) and CONSOLE (NULL: none). The
 * objects outlive SALVAGE, which is not moved. */
void salvage_begin(struct salvage *salvage, const struct run_options *run, struct machine *machine,
                   struct instrument *instrument, struct console *console);
/* The outputs are written. Nothing happens if SALVAGE is zero or has ended. */
void salvage_end(struct salvage *salvage);

#endif
