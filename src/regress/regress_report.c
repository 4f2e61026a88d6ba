#include "src/regress/regress_report.h"

#include "src/regress/regress_baseline.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char others[] = "(others)";
static const char other_repetitions[] = "(other repetitions of the baseline)";

/* Changes */

struct changes {
    size_t count, room;
    struct regress_change *changes;
};

/* PLACE is not among CHANGES yet. */
static void add_change(struct changes *changes, const char *place, double amount)
{
    if (changes->count == changes->room) {
        changes->room = changes->room ? 2 * changes->room : 64;
        changes->changes = checked_memory(realloc(changes->changes, changes->room * sizeof *changes->changes));
    }
    changes->changes[changes->count++] = (struct regress_change){checked_memory(strdup(place)), amount};
}

/* The least amount of PARTS, which are the largest ones of a baseline, for each of COUNT repetitions; 0 if PARTS are
 * all there are. */
static double least_kept(const struct regress_parts *parts, double count)
{
    double least = INFINITY;
    if (!regress_parts_find(parts, others))
        return 0;
    for (size_t i = 0; i < parts->count; i++)
        if (strcmp(parts->parts[i].place, others) != 0)
            least = fmin(least, (double)parts->parts[i].amount / count);
    return isinf(least) ? 0 : least;
}

static int by_amount(const void *a, const void *b)
{
    const struct regress_change *x = a, *y = b;
    if (fabs(x->amount) != fabs(y->amount))
        return fabs(x->amount) < fabs(y->amount) ? 1 : -1;
    return strcmp(x->place, y->place);
}

/* NEW less OLD by place, each divided by its number of repetitions. Parts that are small in NEW and that the baseline
 * OLD does not name are among its others. */
static struct changes subtract(const struct regress_parts *new, double new_count, const struct regress_parts *old,
                               double old_count)
{
    struct changes changes = {0};
    const double least = least_kept(old, old_count);
    double rest = 0;
    for (size_t i = 0; i < old->count; i++) {
        const struct regress_part *part = regress_parts_find(new, old->parts[i].place);
        const double change = (part ? (double)part->amount / new_count : 0) - (double)old->parts[i].amount / old_count;
        if (strcmp(old->parts[i].place, others) == 0)
            rest += change;
        else if (change != 0)
            add_change(&changes, old->parts[i].place, change);
    }
    for (size_t i = 0; i < new->count; i++) {
        const double amount = (double)new->parts[i].amount / new_count;
        if (regress_parts_find(old, new->parts[i].place))
            continue;
        if (fabs(amount) > least)
            add_change(&changes, new->parts[i].place, amount);
        else
            rest += amount;
    }
    if (rest != 0)
        add_change(&changes, others, rest);
    return changes;
}

const char *regress_link_name(enum regress_link link)
{
    static const char *const names[] = {
        [REGRESS_LINK_ORDER] = "order", [REGRESS_LINK_ALIGNED] = "aligned", [REGRESS_LINK_LAST] = "last"};
    return names[link];
}

enum regress_rank regress_rank_of(const struct regress_result *result)
{
    switch (result->finding.verdict) {
    case REGRESS_MISSING: return REGRESS_RANK_MISSING;
    case REGRESS_UNDECIDED: return REGRESS_RANK_UNDECIDED;
    default: break;
    }
    return result->finding.fails                                                  ? REGRESS_RANK_FAILS
           : result->finding.linked.is_unlucky || result->finding.linked.is_lucky ? REGRESS_RANK_UNLUCKY
           : result->finding.verdict == REGRESS_IMPROVEMENT                       ? REGRESS_RANK_IMPROVED
                                                                                  : REGRESS_RANK_HOLDS;
}

static void explain(const struct regress_report *report, struct regress_result *result)
{
    const unsigned cell = result->machine * report->run->file->row_count + result->row;
    const struct regress_side *old = report->old, *new = report->new;
    struct changes changes;
    if (regress_rank_of(result) == REGRESS_RANK_UNLUCKY) {
        changes = subtract(&new->plain_parts[cell], 1, &new->held_parts[cell], 1);
    } else if (result->finding.limit != REGRESS_WITHIN) {
        changes = subtract(&new->plain_parts[cell], 1, &old->plain_parts[cell], 1);
    } else {
        changes = subtract(&new->parts[cell], new->repetitions, &old->parts[cell], old->repetitions);
        const double more = regress_mean(old->value[cell], old->repetitions) - result->finding.old;
        if (old->repetitions > result->finding.repetitions && more != 0)
            add_change(&changes, other_repetitions, more);
    }
    if (changes.count > 0)
        qsort(changes.changes, changes.count, sizeof *changes.changes, by_amount);
    result->changes = changes.changes;
    result->change_count = changes.count;
}

static int by_rank(const void *a, const void *b)
{
    const struct regress_result *x = a, *y = b;
    const double by = fabs(y->finding.change) - fabs(x->finding.change);
    if (regress_rank_of(x) != regress_rank_of(y))
        return regress_rank_of(x) < regress_rank_of(y) ? -1 : 1;
    if (regress_rank_of(x) == REGRESS_RANK_FAILS && by != 0 && !isnan(by))
        return by > 0 ? 1 : -1;
    return x->machine != y->machine ? (x->machine < y->machine ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

void regress_report_make(struct regress_report *report, const struct regress_finding *findings)
{
    const unsigned rows = report->run->file->row_count;
    report->count = report->run->machines * rows;
    report->results = checked_memory(calloc(report->count + 1, sizeof *report->results));
    for (unsigned i = 0; i < report->count; i++) {
        struct regress_result *result = &report->results[i];
        *result = (struct regress_result){.machine = i / rows, .row = i % rows, .finding = findings[i]};
        if (regress_rank_of(result) != REGRESS_RANK_MISSING && regress_rank_of(result) != REGRESS_RANK_UNDECIDED &&
            regress_rank_of(result) != REGRESS_RANK_HOLDS)
            explain(report, result);
    }
    qsort(report->results, report->count, sizeof *report->results, by_rank);
}

void regress_report_release(struct regress_report *report)
{
    for (unsigned i = 0; i < report->count; i++) {
        for (size_t change = 0; change < report->results[i].change_count; change++)
            free(report->results[i].changes[change].place);
        free(report->results[i].changes);
    }
    free(report->results);
    for (unsigned i = 0; i < report->mending_count; i++) {
        free(report->mendings[i].object);
        free(report->mendings[i].value);
    }
    free(report->mendings);
    report->results = NULL;
    report->mendings = NULL;
    report->count = report->mending_count = 0;
}

int regress_report_status(const struct regress_report *report)
{
    switch (report->count ? regress_rank_of(&report->results[0]) : REGRESS_RANK_HOLDS) {
    case REGRESS_RANK_MISSING: return EXIT_SIMOS_FAILED;
    case REGRESS_RANK_FAILS: return 1;
    case REGRESS_RANK_UNDECIDED: return 2;
    default: return 0;
    }
}
