/*
 * Charts that a file describes, for programs and pages that draw with simos: `simos chart` (docs/how-to/report.md has
 * the members).
 */
#ifndef SIMOS_CHART_CHART_FILE_H
#define SIMOS_CHART_CHART_FILE_H

#include "src/base/log.h"
#include <stdio.h>

/* Draw the chart that the JSON file PATH describes, to OUT. False with ERR, which names the file, the member and what
 * it may be; nothing is written then. */
bool chart_file_draw(const char *path, FILE *out, struct err *err);

#endif
