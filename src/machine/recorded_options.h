/*
 * The options of a machine in a record (src/host/record.h, src/host/replay.h): written, compared, adopted.
 */
#ifndef SIMOS_MACHINE_RECORDED_OPTIONS_H
#define SIMOS_MACHINE_RECORDED_OPTIONS_H

#include "src/host/replay.h"
#include "src/machine/machine.h"

/* Write the head of the machine that is made from OPTIONS. */
void record_machine(struct record *record, const struct machine_options *options);

/* Set OPTIONS and limits to those of the recorded machine. RESTORED: this machine is restored from a checkpoint.
 * Options set by the user (params_is_set()) must equal the recorded ones, except for file locations and pure
 * observation. False with ERR naming a difference. The words of the command stay owned by the replay. A limit set by
 * the user is kept. */
bool replay_adopt(const struct replay_machine *machine, struct machine_options *options, bool restored, double *seconds,
                  uint64_t *insns, struct err *err);
/* Are OPTIONS those of the recorded machine, with the same exceptions? */
bool replay_check(const struct replay_machine *machine, const struct machine_options *options, struct err *err);

/* The external input of MACHINE, recorded or replayed as OPTIONS say. NULL with ERR if MACHINE is not the machine of
 * the record. */
struct external *machine_external_create(struct machine *machine, const struct machine_options *options,
                                         struct err *err);

#endif
