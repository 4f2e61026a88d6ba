/*
 * `simos test FILE.tcl...`: measures the rows of test files, and judges them against their baselines, or one kernel
 * against another (docs/how-to/regression-tests.md).
 */
#ifndef SIMOS_REGRESS_REGRESS_COMMAND_H
#define SIMOS_REGRESS_REGRESS_COMMAND_H

#include "src/run/run_options.h"
#include "src/sweep/sweep_batch.h"

enum { REGRESS_KERNELS_MAX = 2 };

struct regress_options {
    int file_count;
    const char *const *files;
    unsigned kernel_count; /* one: the kernel under test; two: the old and the new one, without a baseline */
    const char *kernels[REGRESS_KERNELS_MAX];
    bool bless;                                    /* write the baselines */
    const char *junit_path, *tap_path, *json_path; /* NULL: none */
    const char *out;                               /* prefix of the work folder; NULL: FILE without .tcl */
    struct sweep_batch_options batch;
    bool trust, quiet;
    run_options_parser *parse;
};

/* Execute the tests, one after the other. Returns the exit status: 0 all rows hold, 1 a row fails, 2 a row is
 * undecided, EXIT_SIMOS_FAILED if a test could not be done (a line for each on stderr, the last one in ERR), 128 + N
 * after signal N. */
int regress_main(const struct regress_options *options, struct err *err);

#endif
