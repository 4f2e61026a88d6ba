/* The series of a trend, their intervals and their steps. */
#include "src/base/hash_map.h"
#include "src/base/printable.h"
#include "src/results/sampling.h"
#include "src/results/trend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE = 100 }; /* per cent */

/* Where a row belongs */

struct sought {
    const struct trend_view *view;
    const struct trend_row *row;
};

static bool same_series(const void *opaque, const struct hash_slot *slot)
{
    const struct sought *sought = opaque;
    const struct trend_row *row = sought->view->series[slot->number].row;
    return strcmp(row->file, sought->row->file) == 0 && strcmp(row->machine, sought->row->machine) == 0 &&
           strcmp(row->row, sought->row->row) == 0;
}

/* The series of ROW, a new one if need be. */
static struct trend_series *find_series(struct trend_view *view, unsigned *room, struct hash_map *map,
                                        const struct trend_row *row)
{
    const uint64_t hash = hash_text(row->file) ^ 3 * hash_text(row->machine) ^ 5 * hash_text(row->row);
    const struct sought sought = {view, row};
    struct hash_slot *slot = hash_map_find_equal(map, hash, same_series, &sought);
    if (slot)
        return &view->series[slot->number];
    if (view->count == *room) {
        *room = *room ? 2 * *room : 16;
        view->series = checked_memory(realloc(view->series, *room * sizeof *view->series));
    }
    hash_map_add(map, hash)->number = view->count;
    view->series[view->count] = (struct trend_series){.row = row};
    return &view->series[view->count++];
}

static void add_point(struct trend_series *series, unsigned commit, const struct trend_row *row)
{
    if (series->count > 0 && series->points[series->count - 1].commit == commit)
        return; /* a line that has a row twice */
    if (series->count == series->room) {
        series->room = series->room ? 2 * series->room : 16;
        series->points = checked_memory(realloc(series->points, series->room * sizeof *series->points));
    }
    series->points[series->count++] = (struct trend_point){.commit = commit, .row = row};
    series->row = row;
}

/* Intervals */

/* The ratio of the sums of VALUES to WHOLES (NULL: to their number) of COUNT repetitions. */
static struct sampling_estimate estimate(const uint64_t *values, const uint64_t *wholes, unsigned count, double level)
{
    double *parts = checked_memory(calloc(2 * (size_t)count + 1, sizeof *parts));
    for (unsigned i = 0; i < count; i++) {
        parts[i] = (double)values[i];
        parts[count + i] = wholes ? (double)wholes[i] : 1;
    }
    const struct sampling_estimate result = sampling_ratio(parts, parts + count, count, level);
    free(parts);
    return result;
}

static void measure(struct trend_point *point, double level)
{
    const struct trend_row *row = point->row;
    const struct sampling_estimate mean = estimate(row->values, NULL, row->count, level);
    point->value = row->count ? mean.mean : (double)row->plain;
    point->half = row->count ? mean.half_width : NAN;
    point->change = point->change_half = NAN;
}

/* Rows without repetitions have one value each: a row with a hard limit steps when it crosses it, any other when it
 * changes. */
static bool plain_steps(const struct trend_row *old, const struct trend_row *new)
{
    return new->has_most ? (old->plain > new->most) != (new->plain > new->most) : old->plain != new->plain;
}

/* Compare POINT with the one before it that stepped last, OLD. */
static void compare(struct trend_point *point, const struct trend_point *old, double level)
{
    const struct trend_row *new = point->row;
    const unsigned count = new->count < old->row->count ? new->count : old->row->count;
    point->kind = TREND_LEVEL;
    if (count == 0 || !new->has_within) {
        if (old->value > 0)
            point->change = WHOLE * (point->value / old->value - 1);
        if (new->has_plain && old->row->has_plain &&plain_steps(old->row, new))
            point->kind = TREND_STEPS;
        return;
    }
    const struct sampling_estimate ratio = estimate(new->values, old->row->values, count, level);
    if (isnan(ratio.mean)) { /* nothing before: whatever there is now is a step */
        point->kind = point->value - point->half > 0 ? TREND_STEPS : TREND_LEVEL;
        return;
    }
    point->change = WHOLE * (ratio.mean - 1);
    point->change_half = WHOLE * ratio.half_width;
    if (fabs(point->change) - point->change_half > new->within)
        point->kind = TREND_STEPS;
}

static bool can_be_compared(const struct trend_row *old, const struct trend_row *new)
{
    return strcmp(old->identity, new->identity) == 0 && old->seed == new->seed;
}

/* ALONE: the level of the interval of a value; TOGETHER: that of a change. */
static void find_steps(struct trend_series *series, double alone, double together)
{
    unsigned since = 0;
    for (unsigned i = 0; i < series->count; i++) {
        struct trend_point *point = &series->points[i];
        measure(point, alone);
        point->since = since;
        if (i > 0 && can_be_compared(series->points[since].row, point->row))
            compare(point, &series->points[since], together);
        else
            point->kind = TREND_FIRST;
        if (point->kind != TREND_LEVEL)
            since = i;
        series->steps += point->kind == TREND_STEPS;
    }
}

void trend_view_make(struct trend_view *view, const struct trend *trend, double confidence)
{
    struct hash_map map = {0};
    unsigned room = 0;
    size_t intervals = 0;
    *view = (struct trend_view){.count = 0};
    for (unsigned i = 0; i < trend->count; i++)
        for (unsigned row = 0; row < trend->commits[i].row_count; row++) {
            const struct trend_row *at = &trend->commits[i].rows[row];
            add_point(find_series(view, &room, &map, at), i, at);
            intervals += at->count > 1;
        }
    hash_map_release(&map);
    const double alone = confidence / WHOLE, together = 1 - (1 - alone) / (double)(intervals ? intervals : 1);
    for (unsigned i = 0; i < view->count; i++)
        find_steps(&view->series[i], alone, together);
}

void trend_view_release(struct trend_view *view)
{
    for (unsigned i = 0; i < view->count; i++)
        free(view->series[i].points);
    free(view->series);
    *view = (struct trend_view){.count = 0};
}

/* As text */

void trend_put_change(const struct trend_point *point, char text[TREND_TEXT])
{
    if (isnan(point->change))
        snprintf(text, TREND_TEXT, "now %.6g", point->value);
    else if (isnan(point->change_half))
        snprintf(text, TREND_TEXT, "%+.2f %%", point->change);
    else
        snprintf(text, TREND_TEXT, "%+.2f %% (%+.2f to %+.2f)", point->change, point->change - point->change_half,
                 point->change + point->change_half);
}

void trend_view_print(const struct trend_view *view, const struct trend *trend, FILE *out)
{
    fprintf(out, "%s: %u commit%s\n", PRINTABLE(trend->path), trend->count, trend->count == 1 ? "" : "s");
    for (unsigned i = 0; i < view->count; i++) {
        const struct trend_series *series = &view->series[i];
        const struct trend_point *last = &series->points[series->count - 1];
        fprintf(out, "%s: %s on %s: %.6g %s", PRINTABLE(series->row->file), PRINTABLE(series->row->row),
                PRINTABLE(series->row->machine), last->value, PRINTABLE(series->row->unit));
        if (!isnan(last->half))
            fprintf(out, " +- %.3g", last->half);
        fprintf(out, " at %s; %u step%s\n", PRINTABLE(trend->commits[last->commit].name), series->steps,
                series->steps == 1 ? "" : "s");
        for (unsigned at = 0; at < series->count; at++) {
            char change[TREND_TEXT];
            const struct trend_point *point = &series->points[at];
            if (point->kind != TREND_STEPS)
                continue;
            trend_put_change(point, change);
            fprintf(out, "    %s: %s since %s\n", PRINTABLE(trend->commits[point->commit].name), change,
                    PRINTABLE(trend->commits[series->points[point->since].commit].name));
        }
    }
}
