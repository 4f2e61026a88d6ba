/*
 * Instrumentation of a run: the memory-reference trace of `--trace`, the cache sweeps of `simos sweep`, the
 * annotations of `--script` and the collectors of src/observe/collect.h, each with its start and stop triggers.
 *
 * The instrumentation interposes on the machine's host interface: instrument_host() returns an interface that observes
 * each callback and forwards it to the original one.
 */
#ifndef SIMOS_OBSERVE_INSTRUMENT_H
#define SIMOS_OBSERVE_INSTRUMENT_H

#include "src/observe/collect.h"
#include "src/machine/machine.h"
#include "src/observe/sweep_study.h"

struct annotated_interpreter;
struct instrument;
struct end_signals;

/* Create the instrumentation: a trace to the file TRACE_PATH (NULL: none) and the sweeps of STUDY (NULL: none), both
 * configured by the parameters trace.* and sweep.* of PARAMS; the annotations of SCRIPT (src/observe/annotated.h; NULL:
 * none); the collectors of PLAN. *WATCH is NULL if none of them is requested. Creates the trace file. Returns false
 * with ERR naming the invalid parameter, script or file. */
bool instrument_create(struct instrument **instrument, const char *trace_path, struct sweep_study *study,
                       const char *script, const struct annotated_interpreter *interpreter,
                       const struct collect_plan *plan, const struct params *params, struct err *err);
/* Free WATCH and discard unfinished output. This function and all below accept NULL. */
void instrument_free(struct instrument *instrument);

/* The host interface, and its opaque pointer, to pass to machine_create() in place of HOST and OPAQUE. */
const struct machine_host *instrument_host(struct instrument *instrument, const struct machine_host *host,
                                           void *opaque);
void *instrument_host_opaque(struct instrument *instrument, void *opaque);

/* Start the instrumentation of MACHINE, which is loaded and has not run yet. Returns false with ERR if a trace or sweep
 * is requested and the machine has no caches, a sweep point is invalid, or the script fails. A signal of SIGNALS
 * interrupts scripts (annotated_begin()). */
bool instrument_begin(struct instrument *instrument, struct machine *machine, struct end_signals *signals,
                      struct err *err);

/* machine_run() with instrumentation. */
enum machine_stop instrument_run(struct instrument *instrument, struct machine *machine,
                                 const struct machine_limits *limits);

/* The measured part of the run begins (stats_begin()): reset the counts of sweeps, collectors and annotations. */
void instrument_reset(struct instrument *instrument);

/* Call before a checkpoint of the machine is written: delivers the checkpoint event to annotations. */
void instrument_checkpoint(struct instrument *instrument);

/* During a run, between the runs of CPUs: write the members of the statistics that instrument_end() adds, with what has
 * been collected so far, to JSON, which is writing an object. Changes nothing. */
void instrument_write_members(const struct instrument *instrument, struct json_writer *json);

/* Call after the last run: complete trace and study, and add what annotations have collected to the statistics. Returns
 * false with ERR if the trace or a requested checkpoint cannot be written. */
bool instrument_end(struct instrument *instrument, struct err *err);
/* After the run: the next event of WATCH (NULL: none) from *INDEX on, 0 at first, that was asked for and did not come:
 * ERR names it. False if there is none. */
bool instrument_next_missed(const struct instrument *instrument, unsigned *index, struct err *err);
/* Write the collectors' files (src/observe/collect.h). Returns false with ERR on a write error. */
bool instrument_save(const struct instrument *instrument, struct err *err);
/* Print what annotations have collected to OUT. Returns false with ERR if an annotation body failed. */
bool instrument_print(struct instrument *instrument, FILE *out, struct err *err);

#endif
