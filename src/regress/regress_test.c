#include "src/regress/regress_test.h"

#include "src/base/printable.h"
#include "src/regress/regress_baseline.h"
#include "src/regress/regress_floor.h"
#include "src/regress/regress_mend.h"
#include "src/regress/regress_run.h"
#include <stdlib.h>
#include <unistd.h>

bool regress_has_two_sides(const struct regress_options *options)
{
    return options->kernel_count == REGRESS_SIDES || options->program_count == REGRESS_SIDES;
}

/* Does a row have a limit that only a run without perturbation shows? Between two kernels, all rows have one: what
 * they are as linked. */
bool regress_wants_plain(const struct regress_test *test)
{
    const struct regress_file *file = &test->file;
    if (test->run.random && regress_has_two_sides(test->options))
        return true;
    for (unsigned i = 0; i < file->row_count; i++)
        if (file->rows[i].exact || file->rows[i].has_most)
            return true;
    return false;
}

static unsigned rows_within(const struct regress_file *file)
{
    unsigned count = 0;
    for (unsigned i = 0; i < file->row_count; i++)
        count += file->rows[i].has_within;
    return count;
}

/* Intervals by which the rows are judged on one machine: those with random placements also have that of a median. */
static unsigned count_intervals(const struct regress_test *test)
{
    const struct regress_file *file = &test->file;
    unsigned count = rows_within(file);
    for (unsigned i = 0; i < file->row_count; i++)
        count += file->rows[i].has_within && regress_run_places(&test->run, &file->rows[i]);
    return count;
}

/* The number of repetitions after COUNT: twice as many, at most MOST. */
static unsigned next_count(unsigned count, unsigned most)
{
    return 2 * count < most ? 2 * count : most;
}

/* How often the repetitions are looked at, from FIRST to MOST. */
static unsigned looks_of(unsigned first, unsigned most)
{
    unsigned looks = 1;
    for (unsigned count = first; count < most; count = next_count(count, most))
        looks++;
    return looks;
}

/* A row whose pattern nothing has matched in any run is not written into a baseline. */
static bool check_patterns(const struct regress_test *test, struct err *err)
{
    const struct regress_file *file = &test->file;
    char pattern[REGRESS_PATTERN_TEXT];
    for (unsigned cell = 0; cell < test->run.machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        if (test->new.unmatched[cell])
            return err_set(err, "test %.200s: row \"%.64s\": %s matches nothing on %.64s", file->path, row->name,
                           regress_row_pattern(row, test->new.unmatched[cell], pattern),
                           test->run.machine_name[cell / file->row_count]);
    }
    return true;
}

/* Judge all rows by COUNT repetitions. Returns whether a row is undecided. */
static bool judge(const struct regress_test *test, unsigned count, double level, struct regress_finding *findings)
{
    const struct regress_file *file = &test->file;
    bool undecided = false;
    for (unsigned cell = 0; cell < test->run.machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        findings[cell] = test->new.unmatched[cell]
                             ? regress_missing(row, test->new.unmatched[cell])
                             : regress_judge(row, test->old.value[cell], test->new.value[cell], count, level,
                                             test->old.plain[cell], test->new.plain[cell]);
        if (regress_run_places(&test->run, row))
            regress_judge_median(row, test->old.value[cell], test->new.value[cell], count, level, &findings[cell]);
        if (test->new.like && regress_run_places(&test->run, row) && findings[cell].verdict != REGRESS_MISSING)
            regress_divide(row, test->old.plain[cell], test->new.held[cell], test->new.plain[cell],
                           test->new.value[cell], row->has_within ? count : 0, &findings[cell]);
        undecided = undecided || findings[cell].verdict == REGRESS_UNDECIDED;
    }
    return undecided;
}

/* Does a row of FINDINGS fail, so that the others decide nothing more? */
static bool has_failed(const struct regress_test *test, const struct regress_finding *findings)
{
    for (unsigned cell = 0; cell < test->run.machines * test->file.row_count; cell++)
        if (findings[cell].fails)
            return true;
    return false;
}

/* Measure until every row is decided, or there are no more repetitions. */
bool regress_measure(struct regress_test *test, struct err *err)
{
    struct regress_file *file = &test->file;
    const bool repeats = rows_within(file) > 0, plain = regress_wants_plain(test),
               two = regress_has_two_sides(test->options);
    const unsigned most = two ? file->most : test->old.repetitions;
    unsigned count = !repeats ? 0 : file->first < most ? file->first : most;
    const double level =
        regress_level(file->confidence, count_intervals(test) * test->run.machines * looks_of(count, most));
    struct regress_finding *findings =
        checked_memory(calloc(test->run.machines * file->row_count + 1, sizeof *findings));
    bool done = !repeats || most >= REGRESS_COMPARED_LEAST ||
                err_set(err, "baseline %.200s: it has fewer than %d repetitions; --bless makes it anew", test->baseline,
                        REGRESS_COMPARED_LEAST);
    while (done) {
        done = (!two || regress_run_measure(&test->run, &test->old, plain, count, &test->signal, err)) &&
               regress_run_measure(&test->run, &test->new, plain, count, &test->signal, err);
        if (!done || !judge(test, count, level, findings) || count == most ||
            (test->options->decide && has_failed(test, findings)))
            break;
        count = next_count(count, most);
    }
    test->report =
        (struct regress_report){.run = &test->run, .old = &test->old, .new = &test->new, .has_baseline = !two};
    if (done)
        regress_report_make(&test->report, findings);
    free(findings);
    return done && (test->run.only_read || regress_mend(&test->run, &test->new, &test->report, &test->signal, err));
}

/* --bless */

/* How many rows of BEFORE have other values now; prints each. */
static void print_blessed(const struct regress_test *test, const struct regress_side *before)
{
    const struct regress_file *file = &test->file;
    unsigned changed = 0;
    for (unsigned cell = 0; cell < test->run.machines * file->row_count; cell++) {
        const struct regress_row *row = &file->rows[cell % file->row_count];
        const struct regress_side *now = &test->new;
        const double new = regress_mean(now->value[cell], now->repetitions);
        const double old = before ? regress_mean(before->value[cell], before->repetitions) : 0;
        const bool same = before && old == new && before->plain[cell] == now->plain[cell];
        changed += !same;
        if (same)
            continue;
        printf("%s: %s on %s:", PRINTABLE(test->file.path), PRINTABLE(row->name),
               PRINTABLE(test->run.machine_name[cell / file->row_count]));
        if (before && before->repetitions)
            printf(" %.1f,", old);
        if (now->repetitions)
            printf(" now %.1f", new);
        if (before && before->has_plain)
            printf("; without perturbation %llu,", (unsigned long long)before->plain[cell]);
        if (now->has_plain)
            printf("%s now %llu", before && before->has_plain ? "" : "; without perturbation",
                   (unsigned long long)now->plain[cell]);
        putchar('\n');
    }
    printf("%s: %u of %u rows written anew to %s\n", PRINTABLE(test->file.path), changed,
           test->run.machines * file->row_count, PRINTABLE(test->baseline));
}

bool regress_bless(struct regress_test *test, struct err *err)
{
    struct regress_side before;
    struct err broken = {""};
    const struct regress_file *file = &test->file;
    const bool plain = regress_wants_plain(test), repeats = rows_within(file) > 0;
    /* the first repetitions show whether the patterns match: the others would be in vain */
    if (!regress_run_measure(&test->run, &test->new, plain, repeats ? file->first : 0, &test->signal, err) ||
        !check_patterns(test, err) ||
        !regress_run_measure(&test->run, &test->new, plain, repeats ? file->most : 0, &test->signal, err))
        return false;
    regress_side_begin(&before, &test->run);
    const bool had =
        access(test->baseline, F_OK) == 0 && regress_baseline_read(&before, &test->run, test->baseline, &broken);
    const bool written = regress_baseline_write(&test->new, &test->run, test->baseline, err);
    if (written)
        print_blessed(test, had ? &before : NULL);
    regress_side_release(&before, &test->run);
    return written;
}

/* --floor */

bool regress_print_floor(struct regress_test *test, struct err *err)
{
    struct regress_file *file = &test->file;
    const bool two = regress_has_two_sides(test->options);
    const double level =
        regress_level(file->confidence, count_intervals(test) * test->run.machines * looks_of(file->first, file->most));
    if (rows_within(file) == 0)
        return err_set(err, "test %.200s: --floor: no row has -within, and so none is measured in repetitions",
                       file->path);
    if ((two && !regress_run_measure(&test->run, &test->old, false, file->most, &test->signal, err)) ||
        !regress_run_measure(&test->run, &test->new, false, file->most, &test->signal, err) ||
        !check_patterns(test, err))
        return false;
    regress_floor_print(&test->run, two ? &test->old : NULL, &test->new, file->most, level, stdout);
    return true;
}
