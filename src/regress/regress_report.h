/*
 * The report of a test: a verdict for each row on each machine, and for those that fail the parts that the difference
 * comes from. As text, JUnit XML, TAP (version 13), JSON, Markdown, a page, and the values alone for a dashboard.
 */
#ifndef SIMOS_REGRESS_REGRESS_REPORT_H
#define SIMOS_REGRESS_REGRESS_REPORT_H

#include "src/regress/regress_run.h"
#include "src/regress/regress_verdict.h"
#include <stdio.h>

/* What a place contributes to the difference of the means, new less old. */
struct regress_change {
    char *place;
    double amount;
};

struct regress_result {
    unsigned machine, row;
    struct regress_finding finding;
    size_t change_count;
    struct regress_change *changes; /* largest first; of rows that fail or improve; they add up to new less old, and of
                                       rows whose placement is unlucky; these to what is linked less what is held */
};

/* The order in which rows are reported. */
enum regress_rank {
    REGRESS_RANK_MISSING,
    REGRESS_RANK_FAILS,
    REGRESS_RANK_UNDECIDED,
    REGRESS_RANK_UNLUCKY,
    REGRESS_RANK_IMPROVED,
    REGRESS_RANK_HOLDS
};
enum regress_rank regress_rank_of(const struct regress_result *result);

/* Ways to link a kernel that may mend an unlucky placement. */
enum regress_link {
    REGRESS_LINK_ORDER,   /* functions in the order in which they execute, those that do not behind them */
    REGRESS_LINK_ALIGNED, /* functions at multiples of 64 bytes */
    REGRESS_LINK_LAST,    /* an object behind all others */
};
/* "order", "aligned", "last". */
const char *regress_link_name(enum regress_link link);

/* The new kernel, linked so, on MACHINE, without perturbation. */
struct regress_mending {
    unsigned machine;
    enum regress_link link;
    char *object;    /* of REGRESS_LINK_LAST; else NULL */
    uint64_t *value; /* [row] */
};

struct regress_report {
    const struct regress_run *run;
    const struct regress_side *old, *new;
    bool has_baseline; /* OLD is a baseline */
    unsigned count;
    struct regress_result *results; /* missing rows first, then those that fail, undecided ones, and the others */
    unsigned mending_count;
    struct regress_mending *mendings; /* tried on machines with an unlucky row (src/regress/regress_mend.h) */
    const char *error;                /* why there is no result; NULL: there is */
};

/* Set the results of REPORT, whose other members are set, from FINDINGS [machine * rows + row]. The caller calls
 * regress_report_release(). */
void regress_report_make(struct regress_report *report, const struct regress_finding *findings);
void regress_report_release(struct regress_report *report);

/* Exit status: 0 all rows hold, 1 a row fails, 2 a row is undecided, EXIT_SIMOS_FAILED a row is missing. */
int regress_report_status(const struct regress_report *report);
/* A line for each missing row: on stderr, the last one in ERR. */
void regress_report_missing(const struct regress_report *report, struct err *err);

void regress_report_text(const struct regress_report *report, FILE *out);

/* The reports of all files, as save_file() has them written: OPAQUE is a struct regress_reports. */
struct regress_reports {
    unsigned count;
    const struct regress_report *const *reports;
};
void regress_reports_junit(const void *opaque, FILE *out);
void regress_reports_tap(const void *opaque, FILE *out);
void regress_reports_json(const void *opaque, FILE *out);
void regress_reports_html(const void *opaque, FILE *out);
void regress_reports_markdown(const void *opaque, FILE *out);
/* The new values, as github-action-benchmark reads them (customSmallerIsBetter). */
void regress_reports_dashboard(const void *opaque, FILE *out);

#endif
