/* Remainders by reciprocals: exact at every multiple of a divisor and its neighbours. */
#include "cache/state/modulo.h"

#include <stdlib.h>
#include "tests/unit/test.h"

static void check(const struct modulo *modulo, uint32_t number)
{
    if (modulo_of(modulo, number) != number % modulo->divisor)
        fail_msg("%u mod %u: %u", number, modulo->divisor, modulo_of(modulo, number));
}

/* NUMBERs around multiples of DIVISOR, and the largest. */
static void check_divisor(uint32_t divisor)
{
    const struct modulo modulo = modulo_by(divisor);
    const uint32_t last = UINT32_MAX / divisor, step = last / 500 + 1;
    for (uint32_t quotient = 0; quotient <= last && quotient + step > quotient; quotient += step) {
        check(&modulo, quotient * divisor);
        check(&modulo, quotient * divisor + 1);
        check(&modulo, quotient * divisor - 1);
    }
    for (uint32_t i = 0; i < 3; i++) {
        check(&modulo, last * divisor - i);
        check(&modulo, UINT32_MAX - i);
    }
}

static void remainders_are_exact(void **state)
{
    (void)state;
    for (uint32_t divisor = 1; divisor < 5000; divisor++)
        check_divisor(divisor);
    for (uint32_t divisor = 5000; divisor < UINT32_MAX - 12345678; divisor += 12345678)
        check_divisor(divisor);
    for (uint32_t power = 13; power < 32; power++)
        for (uint32_t i = 0; i < 3; i++)
            check_divisor((1u << power) - 1 + i);
    check_divisor(UINT32_MAX);
}

static void logarithms_are_rounded_up(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{1, 0},  {2, 1},     {3, 2},        {4, 2},         {5, 3},
                                        {12, 4}, {16, 4},    {17, 5},       {1u << 30, 30}, {(1u << 30) + 1, 31},
                                        {20, 5}, {3072, 12}, {1u << 31, 31}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(log2_rounded_up(pairs[i][0]), pairs[i][1]);
    assert_true(is_power_of_two(1) && is_power_of_two(1u << 31));
    assert_false(is_power_of_two(0) || is_power_of_two(3) || is_power_of_two(12));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remainders_are_exact),
        cmocka_unit_test(logarithms_are_rounded_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
