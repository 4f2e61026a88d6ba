/* The table of which functions and data evict each other, read from a statistics file (src/results/evictions.h). */
#include "src/results/evictions.h"
#include "tests/unit/test.h"

#include <string.h>

#define MODE "{'cycles': 3, 'insns': 1, 'execute': 3, 'wait': 0, 'stall': {}}"

/* Statistics with the table TABLE; "": without. Apostrophes stand for quotes. */
static void read_text(struct results *results, const char *table)
{
    struct err err = {""};
    char text[2000];
    snprintf(text, sizeof text,
             "{'machine': {'time': 9}, 'parameters': {}, 'cpu0': {'mode': {'user': " MODE ", 'kernel': " MODE
             ", 'idle': " MODE "}}%s%s}",
             *table ? ", 'evictions': " : "", table);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    if (!results_read(results, "test", root, &err))
        fail_msg("%s", err.text);
    json_decref(root);
}

#define COLUMNS "'columns': ['cpu', 'cache', 'missed', 'evicted_by', 'set', 'sets', 'misses']"

static struct results results;

static void test_rows(void **state)
{
    struct evictions evictions;
    (void)state;
    read_text(&results, "{" COLUMNS ", 'rows': ["
                        "[0, 'l1i', 'f', 'g', 64, 1, 30],"
                        "[1, 'l1d', 'memory', 'jiffies', null, 3, 20],"
                        "[0, 'l1i', '(others)', '(others)', null, 0, 5],"
                        "[1, 'l1d', '(others)', '(others)', null, 0, 6],"
                        "[0, 'l1i', '(all)', '(unknown)', null, 0, 7]]}");
    assert_true(evictions_read(&results, &evictions));
    assert_int_equal(evictions.count, 2);
    const struct eviction *row = evictions.row;
    assert_int_equal(row->cpu, 0);
    assert_string_equal(row->cache, "l1i");
    assert_string_equal(row->missed, "f");
    assert_string_equal(row->evicted_by, "g");
    assert_true(row->in_one_set);
    assert_int_equal(row->set, 64);
    assert_int_equal(row->sets, 1);
    assert_int_equal(row->misses, 30);
    row++;
    assert_int_equal(row->cpu, 1);
    assert_string_equal(row->evicted_by, "jiffies");
    assert_false(row->in_one_set);
    assert_int_equal(row->sets, 3);
    assert_int_equal(evictions.others, 11);
    assert_int_equal(evictions.unknown, 7);
    evictions_release(&evictions);
    results_release(&results);
}

/* The columns may stand in another order, and a row may be no row. */
static void test_hostile(void **state)
{
    struct evictions evictions;
    (void)state;
    read_text(&results, "{'columns': ['x', 'misses', 'sets', 'set', 'evicted_by', 'missed', 'cache', 'cpu'], 'rows': ["
                        "[null, 9, 1, 2, 'b', 'a', 'l2', 3],"
                        "7, [], [null, -9, 1, 2, 'b', 'a', 'l2', 3], [null, 9, 1, '2', 'b', 'a', 'l2', 3],"
                        "[null, 9, 1, 2, 'b', 5, 'l2', 3], [null, 9, 1, 2, 'b', 'a', 'l2', 4294967296],"
                        "[null, 9, 1, 4294967296, 'b', 'a', 'l2', 3]]}");
    assert_true(evictions_read(&results, &evictions));
    assert_int_equal(evictions.count, 1);
    assert_int_equal(evictions.row->misses, 9);
    assert_int_equal(evictions.row->cpu, 3);
    assert_int_equal(evictions.row->set, 2);
    assert_string_equal(evictions.row->missed, "a");
    evictions_release(&evictions);
    results_release(&results);
}

static void test_none(void **state)
{
    static const char *const texts[] = {"", "{" COLUMNS "}", "{'columns': ['cpu'], 'rows': []}", "[]"};
    struct evictions evictions;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        read_text(&results, texts[i]);
        assert_false(evictions_read(&results, &evictions));
        assert_int_equal(evictions.count, 0);
        evictions_release(&evictions);
        results_release(&results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
