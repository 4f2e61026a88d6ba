/*
 * Estimates from windows (src/results/sampling.h) against tables and hand calculations.
 */
#include <math.h>
#include "tests/unit/test.h"
#include "src/results/sampling.h"
#include "tests/unit/window_population.h"

/* Student's t: textbook tables, and R's qt() to six digits. */
static void student_agrees_with_tables(void **state)
{
    (void)state;
    static const struct {
        double confidence;
        unsigned freedom;
        double t;
    } rows[] = {
        {0.95, 1, 12.706205},   {0.95, 2, 4.302653},  {0.95, 3, 3.182446},  {0.95, 4, 2.776445},
        {0.95, 9, 2.262157},    {0.95, 10, 2.228139}, {0.95, 29, 2.045230}, {0.95, 100, 1.983972},
        {0.95, 1000, 1.962339}, {0.99, 1, 63.656741}, {0.99, 4, 4.604095},  {0.99, 30, 2.749996},
        {0.90, 5, 2.015048},    {0.50, 1, 1.000000},  {0.999, 7, 5.407883}, {0.95, 9999, 1.960201},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double t = sampling_student_t(rows[i].confidence, rows[i].freedom);
        if (!(fabs(t - rows[i].t) < 1e-6 * rows[i].t))
            fail_msg("t(%g, %u) is %.6f, not %.6f", rows[i].confidence, rows[i].freedom, t, rows[i].t);
    }
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= 2e-6 * fabs(expected);
}

/* CPI of five windows of 100 instructions: 1.5, 1.7, 1.6, 1.8, 1.4. Mean 1.6; the sum of squared differences is 0.1, so
 * the standard deviation is sqrt(0.1 / 4) = 0.158114 and the standard error 0.070711; t is 2.776445. */
static void equal_windows_give_the_plain_mean(void **state)
{
    (void)state;
    static const double cycles[] = {150, 170, 160, 180, 140}, insns[] = {100, 100, 100, 100, 100};
    struct sampling_estimate estimate = sampling_ratio(cycles, insns, 5, 0.95);
    assert_true(is_near(estimate.mean, 1.6));
    assert_true(is_near(estimate.half_width, 2.776445 * 0.0707107));
}

/* 63 cycles in 25 instructions: 2.52. Residuals -2.6, -0.16, 2.76; the sum of their squares is 14.4032; with 2 degrees
 * of freedom s = 2.683580; divided by the mean of 8.333333 instructions and by sqrt(3): 0.185924; t is 4.302653. The
 * residuals' skewness is 0.109143, so the quantiles are 3.954572 below and 4.776311 above (the formula of
 * skewed_quantile(), src/results/sampling.c). */
static void unequal_windows_give_a_ratio(void **state)
{
    (void)state;
    static const double cycles[] = {10, 20, 33}, insns[] = {5, 8, 12};
    struct sampling_estimate estimate = sampling_ratio(cycles, insns, 3, 0.95);
    assert_true(is_near(estimate.mean, 2.52));
    assert_true(is_near(estimate.half_width, 0.8880302));
}

static void little_says_little(void **state)
{
    (void)state;
    static const double some[] = {3, 5}, none[] = {0, 0}, same[] = {7, 7};
    struct sampling_estimate one = sampling_ratio(some, same, 1, 0.95);
    assert_true(is_near(one.mean, 3.0 / 7));
    assert_true(isnan(one.half_width)); /* undefined for one sample */
    assert_true(isnan(sampling_ratio(some, none, 2, 0.95).mean));
    assert_true(isnan(sampling_ratio(some, same, 0, 0.95).mean));
    struct sampling_estimate equal = sampling_ratio(same, same, 2, 0.95);
    assert_true(equal.mean == 1 && equal.half_width == 0);
    struct sampling_estimate nothing = sampling_ratio(none, same, 2, 0.95);
    assert_true(nothing.mean == 0 && nothing.half_width == 0);
}

/* Coverage: 95 of 100 confidence intervals contain the true mean, for 2000 samples of 12 uniform numbers, which are
 * approximately normal; a bit more, because the longer side counts on both. The lower limit is four standard deviations
 * of the binomial distribution away. */
static void intervals_hold_the_mean_as_often_as_they_say(void **state)
{
    (void)state;
    enum { ROUNDS = 2000, SAMPLES = 12 };
    uint64_t noise = 12345;
    unsigned held = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double parts[SAMPLES], wholes[SAMPLES];
        for (unsigned i = 0; i < SAMPLES; i++) {
            noise = noise * 6364136223846793005 + 1442695040888963407;
            parts[i] = (double)(noise >> 33) / (double)(1u << 31);
            wholes[i] = 1;
        }
        struct sampling_estimate estimate = sampling_ratio(parts, wholes, SAMPLES, 0.95);
        held += fabs(estimate.mean - 0.5) <= estimate.half_width;
    }
    assert_in_range(held, 1900 - 39, 1960);
}

/* The ratio of sums of fields PART and WHOLE of COUNT windows, drawn at random from the population: how many of ROUNDS
 * intervals hold that of the population, in per mille; *PLAIN: how many of Student's t alone. */
static unsigned draw(unsigned part, unsigned whole, unsigned count, unsigned *plain)
{
    enum { ROUNDS = 2000, MOST = 40, POPULATION = sizeof window_population / sizeof window_population[0] };
    uint64_t noise = 2026;
    double sum = 0, of = 0;
    unsigned held = 0;
    for (unsigned i = 0; i < POPULATION; i++) {
        sum += window_population[i][part];
        of += whole < 4 ? window_population[i][whole] : window_population[i][1] + window_population[i][3];
    }
    *plain = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double parts[MOST], wholes[MOST], all = 0, squares = 0;
        for (unsigned i = 0; i < count; i++) {
            noise = noise * 6364136223846793005 + 1442695040888963407;
            const double *window = window_population[(noise >> 33) % POPULATION];
            parts[i] = window[part];
            wholes[i] = whole < 4 ? window[whole] : window[1] + window[3];
            all += wholes[i];
        }
        const struct sampling_estimate estimate = sampling_ratio(parts, wholes, count, 0.95);
        for (unsigned i = 0; i < count; i++)
            squares += pow(parts[i] - estimate.mean * wholes[i], 2);
        const double student =
            sampling_student_t(0.95, count - 1) * sqrt(squares / (count - 1)) / (all / count) / sqrt(count);
        held += fabs(estimate.mean - sum / of) <= estimate.half_width;
        *plain += fabs(estimate.mean - sum / of) <= student;
    }
    return held * 1000 / ROUNDS;
}

/* Of windows of a real run, the intervals hold the mean as often as they say (docs/how-to/series.md), up to 2 of 100;
 * with few windows Student's t alone does not. */
static void intervals_of_skewed_windows_hold(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned part, whole;
    } rows[] = {{"CPI of user mode", 0, 1},
                {"CPI of the kernel", 2, 3},
                {"user instructions", 1, 4},
                {"kernel instructions", 3, 4}};
    static const unsigned counts[] = {10, 20, 40};
    unsigned worst = 1000, plain, worst_plain = 1000;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
            const unsigned held = draw(rows[i].part, rows[i].whole, counts[j], &plain);
            print_message("%-20s %u windows: %u.%u %%, Student's t alone %u.%u %%\n", rows[i].name, counts[j],
                          held / 10, held % 10, plain / 20, plain / 2 % 10);
            worst = held < worst ? held : worst;
            worst_plain = plain / 2 < worst_plain ? plain / 2 : worst_plain;
        }
    assert_in_range(worst, 930, 1000);
    assert_in_range(worst_plain, 0, 920);
}

/* Two strata, of 75 and 25 %: the mean is the weighted one; the first has all its samples, the second two of four. */
static void strata_count_with_their_weights(void **state)
{
    (void)state;
    const double cycles[] = {100, 200, 400, 600}, insns[] = {100, 100, 100, 100};
    const unsigned stratum_of[] = {0, 0, 1, 1}, alone[] = {0, 0, 0, 1};
    const struct sampling_stratum strata[] = {{0.75, 2}, {0.25, 4}}, unknown[] = {{0.75, 2}, {0.25, 0}};
    struct sampling_estimate estimate = sampling_stratified(cycles, insns, stratum_of, 4, strata, 2, 0.95);
    assert_float_equal(estimate.mean, 0.75 * 1.5 + 0.25 * 5, 1e-12);
    /* 0.25 times the standard error of the second one's mean, 1 / sqrt(2) * sqrt(2), of half of its samples */
    assert_float_equal(estimate.half_width, 12.7062 * 0.25 * sqrt(0.5), 1e-4);
    assert_true(isnan(sampling_stratified(cycles, insns, stratum_of, 4, unknown, 2, 0.95).half_width));
    assert_true(isnan(sampling_stratified(cycles, insns, alone, 4, strata, 2, 0.95).half_width));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_agrees_with_tables),
        cmocka_unit_test(equal_windows_give_the_plain_mean),
        cmocka_unit_test(unequal_windows_give_a_ratio),
        cmocka_unit_test(little_says_little),
        cmocka_unit_test(strata_count_with_their_weights),
        cmocka_unit_test(intervals_hold_the_mean_as_often_as_they_say),
        cmocka_unit_test(intervals_of_skewed_windows_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
