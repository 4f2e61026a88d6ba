/*
 * A test of `simos test` as its command line has it, and how it is measured: until every row is decided, for a
 * baseline, or for the noise floor.
 */
#ifndef SIMOS_REGRESS_REGRESS_TEST_H
#define SIMOS_REGRESS_REGRESS_TEST_H

#include "src/command/command.h"
#include "src/regress/regress_report.h"
#include "src/sweep/sweep_batch.h"
#include <limits.h>

enum { REGRESS_SIDES = 2, REGRESS_COMPARED_LEAST = 2 /* repetitions */ };

struct regress_options {
    int file_count;
    const char *const *files;
    /* one: the kernel, or program, under test; two: the old and the new one, without a baseline */
    unsigned kernel_count, program_count;
    const char *kernels[REGRESS_SIDES], *programs[REGRESS_SIDES];
    bool bless;                                                                /* write the baselines */
    const char *junit_path, *tap_path, *json_path, *html_path, *markdown_path; /* NULL: none */
    const char *dashboard_path, *trend_folder, *commit;                        /* NULL: none */
    bool floor, decide;
    uint64_t floor_count, decide_most; /* repetitions; 0 of the former: the file's most */
    const char *out;                   /* prefix of the work folder; NULL: FILE without .tcl */
    struct sweep_batch_options batch;
    bool trust, quiet;
    const struct commands *commands; /* that have the runs' */
};

/* A test of the command. */
struct regress_test {
    const struct regress_options *options;
    struct regress_file file;
    struct regress_run run;
    struct regress_side old, new;
    struct regress_report report;
    char *baseline, *out;
    char work[PATH_MAX];
    int signal;
    char error[sizeof((struct err *)0)->text];
};

/* Are an old and a new side measured, without a baseline? */
bool regress_has_two_sides(const struct regress_options *options);
/* Is the run without perturbation measured, too? */
bool regress_wants_plain(const struct regress_test *test);

/* Measure until every row is decided, or there are no more repetitions; with --decide, until a row fails. The report of
 * TEST is set. False with ERR. */
bool regress_measure(struct regress_test *test, struct err *err);
/* Measure all repetitions, write the baseline and print what changes. False with ERR. */
bool regress_bless(struct regress_test *test, struct err *err);
/* Measure all repetitions and print the noise floor of the rows. False with ERR. */
bool regress_print_floor(struct regress_test *test, struct err *err);

#endif
