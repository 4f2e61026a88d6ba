/*
 * Saving and restoring a complete machine, and the description of its configuration in a checkpoint.
 */
#ifndef SIMOS_MACHINE_MACHINE_SAVED_H
#define SIMOS_MACHINE_MACHINE_SAVED_H

#include "checkpoint/checkpoint.h"
#include "src/machine/machine.h"

/* Create the list of saved sections of MACHINE. NULL with ERR naming a part that cannot be saved. Free it with
 * saved_free() before the machine. */
struct saved *machine_saved_list(struct machine *machine, struct err *err);

/* Can MACHINE be saved, as OPTION requires? False with ERR naming the part that cannot. */
bool machine_can_save(struct machine *machine, const char *option, struct err *err);

/* Save MACHINE, between runs, to PATH. EVENT is its position ("boot": the guest has just requested its job). The
 * machine is unchanged. */
bool machine_save(struct machine *machine, const char *event, const char *path, struct err *err);

/* Save MACHINE as a file of a series (src/run/series.h): SERIES is the text of its section `series`; of RAM and disks
 * only the units are saved that belong to this file. */
bool machine_save_part(struct machine *machine, const char *event, const char *series, const char *path,
                       struct err *err);

/* The contents of CHECKPOINT do not fit, as ERR says: add which version of simos saved it, if it was another one.
 * Always returns false. */
bool machine_saved_elsewhere(struct checkpoint *checkpoint, struct err *err);

/* Load CHECKPOINT into MACHINE, newly created. SAME_MACHINE: its configuration equals the saved one in everything that
 * affects timing. False with ERR: MACHINE can then only be freed. */
bool machine_restore(struct machine *machine, struct checkpoint *checkpoint, bool same_machine, struct err *err);

#endif
