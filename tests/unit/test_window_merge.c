/*
 * Merging of windows (docs/how-to/series.md): counts are summed, CPI is recomputed from the sums, strings are kept if
 * equal; and the estimates, against hand calculations.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/sweep/window_merge.h"

/* A mode's counts: stalls are in the level-1 instruction cache and the level-2 data cache. */
#define MODE(cycles, insns, wait, execute, l1i, l2d, cpi)                                                              \
    "{\"cycles\": " cycles ", \"insns\": " insns ", \"wait\": " wait ", \"execute\": " execute ", \"cpi\": " cpi       \
    ", \"stall\": {\"l1i\": " l1i ", \"l2d\": " l2d "}}"
#define WINDOW(start, name, seconds, user, kernel)                                                                     \
    "{\"machine\": {\"name\": \"" name "\", \"insns\": 100, \"seconds\": " seconds ", \"share\": null}, "              \
    "\"cpu0\": {\"mode\": {\"user\": " user ", \"kernel\": " kernel "}}, "                                             \
    "\"parameters\": {\"cache\": \"16K\"}, "                                                                           \
    "\"window\": {\"start\": " start ", \"warmup\": 7, \"warmup_model\": \"embra\", \"length\": 100}}"

static const char first[] = WINDOW("1000", "a", "0.5", MODE("150", "80", "0", "80", "30", "40", "1.875"),
                                   MODE("70", "20", "20", "20", "10", "20", "2.5"));
static const char second[] = WINDOW("2000", "a", "0.25", MODE("130", "100", "0", "100", "10", "20", "1.3"),
                                    MODE("0", "0", "0", "0", "0", "0", "0"));

static json_t *parse(const char *text)
{
    struct err err = {""};
    json_t *value = json_file_parse("test", "text", text, strlen(text), &err);
    if (!value)
        fail_msg("%s", err.text);
    return value;
}

/* Merge ONE and OTHER; NULL with ERR. */
static json_t *merge(const char *one, const char *other, struct err *err)
{
    static const char *const names[] = {"0000", "0001"};
    json_t *windows[] = {parse(one), parse(other)};
    json_t *merged = window_merge(windows, names, 2, err);
    json_decref(windows[0]);
    json_decref(windows[1]);
    return merged;
}

static void expect_json(const json_t *value, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    window_write_json(value, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void counts_are_summed_and_ratios_formed_anew(void **state)
{
    (void)state;
    struct err err = {""};
    json_t *merged = merge(first, second, &err);
    assert_non_null(merged);
    expect_json(merged, "{\n"
                        "  \"machine\": {\n"
                        "    \"name\": \"a\",\n"
                        "    \"insns\": 200,\n"
                        "    \"seconds\": 0.75,\n"
                        "    \"share\": null\n"
                        "  },\n"
                        "  \"cpu0\": {\n"
                        "    \"mode\": {\n"
                        "      \"user\": {\n"
                        "        \"cycles\": 280,\n"
                        "        \"insns\": 180,\n"
                        "        \"wait\": 0,\n"
                        "        \"execute\": 180,\n"
                        "        \"cpi\": 1.5555555555555556,\n" /* 280 / 180 */
                        "        \"stall\": {\n"
                        "          \"l1i\": 40,\n"
                        "          \"l2d\": 60\n"
                        "        }\n"
                        "      },\n"
                        "      \"kernel\": {\n"
                        "        \"cycles\": 70,\n"
                        "        \"insns\": 20,\n"
                        "        \"wait\": 20,\n"
                        "        \"execute\": 20,\n"
                        "        \"cpi\": 2.5,\n"
                        "        \"stall\": {\n"
                        "          \"l1i\": 10,\n"
                        "          \"l2d\": 20\n"
                        "        }\n"
                        "      }\n"
                        "    }\n"
                        "  },\n"
                        "  \"parameters\": {\n"
                        "    \"cache\": \"16K\"\n"
                        "  },\n"
                        "  \"window\": {\n"
                        "    \"count\": 2,\n"
                        "    \"warmup\": 7,\n"
                        "    \"warmup_model\": \"embra\",\n"
                        "    \"length\": 100\n"
                        "  }\n"
                        "}\n");
    json_decref(merged);
}

static void one_window_stays_what_it_is(void **state)
{
    (void)state;
    static const char *const names[] = {"0000"};
    struct err err = {""};
    json_t *window = parse(first), *merged = window_merge(&window, names, 1, &err);
    assert_non_null(merged);
    assert_true(json_equal(json_object_get(merged, "cpu0"), json_object_get(window, "cpu0")));
    assert_true(json_equal(json_object_get(merged, "machine"), json_object_get(window, "machine")));
    json_decref(merged);
    json_decref(window);
}

#define PLAIN MODE("1", "1", "0", "1", "0", "0", "1")

/* Services that only some windows have, locks by name and kind; no sums of process numbers or of longest holds. */
static void annotations_are_summed(void **state)
{
    (void)state;
    json_t *windows[] = {
        parse("{\"begun\": 5, \"seconds\": 0.5, \"services\": {\"read\": {\"calls\": 2, \"stall\": {\"l1i\": 3}}}, "
              "\"processes\": [{\"pid\": 7}], \"locks\": [{\"name\": \"a\", \"kind\": \"spin\", \"wait\": 3, "
              "\"held_longest\": 9, \"holders\": []}]}"),
        parse("{\"begun\": 6, \"seconds\": 0.25, \"services\": {\"read\": {\"calls\": 1, \"stall\": {\"l1i\": 1}}, "
              "\"write\": {\"calls\": 4}}, \"processes\": [], \"locks\": [{\"name\": \"a\", \"kind\": \"mutex\", "
              "\"wait\": 5}, {\"name\": \"a\", \"kind\": \"spin\", \"wait\": 4, \"held_longest\": 8}]}"),
        NULL,
    };
    json_t *merged = window_merge_annotations(windows, 3);
    json_t *expected =
        parse("{\"seconds\": 0.75, \"services\": {\"read\": {\"calls\": 3, \"stall\": {\"l1i\": 4}}, \"write\": "
              "{\"calls\": 4}}, \"locks\": [{\"name\": \"a\", \"kind\": \"spin\", \"wait\": 7}, {\"name\": \"a\", "
              "\"kind\": \"mutex\", \"wait\": 5}]}");
    assert_true(json_equal(merged, expected));
    json_decref(expected);
    json_decref(merged);
    json_decref(windows[0]);
    json_decref(windows[1]);
}

static void what_does_not_fit_is_named(void **state)
{
    (void)state;
    static const char other_length[] = "{\"cpu0\": 1, \"window\": {\"warmup\": 7, \"warmup_model\": \"embra\", "
                                       "\"length\": 101}}",
                      no_window[] = "{\"cpu0\": 1}",
                      less[] = "{\"window\": {\"warmup\": 7, \"warmup_model\": \"embra\", \"length\": 100}}",
                      much[] = "{\"count\": 9223372036854775807, \"window\": {\"warmup\": 7, \"warmup_model\": "
                               "\"embra\", \"length\": 100}}";
    static const struct {
        const char *one, *other, *says;
    } bad[] = {
        {first, other_length, "window 0001: its length is not that of window 0000"},
        {first, no_window, "window 0001: there is no window.warmup"},
        {first, less, "window 0001 has no machine, which window 0000 has"},
        {much, much, "window 0001: count is not an additive count"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {""};
        assert_null(merge(bad[i].one, bad[i].other, &err));
        assert_string_equal(err.text, bad[i].says);
    }
    struct err err = {""};
    json_t *merged = merge(WINDOW("0", "a", "1", PLAIN, PLAIN), WINDOW("0", "b", "1", PLAIN, PLAIN), &err);
    assert_non_null(merged);
    assert_true(json_is_null(json_object_get(json_object_get(merged, "machine"), "name"))); /* they differ */
    json_decref(merged);
}

/* Windows near the beginning of a series have less in front of them, the first one nothing. */
static void warm_ups_may_differ(void **state)
{
    (void)state;
#define WARMED(warmup, model) "{\"window\": {\"warmup\": " warmup ", \"warmup_model\": \"" model "\", \"length\": 100}}"
    struct err err = {""};
    json_t *merged = merge(WARMED("0", "none"), WARMED("7", "embra"), &err);
    assert_non_null(merged);
    expect_json(json_object_get(merged, "window"), "{\n"
                                                   "  \"count\": 2,\n"
                                                   "  \"warmup\": 7,\n"
                                                   "  \"warmup_least\": 0,\n"
                                                   "  \"warmup_model\": \"embra\",\n"
                                                   "  \"length\": 100\n"
                                                   "}\n");
    json_decref(merged);
    assert_null(merge(WARMED("5", "mipsy"), WARMED("7", "embra"), &err));
    assert_string_equal(err.text, "window 0000: its warmup_model is not that of window 0001");
}

static void expect_estimate(const json_t *of, const char *name, double mean, double half)
{
    const json_t *estimate = json_object_get(of, name);
    assert_true(fabs(json_real_value(json_object_get(estimate, "mean")) - mean) < 1e-6);
    if (half < 0)
        assert_true(json_is_null(json_object_get(estimate, "half_width")));
    else
        assert_true(fabs(json_real_value(json_object_get(estimate, "half_width")) - half) < 1e-5);
}

/* Two windows of 100 instructions: t(0.95, 1) = 12.706205, so the half width is 12.706205 * |a - b| / 2. */
static void estimates_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    static const char *const names[] = {"0000", "0001"};
    const double t = 12.706205;
    struct err err = {""};
    json_t *windows[] = {parse(first), parse(second)};
    json_t *sample = window_sample(windows, 2, NULL, NULL, 0.95, &err);
    assert_non_null(sample);
    assert_int_equal(json_integer_value(json_object_get(sample, "windows")), 2);
    const json_t *total = json_object_get(sample, "total"), *user = json_object_get(sample, "user"),
                 *kernel = json_object_get(sample, "kernel");
    expect_estimate(total, "cpi", 1.65, t * 0.35); /* (200, 130) / 100: mean 1.65, difference 0.7 */
    expect_estimate(total, "insns", 1, 0);
    expect_estimate(total, "wait", 0.1, t * 0.1);                            /* 20, 0 */
    expect_estimate(json_object_get(total, "stall"), "l1i", 0.25, t * 0.15); /* 40, 10 */
    expect_estimate(json_object_get(total, "stall"), "l2d", 0.4, t * 0.2);   /* 60, 20 */
    expect_estimate(json_object_get(user, "stall"), "l1i", 0.2, t * 0.1);    /* 30, 10 */
    /* (100, 30) of (200, 130): residuals of 100 - 200 R = 700 / 33 and its negative, over the mean of 165 */
    expect_estimate(total, "stall_share", 130.0 / 330, t * 700 / 33 / 165);
    /* user: 280 / 180; residuals of 150 - 80 R = 25.5556 and its negative; s = 36.1410; over the mean of 90: 0.401567
     */
    expect_estimate(user, "cpi", 280.0 / 180, t * 0.401567 / 1.41421356);
    /* kernel: 50 / 20 in one window, nothing in the other: no residual */
    expect_estimate(kernel, "cpi", 2.5, 0);
    json_t *merged = window_merge(windows, names, 2, &err);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    window_print_sample(merged, sample, out);
    fclose(out);
    assert_non_null(strstr(text, "2 windows of 100 instructions, each after a warm-up of 7 by embra\n"));
    assert_non_null(
        strstr(text, "mean and 95 % confidence interval (Student's t, 1 degrees of freedom: 12.7062, corrected"));
    assert_non_null(strstr(text, "\nfewer than 40 windows: "));
    assert_non_null(strstr(text, "\nstall l2d "));
    assert_non_null(strstr(text, " 0.4000 +- 2.5412\n"));
    free(text);
    json_decref(merged);
    json_decref(sample);

    sample = window_sample(windows, 1, NULL, NULL, 0.95, &err);
    expect_estimate(json_object_get(sample, "total"), "cpi", 2, -1);
    json_decref(sample);
    json_decref(windows[0]);
    json_decref(windows[1]);
}

static void statistics_of_something_else_are_refused(void **state)
{
    (void)state;
    struct err err = {""};
    json_t *window = parse("{\"cpu0\": {\"cycles\": 1}}");
    assert_null(window_sample(&window, 1, NULL, NULL, 0.95, &err));
    assert_non_null(strstr(err.text, "no cpu0.mode"));
    json_decref(window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_summed_and_ratios_formed_anew),
        cmocka_unit_test(one_window_stays_what_it_is),
        cmocka_unit_test(annotations_are_summed),
        cmocka_unit_test(what_does_not_fit_is_named),
        cmocka_unit_test(warm_ups_may_differ),
        cmocka_unit_test(estimates_are_those_worked_out_by_hand),
        cmocka_unit_test(statistics_of_something_else_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
