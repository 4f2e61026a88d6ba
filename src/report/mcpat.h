/*
 * `simos report --mcpat`: one run as the input of McPAT 1.3 (HP Labs; Li et al., MICRO-42, 2009), an XML file of a
 * processor's structures and of what they did in the run. McPAT finds the components below `system` by their order.
 *
 * Not from simos: technology, temperature, voltages, ports and banks, which its machines do not have (marked
 * "assumed"), and accesses that it does not count but that follow from others by a rule (marked "estimated");
 * docs/how-to/report.md has both.
 */
#ifndef SIMOS_REPORT_MCPAT_H
#define SIMOS_REPORT_MCPAT_H

#include "src/report/report.h"

/* Write the only run of REPORT to the file PATH. False with ERR: there are several, the run has no instruction mix
 * (execution.counts=mix), its machine has caches that McPAT does not know, or the file cannot be written. */
bool mcpat_save(const struct result_files *report, const char *path, struct err *err);

#endif
