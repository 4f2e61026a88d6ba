/*
 * The options of a machine in a record (src/host/record.h, src/host/replay.h): written, compared, adopted.
 */
#ifndef SIMOS_MACHINE_RECORDED_OPTIONS_H
#define SIMOS_MACHINE_RECORDED_OPTIONS_H

#include "src/host/replay.h"
#include "src/machine/machine.h"

/* Write the head of the machine that is made from OPTIONS. */
void record_machine(struct record *record, const struct machine_options *options);

/* Does the replay begin where the recorded run did, at power-on (PATH is NULL) or at the checkpoint PATH; or, then
 * options->entered is set, at a checkpoint that the recorded run saved? False with ERR. */
bool replay_begin(const struct replay_machine *machine, const char *path, struct machine_options *options,
                  struct err *err);
/* Set OPTIONS and limits to those of the recorded machine. CHECKPOINT: this machine is restored from it; NULL: it is
 * not. Of a record that is entered the parameters are those of the checkpoint. Options set by the user
 * (params_is_set()) must equal the recorded ones, except for file locations and pure observation. False with ERR naming
 * a difference. The words of the command stay owned by the replay. A limit set by the user is kept. */
bool replay_adopt(const struct replay_machine *machine, struct machine_options *options, const char *checkpoint,
                  double *seconds, uint64_t *insns, struct err *err);
/* Are OPTIONS those of the recorded machine, with the same exceptions? */
bool replay_check(const struct replay_machine *machine, const struct machine_options *options, struct err *err);

/* The external input of MACHINE, recorded or replayed as OPTIONS say. NULL with ERR if MACHINE is not the machine of
 * the record. */
struct external *machine_external_create(struct machine *machine, const struct machine_options *options,
                                         struct err *err);

#endif
