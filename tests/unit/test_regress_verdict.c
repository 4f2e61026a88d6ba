/* Verdicts of tests (src/regress/regress_verdict.h): what an interval says against a limit, and how often it is wrong.
 * The rates are those of a fixed sequence of random numbers. */
#include <math.h>
#include <stdlib.h>
#include "tests/unit/test.h"
#include "src/base/splitmix.h"
#include "src/regress/regress_verdict.h"

enum { MOST = 64 };

static struct regress_row within(double percent, bool both)
{
    return (struct regress_row){.name = (char *)(uintptr_t) "r", .has_within = true, .within = percent, .both = both};
}

static struct regress_finding judge(const struct regress_row *row, const uint64_t *old, const uint64_t *new,
                                    unsigned count)
{
    return regress_judge(row, old, new, count, 0.95, 0, 0);
}

static void clear_cases(void **state)
{
    (void)state;
    static const uint64_t a[] = {1000, 1010, 990, 1005, 995}, more[] = {1100, 1112, 1090, 1104, 1096},
                          less[] = {900, 911, 889, 906, 894}, slightly[] = {1010, 1021, 999, 1016, 1004},
                          zero[] = {0, 0, 0, 0, 0};
    const struct regress_row up = within(5, false), both = within(5, true);
    struct regress_finding finding = judge(&up, a, more, 5);
    assert_int_equal(finding.verdict, REGRESS_REGRESSION);
    assert_true(finding.fails);
    assert_true(fabs(finding.change - 10.04) < 0.01);
    assert_int_equal(finding.repetitions, 5);
    assert_int_equal(judge(&up, a, slightly, 5).verdict, REGRESS_UNCHANGED);
    assert_int_equal(judge(&up, a, a, 5).verdict, REGRESS_UNCHANGED);
    finding = judge(&up, a, less, 5);
    assert_int_equal(finding.verdict, REGRESS_IMPROVEMENT);
    assert_false(finding.fails);
    finding = judge(&both, a, less, 5);
    assert_int_equal(finding.verdict, REGRESS_IMPROVEMENT);
    assert_true(finding.fails);
    assert_int_equal(judge(&up, zero, zero, 5).verdict, REGRESS_UNCHANGED);
    assert_int_equal(judge(&up, zero, a, 5).verdict, REGRESS_REGRESSION); /* from nothing */
    assert_int_equal(judge(&up, a, zero, 5).verdict, REGRESS_IMPROVEMENT);
}

static void wide_intervals_decide_nothing(void **state)
{
    (void)state;
    static const uint64_t a[] = {1000, 2000, 500, 3000}, b[] = {2500, 700, 2000, 1800};
    const struct regress_row up = within(5, false);
    const struct regress_finding finding = judge(&up, a, b, 4);
    assert_int_equal(finding.verdict, REGRESS_UNDECIDED);
    assert_false(finding.fails);
    assert_true(finding.more > 0);
    static const uint64_t one[] = {1000}, other[] = {2000};
    assert_int_equal(judge(&up, one, other, 1).verdict, REGRESS_UNDECIDED); /* one pair has no interval */
}

static void limits_without_perturbation(void **state)
{
    (void)state;
    struct regress_row row = {.name = NULL, .exact = true};
    assert_int_equal(regress_judge(&row, NULL, NULL, 0, 0.95, 7, 7).verdict, REGRESS_UNCHANGED);
    assert_int_equal(regress_judge(&row, NULL, NULL, 0, 0.95, 7, 6).verdict, REGRESS_REGRESSION);
    row = (struct regress_row){.name = NULL, .has_most = true, .most = 10};
    assert_int_equal(regress_judge(&row, NULL, NULL, 0, 0.95, 0, 10).verdict, REGRESS_UNCHANGED);
    const struct regress_finding finding = regress_judge(&row, NULL, NULL, 0, 0.95, 0, 11);
    assert_int_equal(finding.verdict, REGRESS_REGRESSION);
    assert_int_equal(finding.limit, REGRESS_AT_MOST);
}

static void levels(void **state)
{
    (void)state;
    assert_true(fabs(regress_level(95, 1) - 0.95) < 1e-12);
    assert_true(fabs(regress_level(95, 80) - 0.999375) < 1e-12);
}

/* A value around MEAN: with spread SPREAD, and in one of ten repetitions twice as much, as when a kernel thread runs.
 */
static uint64_t draw(uint64_t *state, double mean, double spread)
{
    double sum = 0;
    for (unsigned i = 0; i < 12; i++)
        sum += (double)splitmix_below(state, 1000000) / 1e6;
    const double value = mean * (1 + spread * (sum - 6)) * (splitmix_below(state, 10) == 0 ? 2 : 1);
    return value > 0 ? (uint64_t)value : 0;
}

/* Verdicts of TRIALS tests of ten rows, old with MEAN 1000, new with NEW: how many tests have a row with VERDICT,
 * looking at 5, 10, 20 ... repetitions. */
static unsigned tests_with(enum regress_verdict verdict, double new_mean, double limit, double spread, unsigned trials)
{
    enum { ROWS = 10, LOOKS = 5 };
    const struct regress_row row = within(limit, false);
    const double level = regress_level(95, ROWS * LOOKS);
    uint64_t state = 1;
    unsigned found = 0;
    for (unsigned trial = 0; trial < trials; trial++) {
        bool has = false;
        for (unsigned i = 0; i < ROWS; i++) {
            uint64_t old[MOST], new[MOST];
            enum regress_verdict at = REGRESS_UNDECIDED;
            for (unsigned j = 0; j < MOST; j++) {
                old[j] = draw(&state, 1000, spread);
                new[j] = draw(&state, new_mean, spread);
            }
            for (unsigned count = 4; count <= MOST && at == REGRESS_UNDECIDED; count *= 2)
                at = regress_judge(&row, old, new, count, level, 0, 0).verdict;
            has = has || at == verdict;
        }
        found += has;
    }
    return found;
}

/* Of tests of one kernel against itself at most 5 % have a false alarm, even with a limit of 0 %, where every alarm
 * of the interval is one. */
static void false_alarms_are_rare(void **state)
{
    (void)state;
    assert_in_range(tests_with(REGRESS_REGRESSION, 1000, 0, 0.05, 400), 0, 20);
    assert_int_equal(tests_with(REGRESS_REGRESSION, 1000, 5, 0.05, 400), 0);
}

static void real_changes_are_found(void **state)
{
    (void)state;
    assert_in_range(tests_with(REGRESS_REGRESSION, 1300, 5, 0.05, 100), 95, 100);
    assert_in_range(tests_with(REGRESS_UNCHANGED, 1000, 40, 0.05, 100), 95, 100);
}

/* The parts of a change as linked add up to it; luck is what only the linker did. */
static void changes_are_divided(void **state)
{
    (void)state;
    static const uint64_t a[] = {1000, 1010, 990, 1005, 995}, more[] = {1100, 1112, 1090, 1104, 1096};
    static const struct {
        const uint64_t *new;
        bool both;
        uint64_t old, held, linked;
        bool is_unlucky, is_lucky;
        unsigned below;
    } cases[] = {
        {a, false, 1000, 1001, 1300, true, false, 5},     /* moved code misses */
        {a, false, 1000, 1001, 1002, false, false, 3},    /* nothing changes */
        {a, false, 1000, 1001, 700, false, false, 0},     /* no limit downwards */
        {a, true, 1000, 1001, 700, false, true, 0},       /* with one */
        {more, false, 1000, 1100, 1300, false, false, 5}, /* the change itself is a regression */
        {a, false, 0, 0, 5, false, false, 0},             /* from nothing: no percentage */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct regress_row row = within(5, cases[i].both);
        struct regress_finding finding = judge(&row, a, cases[i].new, 5);
        regress_divide(&row, cases[i].old, cases[i].held, cases[i].linked, cases[i].new, 5, &finding);
        assert_true(finding.linked.is_known);
        assert_int_equal(finding.linked.is_unlucky, cases[i].is_unlucky);
        assert_int_equal(finding.linked.is_lucky, cases[i].is_lucky);
        assert_int_equal(finding.linked.below, cases[i].below);
        assert_int_equal(finding.linked.layouts, 5);
        if (cases[i].old == 0)
            assert_true(isnan(regress_percent(&finding, 5)));
        else
            assert_true(fabs(regress_percent(&finding, 5) - 0.5) < 1e-9);
    }
}

static void judge_median(const struct regress_row *row, const uint64_t *old, const uint64_t *new, unsigned count,
                         struct regress_finding *finding)
{
    *finding = judge(row, old, new, count);
    assert_int_equal(finding->verdict, REGRESS_UNDECIDED);
    regress_judge_median(row, old, new, count, 0.95, finding);
}

/* A few pairs of layouts with values far off leave the means open; the median of all pairs does not. */
static void medians_decide_what_means_leave_open(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    uint64_t old[COUNT], more[COUNT], same[COUNT], often[COUNT];
    const struct regress_row up = within(5, false), both = within(5, true);
    struct regress_finding finding;
    for (unsigned i = 0; i < COUNT; i++) {
        old[i] = 100000 + i;
        more[i] = 110000 + i;
        same[i] = 100000 + 2 * i;
        often[i] = i % 4 ? 100000 + i : 200000; /* a quarter of the layouts has the change */
    }
    old[3] = 250000, more[5] = 300000, same[3] = 100000, same[7] = 260000;
    judge_median(&up, old, more, COUNT, &finding);
    assert_true(finding.median.decides && finding.verdict == REGRESS_REGRESSION && finding.fails);
    assert_true(fabs(finding.median.change - 10) < 0.01 && finding.median.low > 9.9 && finding.median.high < 10.1);
    judge_median(&both, old, same, COUNT, &finding);
    assert_true(finding.median.decides && finding.verdict == REGRESS_UNCHANGED && !finding.fails);
    for (unsigned i = 0; i < COUNT; i++)
        old[i] = 100000 + i;
    judge_median(&both, old, often, COUNT, &finding);
    assert_false(finding.median.decides); /* in the mean it is 25 % more */
    assert_int_equal(finding.verdict, REGRESS_UNDECIDED);
    static const uint64_t few[] = {1000, 2000, 500, 3000}, others[] = {2500, 700, 2000, 1800};
    judge_median(&up, few, others, 4, &finding);
    assert_false(finding.median.decides); /* 4 values have no interval of 95 % */
}

/* The interval of a median holds as often as it says, whatever the distribution. */
static void medians_hold(void **state)
{
    (void)state;
    enum { TESTS = 2000, COUNT = 12 };
    const struct regress_row row = within(0, true);
    uint64_t chance = 7, old[COUNT], new[COUNT];
    unsigned held = 0;
    for (unsigned test = 0; test < TESTS; test++) {
        for (unsigned i = 0; i < COUNT; i++) { /* half of the changes are above 0, some of them far above */
            const uint32_t by = splitmix_below(&chance, 1000);
            old[i] = 100000;
            new[i] = splitmix_below(&chance, 2) ? 100001 + by *by : 99999 - by;
        }
        struct regress_finding finding = {.verdict = REGRESS_UNDECIDED};
        regress_judge_median(&row, old, new, COUNT, 0.95, &finding);
        held += finding.median.low <= 0 && finding.median.high >= 0;
    }
    assert_in_range(held, TESTS * 95 / 100, TESTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_cases),
        cmocka_unit_test(wide_intervals_decide_nothing),
        cmocka_unit_test(limits_without_perturbation),
        cmocka_unit_test(levels),
        cmocka_unit_test(false_alarms_are_rare),
        cmocka_unit_test(real_changes_are_found),
        cmocka_unit_test(changes_are_divided),
        cmocka_unit_test(medians_decide_what_means_leave_open),
        cmocka_unit_test(medians_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
