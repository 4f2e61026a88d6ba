/*
 * Random programs of nested loops over arrays: long enough to be hot, over more code and data than small caches hold,
 * with data that all processors share. The streams of stream.h have every instruction, these have locality.
 */
#ifndef SIMOS_TESTS_DIFF_LOOPS_H
#define SIMOS_TESTS_DIFF_LOOPS_H

#include "tests/diff/image.h"

/* Generate the program of CPU into IMAGE, and its registers into CONTEXT. It runs in kernel mode, for ever. */
void loops_generate(struct context *context, unsigned cpu, struct random *random, struct image *image);

#endif
