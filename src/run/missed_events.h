/* The events that the options of a run name, and that did not come before its end. */
#ifndef SIMOS_RUN_MISSED_EVENTS_H
#define SIMOS_RUN_MISSED_EVENTS_H

#include "src/run/run_options.h"

/* False if an event of RUN's options did not come: of --checkpoint, --series, --switch, --window, --timeline,
 * trace.start, trace.stop or sweep.start. ERR names it; further ones are printed as err_add() does. At the end of the
 * run of MACHINE, which WATCH (NULL: nothing) instruments. */
bool missed_events_check(const struct run_options *run, const struct machine *machine,
                         const struct instrument *instrument, struct err *err);

#endif
