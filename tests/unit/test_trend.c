/* Trends (src/results/trend.h): files that are refused, and where series step. What pages show of them is looked at by
 * tests/guest/test_program.sh. */
#include "src/base/splitmix.h"
#include "src/results/trend.h"
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16, COUNT = 10 };

/* Append the line of COMMIT, with a row of VALUES around MEAN, to TEXT. */
static void add_line(char *text, const char *commit, const char *identity, unsigned mean, uint64_t *chance)
{
    char *at = text + strlen(text);
    at += sprintf(at,
                  "{\"format\": \"simos trend 1\", \"commit\": \"%s\", \"simos\": \"1\", \"rows\": [{\"file\": \"f\", ",
                  commit);
    at += sprintf(at, "\"machine\": \"m\", \"row\": \"r\", \"unit\": \"cycles\", \"identity\": \"%s\", ", identity);
    at += sprintf(at, "\"verdict\": \"unchanged\", \"within\": 2, \"seed\": 0, \"values\": [");
    for (unsigned i = 0; i < COUNT; i++)
        at += sprintf(at, "%s%u", i ? ", " : "", mean + splitmix_below(chance, mean / 100));
    strcpy(at, "]}]}\n");
}

static struct trend parse(char *text)
{
    struct trend trend;
    struct err err = {""};
    assert_true(trend_parse(&trend, "t", text, &err));
    return trend;
}

static void a_step_is_found_where_it_is(void **state)
{
    (void)state;
    static const unsigned means[] = {10000, 10010, 10000, 11000, 11010, 11000, 10000, 10000};
    char *text = checked_memory(calloc(1, TEXT)), name[8];
    uint64_t chance = 3;
    struct trend_view view;
    for (unsigned i = 0; i < sizeof means / sizeof means[0]; i++) {
        snprintf(name, sizeof name, "c%u", i);
        add_line(text, name, "x", means[i], &chance);
    }
    struct trend trend = parse(text);
    trend_view_make(&view, &trend, 95);
    assert_int_equal(view.count, 1);
    assert_int_equal(view.series[0].steps, 2);
    for (unsigned i = 0; i < sizeof means / sizeof means[0]; i++)
        assert_int_equal(view.series[0].points[i].kind, i == 0             ? TREND_FIRST
                                                        : i == 3 || i == 6 ? TREND_STEPS
                                                                           : TREND_LEVEL);
    assert_int_equal(view.series[0].points[3].since, 0);
    assert_int_equal(view.series[0].points[6].since, 3);
    assert_true(fabs(view.series[0].points[3].change - 10) < 1);
    trend_view_release(&view);
    trend_release(&trend);
    free(text);
}

/* Each commit is 0.5 % more than the one before it: none is beyond the limit of 2 % by itself. */
static void small_changes_add_up(void **state)
{
    (void)state;
    char *text = checked_memory(calloc(1, TEXT)), name[8];
    uint64_t chance = 4;
    struct trend_view view;
    for (unsigned i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "c%u", i);
        add_line(text, name, "x", 10000 + 50 * i, &chance);
    }
    struct trend trend = parse(text);
    trend_view_make(&view, &trend, 95);
    assert_int_equal(view.series[0].steps, 1);
    for (unsigned i = 0; i < 5; i++)
        assert_int_not_equal(view.series[0].points[i].kind, TREND_STEPS);
    trend_view_release(&view);
    trend_release(&trend);
    free(text);
}

static void what_counts_something_else_is_not_compared(void **state)
{
    (void)state;
    char *text = checked_memory(calloc(1, TEXT));
    uint64_t chance = 5;
    struct trend_view view;
    add_line(text, "a", "x", 10000, &chance);
    add_line(text, "b", "y", 20000, &chance);
    struct trend trend = parse(text);
    trend_view_make(&view, &trend, 95);
    assert_int_equal(view.series[0].steps, 0);
    assert_int_equal(view.series[0].points[1].kind, TREND_FIRST);
    trend_view_release(&view);
    trend_release(&trend);
    free(text);
}

/* Nothing changes: of 200 trends of 20 commits, a step is found in at most 5 %. */
static void false_steps_are_rare(void **state)
{
    (void)state;
    enum { TRENDS = 200, COMMITS = 20 };
    uint64_t chance = 6;
    unsigned with_steps = 0;
    char *text = checked_memory(malloc(TEXT)), name[8];
    for (unsigned number = 0; number < TRENDS; number++) {
        struct trend_view view;
        *text = 0;
        for (unsigned i = 0; i < COMMITS; i++) {
            snprintf(name, sizeof name, "c%u", i);
            add_line(text, name, "x", 10000, &chance);
        }
        for (char *at = text; (at = strstr(at, "\"within\": 2")); at++)
            at[10] = '0';
        struct trend trend = parse(text);
        trend_view_make(&view, &trend, 95);
        with_steps += view.series[0].steps > 0;
        trend_view_release(&view);
        trend_release(&trend);
    }
    assert_in_range(with_steps, 0, TRENDS * 5 / 100);
    free(text);
}

static void refused(const char *text, const char *expected)
{
    struct trend trend;
    struct err err = {""};
    char *copy = checked_memory(strdup(text));
    assert_false(trend_parse(&trend, "t", copy, &err));
    assert_string_equal(err.text, expected);
    trend_release(&trend);
    free(copy);
}

#define HEAD "{\"format\": \"simos trend 1\", \"commit\": \"c\", \"simos\": \"1\", \"rows\": "
#define ROW                                                                                                            \
    "\"file\": \"f\", \"machine\": \"m\", \"row\": \"r\", \"unit\": \"u\", \"identity\": \"i\", \"verdict\": \"v\", "  \
    "\"seed\": 0"

static void hostile_files_are_refused(void **state)
{
    (void)state;
    struct trend trend = parse((char[]){""});
    assert_int_equal(trend.count, 0);
    trend_release(&trend);
    trend = parse((char[]){HEAD "[{" ROW ", \"plain\": 1, \"values\": []}]}\r\n"});
    assert_int_equal(trend.count, 1);
    trend_release(&trend);
    refused("x\n", "trend t, line 1: not JSON, or not as it is written here");
    refused("\n\n", "trend t, line 1: not JSON, or not as it is written here");
    refused("{}\n", "trend t, line 1: not a line of a trend of simos");
    refused("{\"format\": \"simos trend 1\"}\n", "trend t, line 1: it names no commit");
    refused("{\"format\": \"simos trend 1\", \"commit\": \"a\\u001b[2J\", \"simos\": \"1\", \"rows\": []}",
            "trend t, line 1: it names no commit");
    refused(HEAD "{}}", "trend t, line 1: it has no rows, or too many");
    refused(HEAD "[{" ROW ", \"values\": []}]}", "trend t, line 1: row 1 is not one");
    refused(HEAD "[{" ROW ", \"values\": [-1]}]}", "trend t, line 1: row 1 is not one");
    refused(HEAD "[{" ROW ", \"values\": [1.5]}]}", "trend t, line 1: row 1 is not one");
    refused(HEAD "[{" ROW ", \"values\": [1], \"within\": 1e300}]}", "trend t, line 1: row 1 is not one");
    refused(HEAD "[{" ROW ", \"values\": [1], \"within\": \"2\"}]}", "trend t, line 1: row 1 is not one");
    refused(HEAD "[{" ROW ", \"values\": [99999999999999999999]}]}",
            "trend t, line 1: not JSON, or not as it is written here");
    refused(HEAD "[]}\n" HEAD "[]}\n", "trend t: two lines are of the commit c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_found_where_it_is),
        cmocka_unit_test(small_changes_add_up),
        cmocka_unit_test(what_counts_something_else_is_not_compared),
        cmocka_unit_test(false_steps_are_rare),
        cmocka_unit_test(hostile_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
