/*
 * `simos restore` and `simos info`: resuming a machine from a checkpoint, and listing a checkpoint's contents.
 */
#ifndef SIMOS_RUN_RESTORE_H
#define SIMOS_RUN_RESTORE_H

#include "checkpoint/series_member.h"
#include "src/machine/machine.h"

struct restore;

/* The steps of a restore:
 *
 *     restore_open()      open the checkpoint PATH; NULL with ERR
 *     restore_params()    parameters of its machine, with the CPU model that ran last; the caller may change them, and
 *                         frees them; NULL with ERR
 *     restore_prepare()   prepare OPTIONS with these parameters, a command and files to copy; false with ERR if they
 *                         contradict what the guest knows
 *     machine_create()    OPTIONS are valid until restore_close()
 *     restore_load() */
struct restore *restore_open(const char *path, struct err *err);
void restore_close(struct restore *restore); /* NULL is allowed */
struct params *restore_params(const struct restore *restore, struct err *err);
const char *restore_path(const struct restore *restore);
const char *restore_name(const struct restore *restore); /* name of the machine description */
bool restore_prepare(struct restore *restore, struct machine_options *options, struct err *err);

/* Sets PATHS, which the caller frees, to the files of its series that the checkpoint needs. Returns their number; 0 too
 * if the section is damaged, which restore_load() reports. */
unsigned restore_needed_files(const struct restore *restore, char *paths[SERIES_DEPENDENCIES_MAX]);

/* A machine description has been applied to PARAMS: reset the parameters that the guest knows to their values in
 * BEFORE. */
void restore_reset_fixed(struct params *params, const struct params *before);

/* Instead of machine_load(): load MACHINE from the checkpoint, and pass a new job to the guest if there is one. Returns
 * false with ERR. */
bool restore_load(struct restore *restore, struct machine *machine, struct err *err);

/* Print the contents of the checkpoint PATH. Returns 0, or EXIT_SIMOS_FAILED with ERR. */
int restore_info(const char *path, struct err *err);

#endif
