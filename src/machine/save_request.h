/*
 * Checkpoints that are asked for in the middle of a run, by the body of an annotation: each is written at the next
 * boundary between two instructions, where the run stops for it (MACHINE_STOP_SAVE) and goes on. The first boundary
 * behind a body that belongs to an instruction (exec, load, store, a mark) is the one behind that instruction.
 */
#ifndef SIMOS_SAVE_REQUEST_H
#define SIMOS_SAVE_REQUEST_H

#include "src/machine/machine.h"

/* MACHINE is to be saved to PATH. Several requests at one instant are carried out in their order. False with ERR: it
 * cannot be saved, or checkpoints are being written right now. */
bool save_request_add(struct machine *machine, const char *path, struct err *err);

/* Are there any? */
bool save_request_pending(const struct machine *machine);

/* Between runs: carry them out. False with ERR naming a file that cannot be written; the others are forgotten. */
bool save_request_carry_out(struct machine *machine, struct err *err);

/* machine_run() and machine_step() that do not stop for them. */
enum machine_stop save_request_run(struct machine *machine, const struct machine_limits *limits);
enum machine_stop save_request_step(struct machine *machine, unsigned cpu, uint64_t count);

/* They are of no more interest. */
void save_request_forget(struct machine *machine);

#endif
