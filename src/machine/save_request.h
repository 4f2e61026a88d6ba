/*
 * Checkpoints requested during a run by the body of an annotation: each is written at the next instruction boundary,
 * where the run stops (MACHINE_STOP_SAVE) and then continues. For a body that belongs to an instruction (exec, load,
 * store, a mark) this is the boundary behind that instruction.
 */
#ifndef SIMOS_MACHINE_SAVE_REQUEST_H
#define SIMOS_MACHINE_SAVE_REQUEST_H

#include "src/machine/machine.h"

/* Request a checkpoint of MACHINE in PATH. Several requests at the same boundary are performed in order. False with ERR
 * if the machine cannot be saved, or checkpoints are being written now. */
bool save_request_add(struct machine *machine, const char *path, struct err *err);

/* Are requests pending? */
bool save_request_pending(const struct machine *machine);

/* Between runs: write the requested checkpoints. False with ERR naming a file that cannot be written; the others are
 * dropped. */
bool save_request_perform(struct machine *machine, struct err *err);

/* machine_run() and machine_step() that write requested checkpoints and continue. */
enum machine_stop save_request_run(struct machine *machine, const struct machine_limits *limits);
enum machine_stop save_request_step(struct machine *machine, unsigned cpu, uint64_t count);

/* Drop all requests. */
void save_request_drop_all(struct machine *machine);

#endif
