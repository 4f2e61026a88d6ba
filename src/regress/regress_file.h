/*
 * A test file: which rows of which runs are to be kept, and by what limits. Tcl (src/tcl/tcl_file.h) with the commands
 * of src/sweep/sweep_settings.h, whose combinations are the machines of the test, and
 *
 *     position EVENT ?WORD ...?       where the runs begin: what `simos run WORD ...` has reached at EVENT (boot)
 *     program FILE ?ARG ...?          a program for the guest: it is put there, and runs from the position on
 *     kernel FILE                     the kernel that is booted for this
 *     repetitions FIRST ?MOST?        how many repetitions are looked at first, and at most (5 40)
 *     seed N                          the seed of repetition R is N + R (0)
 *     confidence PERCENT              that all verdicts of the test hold (95)
 *     placement as-linked|random      where the caches see the kernel (random between two kernels, else as linked)
 *     row NAME FIGURE ?OPTION ...?    a row to keep: src/regress/regress_row.h
 */
#ifndef SIMOS_REGRESS_REGRESS_FILE_H
#define SIMOS_REGRESS_REGRESS_FILE_H

#include "src/regress/regress_row.h"
#include "src/sweep/sweep_jobs.h"
#include "src/sweep/sweep_product.h"

enum { REGRESS_ROWS_MAX = 1000, REGRESS_REPETITIONS_MAX = 1000 };

/* Where the caches see the kernel in the repetitions. */
enum regress_placing {
    REGRESS_PLACING_DEFAULT, /* random between two kernels, else as linked */
    REGRESS_PLACING_LINKED,
    REGRESS_PLACING_RANDOM
};

struct regress_file {
    char *path;
    struct sweep_product settings; /* its combinations are the machines; no checkpoint if there is a position */
    char *kernel;                  /* NULL: simos's own */
    char *program;                 /* what the position's words run, copied into the guest; NULL: none */
    char *event;                   /* of the position; NULL: a checkpoint is given */
    unsigned position_count;
    char **position; /* words of `simos run` */
    unsigned first, most, seed;
    double confidence; /* per cent */
    enum regress_placing placing;
    unsigned row_count;
    struct regress_row *rows;
};

/* Read the file PATH. TRUSTED: it may access the host (docs/reference/security.md). Returns false with ERR naming file
 * and line. In both cases the caller calls regress_file_release(). */
bool regress_file_read(struct regress_file *file, const char *path, bool trusted, struct err *err);
/* The same for TEXT; messages call it PATH. */
bool regress_file_parse(struct regress_file *file, const char *path, const char *text, bool trusted, struct err *err);
void regress_file_release(struct regress_file *file);

/* The last name of the program PATH, by which the guest knows it. Part of PATH. */
const char *regress_program_name(const char *path);

#endif
