/*
 * `simos restore` and `simos info`: a machine that goes on from a checkpoint, and what is inside one.
 */
#ifndef SIMOS_RESTORE_H
#define SIMOS_RESTORE_H

#include "src/machine/machine.h"

struct restore;

/* Step by step: open the checkpoint PATH (NULL with ERR); take the parameters of its machine, with the CPU
 * model that ran last (to be freed; NULL with ERR); change them, and prepare OPTIONS with them, a command and files in
 * and out: false with ERR if the guest knows otherwise; OPTIONS are good for machine_create() until the checkpoint is
 * closed; restore_load(). */
struct restore *restore_open(const char *path, struct err *err);
void restore_close(struct restore *restore); /* NULL is allowed */
struct params *restore_params(const struct restore *restore, struct err *err);
const char *restore_name(const struct restore *restore); /* of the machine's description */
bool restore_prepare(struct restore *restore, struct machine_options *options, struct err *err);

/* PARAMS has got a machine description: what a restored machine's guest knows stays as it is in BEFORE. */
void restore_keep_fixed(struct params *params, const struct params *before);

/* In the place of machine_load(): fill MACHINE from the checkpoint, and give the guest its new job if it has one. */
bool restore_load(struct restore *restore, struct machine *machine, struct err *err);

/* Print what is inside the checkpoint PATH. 0, or EXIT_SIMOS_FAILED with ERR. */
int restore_info(const char *path, struct err *err);

#endif
