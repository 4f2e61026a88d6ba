/*
 * A whole machine as something that is saved, and what a checkpoint says of it besides: what it was made from.
 */
#ifndef SIMOS_MACHINE_SAVED_H
#define SIMOS_MACHINE_SAVED_H

#include "checkpoint/checkpoint.h"
#include "src/machine/machine.h"

/* Everything of MACHINE. NULL with ERR naming a part that cannot be saved. saved_free() it before the machine. */
struct saved *machine_saved_list(struct machine *machine, struct err *err);

/* Can it be saved at all, as OPTION wants? False with ERR naming what cannot be. */
bool machine_can_save(struct machine *machine, const char *option, struct err *err);

/* Save MACHINE, between runs, to PATH. EVENT is where it is ("boot": the guest has just asked for its job). It goes on
 * as if nothing had happened. */
bool machine_save(struct machine *machine, const char *event, const char *path, struct err *err);

/* The same as a file of a series (src/run/series.h): SERIES is its text `series`, and of RAM and disks it has only what its
 * sections call its own. */
bool machine_save_part(struct machine *machine, const char *event, const char *series, const char *path,
                       struct err *err);

/* Load CHECKPOINT into MACHINE, which has been made and has not run. SAME_MACHINE: it is made from what the saved one
 * was made from, as far as time depends on it. False with ERR: MACHINE is of no further use. */
bool machine_restore(struct machine *machine, struct checkpoint *checkpoint, bool same_machine, struct err *err);

#endif
