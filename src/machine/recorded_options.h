/*
 * The options of a machine in a record (src/host/record.h, src/host/replay.h): written, compared, adopted.
 */
#ifndef SIMOS_RECORDED_OPTIONS_H
#define SIMOS_RECORDED_OPTIONS_H

#include "src/host/replay.h"
#include "src/machine/machine.h"

/* Write the head of the machine that is made from OPTIONS. */
void record_machine(struct record *record, const struct machine_options *options);

/* Set OPTIONS and limits to those of the recorded machine, which is RESTORED from a checkpoint or not. What was asked
 * for (params_is_set()) must be as recorded, apart from where files are and from what only observes a run. False with
 * ERR naming what is not. Words stay owned by the replay. A limit that was asked for stays. */
bool replay_adopt(const struct replay_machine *machine, struct machine_options *options, bool restored, double *seconds,
                  uint64_t *insns, struct err *err);
/* Are OPTIONS those of the recorded machine, with the same exceptions? */
bool replay_check(const struct replay_machine *machine, const struct machine_options *options, struct err *err);

/* The external input of MACHINE, recorded or replayed as OPTIONS say. NULL with ERR if MACHINE is not the machine of
 * the record. */
struct external *machine_external_create(struct machine *machine, const struct machine_options *options,
                                         struct err *err);

#endif
