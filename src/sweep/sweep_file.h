/*
 * A file that describes a parameter sweep: Tcl (src/tcl/tcl_file.h) with the commands of src/sweep/sweep_settings.h
 * and
 *
 *     slurm WORD ?WORD ...?           options for sbatch
 *     job NAME SCRIPT                 separate jobs; SCRIPT changes the settings so far for them
 *
 * The jobs are all combinations of the values; the axis given first varies slowest. Repeating a command replaces its
 * earlier values. If the file has a `job`, the commands outside are only the common settings of all jobs.
 */
#ifndef SIMOS_SWEEP_SWEEP_FILE_H
#define SIMOS_SWEEP_SWEEP_FILE_H

#include "src/sweep/sweep_jobs.h"

enum { SWEEP_FILE_SLURM_MAX = 64 };

struct sweep_file {
    struct sweep_jobs jobs;
    unsigned slurm_count;
    char *slurm[SWEEP_FILE_SLURM_MAX]; /* options for sbatch */
};

/* Read the file PATH. TRUSTED: it may access the host (docs/reference/security.md). Returns false with ERR naming file,
 * line or job and the error. In both cases the caller calls sweep_file_release(). */
bool sweep_file_read(struct sweep_file *file, const char *path, bool trusted, const struct commands *commands,
                     struct err *err);
/* Parse TEXT instead of a file; messages call it PATH. */
bool sweep_file_parse(struct sweep_file *file, const char *path, const char *text, bool trusted,
                      const struct commands *commands, struct err *err);
void sweep_file_release(struct sweep_file *file);

#endif
