/* Which functions and data evict each other more often as linked (src/regress/regress_pairs.h). */
#include "src/regress/regress_pairs.h"

#include <stdio.h>
#include <string.h>
#include "tests/unit/test.h"

#define MODE "{'cycles': 3, 'insns': 1, 'execute': 3, 'wait': 0, 'stall': {}}"

/* The pairs of a run whose table of evictions has ROWS. Apostrophes stand for quotes. */
static struct regress_pairs pairs_of(const char *rows)
{
    static struct results results;
    struct regress_pairs pairs = {{0}, {0}};
    struct err err = {""};
    char text[2000];
    snprintf(text, sizeof text,
             "{'machine': {'time': 9}, 'parameters': {}, 'cpu0': {'mode': {'user': " MODE ", 'kernel': " MODE
             ", 'idle': " MODE "}}, 'evictions': {'columns': ['cpu', 'cache', 'missed', 'evicted_by', 'set', 'sets', "
             "'misses'], 'rows': [%s]}}",
             rows);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    if (!results_read(&results, "test", root, &err))
        fail_msg("%s", err.text);
    regress_pairs_read(&pairs, &results);
    results_release(&results);
    json_decref(root);
    return pairs;
}

static void the_largest_increases_are_found(void **state)
{
    (void)state;
    struct regress_pairs linked = pairs_of(
                             "[0, 'l1i', 'read', 'write', 7, 1, 900], [0, 'l1i', 'open', 'close', null, 2, 500], "
                             "[0, 'l1d', 'jiffies', 'memory', 3, 1, 800], [0, 'l1i', 'a', 'b', 1, 1, 90], "
                             "[0, 'l1i', 'c', 'd', 1, 1, 80], [0, 'l1i', 'less', 'x', 1, 1, 10]"),
                         held = pairs_of("[0, 'l1i', 'read', 'write', 9, 1, 100], [0, 'l1i', 'less', 'x', 1, 1, 700]");
    struct regress_row row = {.name = (char *)(uintptr_t) "r"};
    struct regress_pair found[REGRESS_PAIRS_SHOWN];
    assert_int_equal(regress_pairs_compare(&linked, &held, &row, found), REGRESS_PAIRS_SHOWN);
    assert_true(found[0].more == 800 && found[1].more == 800 && found[2].more == 500);
    row.pattern[REGRESS_CACHE] = (char *)(uintptr_t) "l1i";
    assert_int_equal(regress_pairs_compare(&linked, &held, &row, found), REGRESS_PAIRS_SHOWN);
    assert_string_equal(found[0].text, "l1i: read, evicted by write");
    char missed[REGRESS_PAIR_NAME], evicted_by[REGRESS_PAIR_NAME];
    regress_pair_names(&found[0], missed, evicted_by);
    assert_string_equal(missed, "read");
    assert_string_equal(evicted_by, "write");
    assert_true(found[0].more == 800 && found[0].set == 7);
    assert_string_equal(found[1].text, "l1i: open, evicted by close");
    assert_true(found[1].more == 500 && found[1].set == -1);
    assert_string_equal(found[2].text, "l1i: a, evicted by b");
    row.pattern[REGRESS_CACHE] = (char *)(uintptr_t) "l2*";
    assert_int_equal(regress_pairs_compare(&linked, &held, &row, found), 0);
    row.pattern[REGRESS_CACHE] = NULL;
    assert_int_equal(regress_pairs_compare(&held, &linked, &row, found), 1);
    assert_string_equal(found[0].text, "l1i: less, evicted by x");
    regress_pairs_release(&linked);
    regress_pairs_release(&held);
}

/* Several processors: the misses of all, the set of the first. */
static void processors_are_added_up(void **state)
{
    (void)state;
    struct regress_pairs linked = pairs_of("[0, 'l1i', 'f', 'g', 5, 1, 30], [1, 'l1i', 'f', 'g', 6, 1, 40]"),
                         held = {{0}, {0}};
    const struct regress_row row = {.name = (char *)(uintptr_t) "r"};
    struct regress_pair found[REGRESS_PAIRS_SHOWN];
    assert_int_equal(regress_pairs_compare(&linked, &held, &row, found), 1);
    assert_true(found[0].more == 70 && found[0].set == 5);
    regress_pairs_release(&linked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_increases_are_found),
        cmocka_unit_test(processors_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
