/*
 * `simos run`: builds a machine, runs the guest and prints the results.
 */
#ifndef SIMOS_RUN_RUN_H
#define SIMOS_RUN_RUN_H

#include "src/run/run_options.h"
#include "src/base/log.h"

struct sweep_study;

/* Execute `simos run`. Returns the exit status of the process: that of the guest's command, EXIT_LIMIT, 128 + signal
 * number, or EXIT_SIMOS_FAILED with ERR. */
int run_main(struct run_options *run, struct err *err);

/* run_main() with the cache sweeps of STUDY (NULL: none); study->complete tells whether the sweeps ran to the end. */
int run_with_sweeps(struct run_options *run, struct sweep_study *study, struct err *err);

/* Parts for other commands. */

/* The limits set by LINE. */
struct machine_limits run_limits(const struct run_options *run);

/* Finish a run of MACHINE, instrumented by WATCH (NULL: not instrumented), that has ended for REASON: check the
 * accounts, print the results, write the statistics and other files, and name events that did not come. SET_UP, HOST:
 * host seconds before the first instruction, and after it. Returns the exit status, with ERR if it is not that of the
 * guest's command. */
int run_finish(const struct run_options *run, const struct machine *machine, const struct instrument *instrument,
               enum machine_stop reason, double set_up, double host, struct err *err);

#endif
