/*
 * What a report (src/regress/regress_report.h) says of a row, in words that its formats share.
 */
#ifndef SIMOS_REGRESS_REGRESS_LINES_H
#define SIMOS_REGRESS_REGRESS_LINES_H

#include "src/regress/regress_report.h"
#include <stdio.h>

enum { REGRESS_LINE = 400, REGRESS_SUMMARY = 4 * REGRESS_LINE, REGRESS_CHANGES_PRINTED = 8 };

const struct regress_row *regress_row_of(const struct regress_report *report, const struct regress_result *result);
const char *regress_machine_of(const struct regress_report *report, const struct regress_result *result);
/* The values of the new kernel's random layouts, of which it has as many as repetitions. */
const uint64_t *regress_layout_values(const struct regress_report *report, const struct regress_result *result);
/* "regression", "unlucky placement" ... */
const char *regress_verdict_of(const struct regress_result *result);

/* The change, "+14.2 % (+12.1 to +16.3)", or without interval; the values if there is no percentage. */
void regress_put_change(const struct regress_finding *finding, char text[REGRESS_LINE]);
/* The limit, "5 %". */
void regress_put_limit(const struct regress_row *row, const struct regress_finding *finding, char text[REGRESS_LINE]);
/* One line that says what a row has come to. */
void regress_put_summary(const struct regress_report *report, const struct regress_result *result,
                         char text[REGRESS_SUMMARY]);
/* What the changes that are not printed add up to. */
double regress_rest_of(const struct regress_result *result);
/* The pairs of functions and data whose evictions make the placement of RESULT what it is, at most REGRESS_PAIRS_SHOWN;
 * returns their number. */
unsigned regress_pairs_of(const struct regress_report *report, const struct regress_result *result,
                          struct regress_pair found[REGRESS_PAIRS_SHOWN]);
/* Those ways to link the kernel that make the row of RESULT, whose placement is unlucky, less than it is as linked: at
 * most REGRESS_MENDINGS_SHOWN, the best first. Returns their number; *TRIED, unless NULL: how many were tried. */
enum { REGRESS_MENDINGS_SHOWN = 3 };
unsigned regress_mendings_of(const struct regress_report *report, const struct regress_result *result,
                             const struct regress_mending *found[REGRESS_MENDINGS_SHOWN], unsigned *tried);
/* "functions aligned to 64 bytes". */
void regress_put_link(const struct regress_mending *mending, char text[REGRESS_LINE]);
/* What is below a row, each line behind INDENT: all layouts and their groups, for a row that does not simply hold; the
 * pairs; what would mend it; the largest changes, and what the others add up to. */
void regress_put_details(const struct regress_report *report, const struct regress_result *result, const char *indent,
                         FILE *out);

#endif
