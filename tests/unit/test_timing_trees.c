/*
 * Measurements of scripts, named as in SimOS (docs/reference/annotations.md): timing trees attribute every cycle to
 * exactly one phase; statistics have count, sum, minimum and maximum of each key.
 */
#include "annotations/accounts/statistics.h"
#include "annotations/accounts/timing_trees.h"
#include "tests/unit/services_fixture.h"

static void move(struct world *w, struct timing_trees *trees, enum timing_move move, const char *phase)
{
    struct err err = {""};
    if (!timing_trees_move(trees, "work", move, w->f->core, phase, &err))
        fail_msg("%s", err.text);
}

/* The JSON has the exclusive values of each phase. */
static void expect_json(struct timing_trees *trees, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct json_writer json = json_writer_to(out);
    timing_trees_write_json(trees, &json);
    fclose(out);
    if (!strstr(text, expected))
        fail_msg("no %s in %s", expected, text);
    free(text);
}

static void test_phases(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    struct timing_trees *trees = timing_trees_create(&w->machine);
    execute(core, 1000); /* belongs to no tree: there is none yet */
    assert_true(timing_trees_add(trees, "work"));
    assert_false(timing_trees_add(trees, "work"));
    execute(core, 1);
    move(w, trees, TIMING_SWITCH, "outer");
    execute(core, 10);
    move(w, trees, TIMING_SWITCH, "inner");
    execute(core, 100);
    move(w, trees, TIMING_END, NULL);
    execute(core, 20);
    move(w, trees, TIMING_SWITCH, "inner"); /* the same phase a second time */
    execute(core, 200);
    move(w, trees, TIMING_END, "outer"); /* ends the inner phase, too */
    execute(core, 2);
    expect_json(trees,
                "[\n      {\"name\": \"work\", \"calls\": 0, \"cycles\": 6, \"insns\": 3, \"wait\": 0, \"stall\": 3, "
                "\"misses\": 3, \"within\": [{\"name\": \"outer\", \"calls\": 1, \"cycles\": 60, \"insns\": 30, "
                "\"wait\": 0, \"stall\": 30, \"misses\": 30, \"within\": [{\"name\": \"inner\", \"calls\": 2, "
                "\"cycles\": 600, \"insns\": 300, ");
    move(w, trees, TIMING_SWITCH, "a");
    move(w, trees, TIMING_SWITCH, "b");
    move(w, trees, TIMING_EXIT, NULL);
    execute(core, 4);
    move(w, trees, TIMING_TERMINATE, NULL);
    execute(core, 5000);
    expect_json(trees, "{\"name\": \"work\", \"calls\": 0, \"cycles\": 14, \"insns\": 7, ");
    timing_trees_reset(trees);
    expect_json(trees, "{\"name\": \"work\", \"calls\": 0, \"cycles\": 0, \"insns\": 0, ");
    timing_trees_free(trees);
}

/* Errors: no such tree, unknown phase, too many. */
static void test_refused(void **state)
{
    struct world *w = *state;
    struct err err = {""};
    struct timing_trees *trees = timing_trees_create(&w->machine);
    assert_false(timing_trees_move(trees, "work", TIMING_SWITCH, w->f->core, "a", &err));
    timing_trees_add(trees, "work");
    assert_false(timing_trees_move(trees, "work", TIMING_END, w->f->core, NULL, &err));
    assert_false(timing_trees_move(trees, "work", TIMING_END, w->f->core, "nosuch", &err));
    for (unsigned i = 0; i < TIMING_DEPTH; i++)
        move(w, trees, TIMING_SWITCH, "again");
    assert_false(timing_trees_move(trees, "work", TIMING_SWITCH, w->f->core, "again", &err));
    move(w, trees, TIMING_EXIT, NULL);
    for (unsigned i = TIMING_DEPTH; i < TIMING_NODES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        move(w, trees, TIMING_SWITCH, name);
        move(w, trees, TIMING_EXIT, NULL);
    }
    assert_false(timing_trees_move(trees, "work", TIMING_SWITCH, w->f->core, "one more", &err));
    move(w, trees, TIMING_SWITCH, "100"); /* a phase that exists */
    timing_trees_free(trees);
}

static void test_statistics(void **state)
{
    struct err err = {""};
    size_t count;
    (void)state;
    struct statistics *statistics = statistics_create();
    assert_false(statistics_any(statistics));
    assert_false(statistics_enter(statistics, "sizes", "a", 1, &err));
    assert_true(statistics_add(statistics, "sizes"));
    assert_false(statistics_add(statistics, "sizes"));
    assert_true(statistics_enter(statistics, "sizes", "b", 5, &err));
    assert_true(statistics_enter(statistics, "sizes", "a", -2, &err));
    assert_true(statistics_enter(statistics, "sizes", "b", 2.5, &err));
    const struct statistics_entry *entry = statistics_list(statistics, "sizes", &count);
    assert_int_equal(count, 2);
    assert_string_equal(entry[0].key, "b"); /* in order of first use */
    assert_int_equal(entry[0].count, 2);
    assert_true(entry[0].sum == 7.5 && entry[0].least == 2.5 && entry[0].most == 5);
    assert_true(entry[1].sum == -2 && entry[1].least == -2 && entry[1].most == -2);
    for (unsigned i = 2; i < STATISTICS_KEYS; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i);
        assert_true(statistics_enter(statistics, "sizes", key, i, &err));
    }
    assert_false(statistics_enter(statistics, "sizes", "one more", 1, &err));
    assert_true(statistics_enter(statistics, "sizes", "16000", 1, &err));
    statistics_reset(statistics);
    assert_non_null(statistics_list(statistics, "sizes", &count));
    assert_int_equal(count, 0);
    assert_null(statistics_list(statistics, "nosuch", &count));
    statistics_free(statistics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_phases, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
