/*
 * A baseline: what the runs of a test have measured, kept beside its file as text for version control. Lines of fields
 * separated by tabs; the first field says what a line is:
 *
 *     simos baseline 1
 *     simos     VERSION COMMIT       that measured
 *     workload  DIGEST               position, command, disks
 *     kernel    DIGEST PATH          not compared: the kernel is what is under test
 *     program   DIGEST PATH          of a test with one; likewise
 *     repetitions N
 *     seed      S                    their seeds are S + 1 to S + N; not compared
 *     machine   MACHINE DIGEST
 *     row       MACHINE ROW DEFINITION PLAIN VALUES
 *     part      MACHINE ROW PLACE PLAIN AMOUNT
 *
 * PLAIN is the value without perturbation, or "-"; VALUES are those of the repetitions, separated by blanks; parts are
 * the largest ones of all repetitions together, and "(others)". Rows and parts are sorted.
 */
#ifndef SIMOS_REGRESS_REGRESS_BASELINE_H
#define SIMOS_REGRESS_REGRESS_BASELINE_H

#include "src/regress/regress_run.h"

/* Bytes of the path PATH of a test file without ".tcl". */
int regress_stem_length(const char *path);
/* The path of the baseline of the test file PATH: FILE.baseline beside FILE.tcl. The caller frees it. */
char *regress_baseline_path(const char *path);

/* The rows of RUN that the baseline PATH has, into SIDE, which has nothing measured. False with ERR naming file and
 * line if it is missing, not a baseline, or of another workload, machine or row. */
bool regress_baseline_read(struct regress_side *side, const struct regress_run *run, const char *path, struct err *err);

/* The same for TEXT, which is changed; messages call it PATH. */
bool regress_baseline_parse(struct regress_side *side, const struct regress_run *run, const char *path, char *text,
                            struct err *err);

/* Write what SIDE has measured to PATH. Returns false with ERR. */
bool regress_baseline_write(const struct regress_side *side, const struct regress_run *run, const char *path,
                            struct err *err);

#endif
