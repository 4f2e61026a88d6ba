/*
 * A file that describes the jobs of a sweep: Tcl (src/host/tcl_file.h) with these commands more.
 *
 *     checkpoint FILE ?FILE ...?      which simos restores
 *     machine NAME|FILE.tcl ?...?     --machine
 *     cpu MODEL ?MODEL ...?           --cpu
 *     param NAME VALUE ?VALUE ...?    --set
 *     seconds S ?S ...?               --seconds
 *     max-insns N ?N ...?             --max-insns
 *     command WORD ?WORD ...?         the guest's
 *     option WORD ?WORD ...?          further words of `simos restore`, and their files:
 *     input FILE ?FILE ...?           files that the result depends on besides those above
 *     slurm WORD ?WORD ...?           options for sbatch
 *     job NAME SCRIPT                 jobs of their own, for which SCRIPT changes what was said so far
 *
 * The jobs are all combinations of the values, the first said changing slowest. A command given again replaces what it
 * said. If there is a `job`, what stands outside is only what the jobs have in common.
 */
#ifndef SIMOS_SWEEP_FILE_H
#define SIMOS_SWEEP_FILE_H

#include "src/sweep/sweep_jobs.h"

enum { SWEEP_FILE_SLURM_MAX = 64 };

struct sweep_file {
    struct sweep_jobs jobs;
    unsigned slurm_count;
    char *slurm[SWEEP_FILE_SLURM_MAX]; /* options for sbatch */
};

/* Read the file PATH. False with ERR naming file, line or job and what is wrong. Either way sweep_file_release(). */
bool sweep_file_read(struct sweep_file *file, const char *path, run_options_parser *parse, struct err *err);
/* The same with TEXT, which is called PATH in messages. */
bool sweep_file_parse(struct sweep_file *file, const char *path, const char *text, run_options_parser *parse,
                      struct err *err);
void sweep_file_release(struct sweep_file *file);

#endif
