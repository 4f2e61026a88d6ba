/* Sums of numbers from files (src/base/sums.h): one that does not fit stays at the limit, and says so. */
#include "tests/unit/test.h"
#include "src/base/sums.h"

static void sums(void **state)
{
    (void)state;
    static const struct {
        uint64_t sum, more, result;
        bool fits;
    } rows[] = {{0, 0, 0, true},
                {1, 2, 3, true},
                {UINT64_MAX - 1, 1, UINT64_MAX, true},
                {UINT64_MAX, 1, UINT64_MAX, false},
                {UINT64_MAX - 1, UINT64_MAX, UINT64_MAX, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t sum = rows[i].sum;
        assert_int_equal(sum_add(&sum, rows[i].more), rows[i].fits);
        assert_true(sum == rows[i].result);
    }
}

static void signed_sums(void **state)
{
    (void)state;
    static const struct {
        int64_t sum, more, result;
        bool fits;
    } rows[] = {{1, -2, -1, true},
                {INT64_MAX, INT64_MIN, -1, true},
                {INT64_MAX, 1, INT64_MAX, false},
                {INT64_MIN, -1, INT64_MIN, false},
                {INT64_MAX - 5, INT64_MAX, INT64_MAX, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t sum = rows[i].sum;
        assert_int_equal(sum_add_signed(&sum, rows[i].more), rows[i].fits);
        assert_true(sum == rows[i].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(signed_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
