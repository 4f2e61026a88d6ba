/*
 * Text diagram of a machine from its parameters: CPUs, caches, memory, from top to bottom, with sizes and times.
 */
#ifndef SIMOS_REPORT_DIAGRAM_H
#define SIMOS_REPORT_DIAGRAM_H

#include "src/base/log.h"
#include "src/base/params.h"
#include "src/report/diagram_boxes.h"
#include <stdio.h>

/* The boxes of a machine with PARAMS, which are in range but need not fit together. */
void diagram_make(struct picture *picture, const struct params *params);

/* Draw the machine called NAME. Each box shows the latency of an access served there, in CPU cycles as the machine
 * counts them. Fails with ERR if the memory system cannot be created from PARAMS. */
bool diagram_print(const char *name, const struct params *params, FILE *out, struct err *err);

#endif
