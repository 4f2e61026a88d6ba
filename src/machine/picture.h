/*
 * A picture of a machine as its parameters describe it: CPUs, caches, memory, from top to bottom, with sizes and times.
 */
#ifndef SIMOS_PICTURE_H
#define SIMOS_PICTURE_H

#include "src/base/log.h"
#include "src/base/params.h"
#include <stdio.h>

/* Draw the machine called NAME. What stands in a box is what it costs to be answered there, in cycles of the CPU's
 * clock as the machine counts them. Fails with ERR as building the machine's memory system would. */
bool picture_print(const char *name, const struct params *params, FILE *out, struct err *err);

#endif
