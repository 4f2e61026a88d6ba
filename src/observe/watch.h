/*
 * Watching a run: the trace of `--trace`, the sweeps of `simos sweep`, and when each begins and ends; the annotations
 * of `--script`; what else is collected (src/observe/collect.h).
 *
 * A machine is watched through its own host interface: watch_host() stands between it and the one it has.
 */
#ifndef SIMOS_WATCH_H
#define SIMOS_WATCH_H

#include "src/observe/collect.h"
#include "src/machine/machine.h"
#include "src/observe/sweep_study.h"

struct annotated_interpreter;
struct watch;
struct end_signals;

/* What is to be watched: a trace to the file TRACE_PATH (NULL: none), and STUDY (NULL: none), as the parameters trace.*
 * and sweep.* of PARAMS say; annotations of SCRIPT (src/observe/annotated.h; NULL: none); what PLAN says. False with ERR naming
 * what is wrong in them; *WATCH is NULL if nothing is to be done. The file of the trace is created. */
bool watch_create(struct watch **watch, const char *trace_path, struct sweep_study *study, const char *script,
                  const struct annotated_interpreter *interpreter,
                  const struct collect_plan *plan, const struct params *params, struct err *err);
/* Give up what is not finished. NULL is fine; so it is in all functions below. */
void watch_free(struct watch *watch);

/* The host for machine_create() of a machine whose own would be HOST with OPAQUE; and its opaque. */
const struct machine_host *watch_host(struct watch *watch, const struct machine_host *host, void *opaque);
void *watch_host_opaque(struct watch *watch, void *opaque);

/* MACHINE is loaded and about to run for the first time. False with ERR if it has no caches to watch, a point of the
 * sweep does not fit, or the script fails. SIGNALS interrupt scripts (annotated_begin()). */
bool watch_begin(struct watch *watch, struct machine *machine, struct end_signals *signals, struct err *err);

/* machine_run(). */
enum machine_stop watch_run(struct watch *watch, struct machine *machine, const struct machine_limits *limits);

/* The figures of the run begin here (stats_begin()): those of annotations too. */
void watch_begin_figures(struct watch *watch);

/* A checkpoint of the machine is about to be written. */
void watch_checkpoint(struct watch *watch);

/* The last run is over: complete the trace and the study; what annotations have collected goes to the statistics.
 * False with ERR if the trace could not be written. */
bool watch_end(struct watch *watch, struct err *err);
/* Write the files of what else has been collected. */
bool watch_save(const struct watch *watch, struct err *err);
/* Print what annotations have collected. False with ERR if one of them failed. */
bool watch_print(struct watch *watch, FILE *out, struct err *err);

#endif
