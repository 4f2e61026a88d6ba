/* Layouts of a row (src/regress/regress_layouts.h): groups, and the strip on which they are drawn. */
#include "src/regress/regress_layouts.h"

#include <math.h>
#include "tests/unit/test.h"

enum { COUNT = 10 };

static void two_groups_are_told(void **state)
{
    (void)state;
    static const struct {
        uint64_t values[COUNT];
        bool has_groups;
        unsigned low_count;
    } cases[] = {
        {{100, 101, 102, 103, 104, 130, 131, 132, 133, 134}, true, 5},
        {{134, 100, 133, 101, 132, 102, 131, 103, 130, 104}, true, 5},  /* in any order */
        {{100, 101, 102, 103, 104, 105, 106, 107, 128, 135}, true, 8},  /* OpenWrt's kind: a few are bad */
        {{100, 101, 102, 103, 104, 105, 106, 107, 108, 135}, false, 0}, /* one is no group */
        {{100, 104, 108, 112, 116, 120, 124, 128, 132, 136}, false, 0},
        {{100, 110, 120, 130, 140, 160, 170, 180, 190, 200}, false, 0}, /* the gap is narrower than a group */
        {{7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, false, 0},
        {{0, 0, 0, 0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}, true, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct regress_layouts layouts = regress_layouts_of(cases[i].values, COUNT);
        assert_int_equal(layouts.has_groups, cases[i].has_groups);
        if (cases[i].has_groups)
            assert_int_equal(layouts.low_count, cases[i].low_count);
    }
    const struct regress_layouts layouts = regress_layouts_of(cases[0].values, COUNT);
    assert_true(layouts.least == 100 && layouts.most == 134);
    assert_true(fabs(layouts.low - 102) < 1e-9 && fabs(layouts.high - 132) < 1e-9);
    static const uint64_t few[] = {1, 100, 200};
    for (unsigned count = 1; count <= 3; count++)
        assert_false(regress_layouts_of(few, count).has_groups);
}

static void a_strip_shows_each_layout(void **state)
{
    (void)state;
    static const uint64_t values[] = {0, 0, 0, 47, 47, 10};
    char strip[LAYOUTS_STRIP + 1];
    regress_layouts_strip(values, 6, 20, strip);
    assert_string_equal(strip, "|         .         L                          :");
    regress_layouts_strip(values, 6, 94, strip);
    assert_string_equal(strip, "|    .                  :                      L");
    static const uint64_t same[] = {5, 5};
    regress_layouts_strip(same, 2, 5, strip);
    assert_string_equal(strip, "L                                               ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_groups_are_told),
        cmocka_unit_test(a_strip_shows_each_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
