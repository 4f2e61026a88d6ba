/*
 * `simos run`: build a machine, run the guest in it, print the results.
 */
#ifndef SIMOS_RUN_H
#define SIMOS_RUN_H

#include "src/run/run_options.h"
#include "src/base/log.h"

struct sweep_study;

/* Returns the exit status of the process: the guest command's own, EXIT_LIMIT, 128 + signal number, or
 * EXIT_SIMOS_FAILED with ERR set. */
int run_main(struct run_options *run, struct err *err);

/* The same with STUDY's sweeps beside it (NULL: none); study->complete says whether they are, when it returns. */
int run_watched(struct run_options *run, struct sweep_study *study, struct err *err);

/* Parts of it, for other ways to run. */

/* The limits that RUN sets. */
struct machine_limits run_limits(const struct run_options *run);

/* The run of MACHINE has ended for REASON, SET_UP and HOST seconds of the host after it began: check the accounts,
 * print the results, write the statistics. Returns the exit status, with ERR saying why if it is not the guest's own.
 */
int run_finish(const struct run_options *run, const struct machine *machine, enum machine_stop reason, double set_up,
               double host, struct err *err);

#endif
