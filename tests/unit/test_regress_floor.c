/* Noise floors (src/regress/regress_floor.h): half the interval of a change against what it says, and against how often
 * two sides that are the same differ by more. */
#include "src/base/splitmix.h"
#include "src/regress/regress_floor.h"
#include "src/regress/regress_verdict.h"
#include "tests/unit/test.h"

#include <math.h>

enum { MOST = 40 };

static void of_two_sides_it_is_half_the_interval(void **state)
{
    (void)state;
    static const uint64_t old[] = {1000, 1010, 990, 1005, 995}, new[] = {1010, 1000, 1005, 990, 1000};
    const struct regress_row row = {.name = NULL, .has_within = true, .within = 5};
    const struct regress_finding finding = regress_judge(&row, old, new, 5, 0.95, 0, 0);
    assert_true(fabs(regress_floor_of(old, new, 5, 0.95) - finding.half) < 1e-9);
}

static void what_never_varies_has_none(void **state)
{
    (void)state;
    static const uint64_t same[] = {7, 7, 7, 7}, zero[] = {0, 0, 0, 0};
    assert_true(regress_floor_of(NULL, same, 4, 0.95) == 0);
    assert_true(isnan(regress_floor_of(NULL, zero, 4, 0.95)));
}

static void more_repetitions_lower_it(void **state)
{
    (void)state;
    /* t(0.975, 3) = 3.182446, t(0.975, 15) = 2.131450 */
    assert_true(fabs(regress_floor_with(10, 4, 16, 0.95) - 10 * 0.5 * 2.131450 / 3.182446) < 1e-4);
    assert_true(regress_floor_with(10, 4, 4, 0.95) == 10);
}

/* One side's floor is what two sides that are the same differ by, with the level's probability at most. */
static void it_holds_for_two_sides(void **state)
{
    (void)state;
    enum { TESTS = 2000, REPETITIONS = 12 };
    uint64_t chance = 11, old[MOST], new[MOST];
    unsigned held = 0;
    for (unsigned test = 0; test < TESTS; test++) {
        for (unsigned i = 0; i < REPETITIONS; i++) {
            old[i] = 100000 + splitmix_below(&chance, 2000) + splitmix_below(&chance, 2000);
            new[i] = 100000 + splitmix_below(&chance, 2000) + splitmix_below(&chance, 2000);
        }
        const double change = 100 * (regress_mean(new, REPETITIONS) / regress_mean(old, REPETITIONS) - 1);
        held += fabs(change) <= regress_floor_of(NULL, old, REPETITIONS, 0.95);
    }
    assert_in_range(held, TESTS * 93 / 100, TESTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_sides_it_is_half_the_interval),
        cmocka_unit_test(what_never_varies_has_none),
        cmocka_unit_test(more_repetitions_lower_it),
        cmocka_unit_test(it_holds_for_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
