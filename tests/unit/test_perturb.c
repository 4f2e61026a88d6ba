/*
 * The generator of delays of memory responses (cache/state/perturb.h): each delay from 0 to the limit is equally
 * probable, as in Alameldeen and Wood, HPCA 2003, section 3.3, and the sequence depends on the seed alone.
 */
#include "tests/unit/test.h"
#include "cache/state/perturb.h"

enum { DRAWS = 1000000 };

/* Chi-squared of DRAWS delays of 0 to LIMIT cycles against equal frequencies, by seed. Aborts if one is above LIMIT. */
static double chi_squared(uint64_t seed, unsigned limit)
{
    uint64_t count[64] = {0};
    struct perturb perturb = perturb_begin(seed, limit);
    double sum = 0;
    const double expected = (double)DRAWS / (limit + 1);
    for (unsigned i = 0; i < DRAWS; i++) {
        const cycles delay = perturb_draw(&perturb);
        assert_true(delay <= limit);
        count[delay]++;
    }
    for (unsigned i = 0; i <= limit; i++)
        sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    return sum;
}

/* The 99.99 % quantiles of chi-squared with LIMIT degrees of freedom. */
static void delays_are_uniform(void **state)
{
    static const struct {
        unsigned limit;
        double quantile;
    } cases[] = {{1, 15.14}, {2, 18.42}, {4, 23.51}, {10, 35.56}, {63, 113.6}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            assert_true(chi_squared(seed, cases[i].limit) < cases[i].quantile);
}

static void the_longest_limit(void **state)
{
    struct perturb perturb = perturb_begin(1, UINT32_MAX - 1);
    cycles most = 0;
    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        const cycles delay = perturb_draw(&perturb);
        assert_true(delay < UINT32_MAX);
        most = delay > most ? delay : most;
    }
    assert_true(most > UINT32_MAX - UINT32_MAX / 1000);
}

static void the_seed_decides(void **state)
{
    struct perturb first = perturb_begin(7, 1000), same = perturb_begin(7, 1000), other = perturb_begin(8, 1000);
    unsigned equal = 0;
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        const cycles delay = perturb_draw(&first);
        assert_int_equal(delay, perturb_draw(&same));
        equal += delay == perturb_draw(&other);
    }
    assert_true(equal < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays_are_uniform),
        cmocka_unit_test(the_longest_limit),
        cmocka_unit_test(the_seed_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
