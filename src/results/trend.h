/*
 * A trend: what the commits of a project have measured, one after the other: FOLDER/trend.jsonl, to which `simos test
 * --trend FOLDER` adds a line a commit (docs/reference/file-formats.md). The file may come from somebody else.
 *
 * A row of a test on a machine is a series. Its values at two commits can be compared if they count the same on the
 * same machine with the same workload (IDENTITY); repetitions with the same seed are then pairs. A series steps at a
 * commit if the change since the commit at which it stepped last (the first one, if it has not) lies beyond the row's
 * limit with its whole interval, upwards or downwards: so what creeps up in small changes is found, too.
 */
#ifndef SIMOS_RESULTS_TREND_H
#define SIMOS_RESULTS_TREND_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <jansson.h>
#include <stdio.h>

enum { TREND_COMMITS_MAX = 100000, TREND_ROWS_MAX = 10000, TREND_VALUES_MAX = 1000, TREND_NAME_MAX = 200 };

/* What a commit has measured of a row on a machine. Texts belong to the trend. */
struct trend_row {
    const char *file, *machine, *row, *unit, *identity, *verdict;
    bool has_within, has_most, has_plain;
    double within; /* per cent */
    uint64_t most, plain, seed;
    unsigned count; /* of values: the repetitions with the seeds SEED + 1 to SEED + COUNT */
    uint64_t *values;
};

struct trend_commit {
    const char *name, *simos; /* the version that measured */
    unsigned row_count;
    struct trend_row *rows;
    json_t *document;
    char *line; /* as it is in the file, without its end */
};

struct trend {
    char *path; /* of the file */
    unsigned count, room;
    struct trend_commit *commits; /* in the order of the file */
};

/* The path of the file of the trend FOLDER. The caller frees it. */
char *trend_path(const char *folder);

/* Read the trend FOLDER. MAY_BE_NEW: a file that is not there is an empty one. False with ERR, which names the file and
 * the line. In both cases the caller calls trend_release(). */
bool trend_read(struct trend *trend, const char *folder, bool may_be_new, struct err *err);
/* The same for TEXT, which is changed; messages call it PATH. */
bool trend_parse(struct trend *trend, const char *path, char *text, struct err *err);
void trend_release(struct trend *trend);

/* Series */

enum trend_kind {
    TREND_FIRST, /* nothing before it can be compared */
    TREND_LEVEL, /* no step */
    TREND_STEPS,
};

/* A commit of a series. */
struct trend_point {
    unsigned commit; /* its number in the trend */
    const struct trend_row *row;
    enum trend_kind kind;
    double value, half;         /* the mean of the repetitions and half its own interval; or the plain value and NaN */
    double change, change_half; /* since the last step, per cent; NaN: there is none */
    unsigned since;             /* TREND_LEVEL, TREND_STEPS: the number of the point compared with */
};

struct trend_series {
    const struct trend_row *row; /* of its last commit: names, unit, limit */
    unsigned steps;
    unsigned count, room;
    struct trend_point *points; /* of the commits that have measured it, in their order */
};

struct trend_view {
    unsigned count;
    struct trend_series *series; /* in the order in which their rows appear first */
};

/* The series of TREND, which the view refers to. The intervals of all changes together hold with CONFIDENCE (per cent;
 * Bonferroni's bound), that of a value by itself. The caller calls trend_view_release(). */
void trend_view_make(struct trend_view *view, const struct trend *trend, double confidence);
void trend_view_release(struct trend_view *view);

/* As text: for each series its last value, and its steps. */
void trend_view_print(const struct trend_view *view, const struct trend *trend, FILE *out);
/* The change at POINT, "+5.21 % (+5.02 to +5.40)", into TEXT. */
enum { TREND_TEXT = 96 };
void trend_put_change(const struct trend_point *point, char text[TREND_TEXT]);

#endif
