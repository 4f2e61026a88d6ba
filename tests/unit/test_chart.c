/* Charts (src/chart/chart.h): texts in lines, ticks and scales, and what is drawn of which numbers. What whole figures
 * show is checked by tests/python/test_charts.py. */
#include "src/chart/chart_sheet.h"
#include "src/measure/measures.h"
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Texts */

/* The lines that TEXT is broken into, joined by '|'; the room is that of CHARACTERS digits. */
static void check_lines(const char *text, unsigned characters, unsigned most, const char *expected)
{
    struct chart_lines lines;
    char joined[CHART_LINES * CHART_LINE] = "";
    const double width = characters * chart_text_width("0", 10);
    chart_break(&lines, text, width, 10, most);
    for (unsigned i = 0; i < lines.count; i++) {
        strcat(strcat(joined, i ? "|" : ""), lines.line[i]);
        assert_true(chart_text_width(lines.line[i], 10) <= width + chart_text_width(" ", 10));
    }
    assert_string_equal(joined, expected);
    assert_int_equal(lines.cut, strstr(expected, "…") != NULL);
}

static void lines_are_broken_between_pieces(void **state)
{
    (void)state;
    check_lines("555-7777-333333-9", 40, 3, "555-7777-333333-9");
    check_lines("555-7777-333333-9", 9, 3, "555-7777-|333333-9");
    check_lines("555-7777-333333-9", 8, 3, "555-|7777-|333333-9");
    check_lines("555-7777 333333", 6, 3, "555-|7777 |333333");
    check_lines("1994", 4, 1, "1994");
    check_lines("", 4, 2, "");
}

static void a_long_piece_is_broken_anywhere(void **state)
{
    (void)state;
    check_lines("12345678", 3, 3, "123|456|78");
    check_lines("\xc3\xa4\xc3\xb6\xc3\xbc", 4, 2, "\xc3\xa4\xc3\xb6|\xc3\xbc"); /* not within a UTF-8 character */
}

static void what_does_not_fit_is_cut(void **state)
{
    (void)state;
    check_lines("1234567890", 6, 1, "1234…");
    check_lines("555-7777-333333-9", 8, 2, "555-|7777-3…");
    char long_text[2000];
    struct chart_lines lines;
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    chart_break(&lines, long_text, 1e6, 10, 3); /* more than a line holds, whatever its width */
    assert_true(lines.cut);
    assert_true(strlen(lines.line[0]) < CHART_LINE);
}

static void the_longest_piece(void **state)
{
    (void)state;
    assert_true(fabs(chart_longest_piece("55-7777/3", 10) - chart_text_width("7777/", 10)) < 1e-9);
    assert_true(chart_longest_piece("", 10) == 0);
}

static void widths_are_those_of_the_letters(void **state)
{
    (void)state;
    assert_true(chart_text_width("W", 12) > chart_text_width("i", 12));
    assert_true(fabs(chart_text_width("Wi", 24) - 2 * chart_text_width("W", 12) - 2 * chart_text_width("i", 12)) <
                1e-9);
    assert_true(chart_text_width("\xff", 12) > 0); /* is shown as U+FFFD */
}

/* Scales */

static void check_ticks(enum chart_scale kind, double from, double to, const char *expected)
{
    struct ticks ticks;
    char joined[TICKS_MAX * 24] = "";
    const struct scale scale = {.kind = kind, .from = from, .to = to, .begin = 100, .length = -80};
    ticks_make(&ticks, &scale);
    for (unsigned i = 0; i < ticks.count; i++) {
        strcat(strcat(joined, i ? " " : ""), ticks.text[i]);
        const double at = scale_at(&scale, ticks.value[i]);
        assert_true(at <= 100.001 && at >= 19.999);
    }
    assert_string_equal(joined, expected);
}

static void ticks_are_round(void **state)
{
    (void)state;
    check_ticks(CHART_LINEAR, 0, 1, "0 0.2 0.4 0.6 0.8 1");
    check_ticks(CHART_LINEAR, 0, 0.0137, "0 0.005 0.01");
    check_ticks(CHART_LINEAR, 1.48, 1.97, "1.5 1.6 1.7 1.8 1.9");
    check_ticks(CHART_LINEAR, 0, 4200, "0 1000 2000 3000 4000");
    check_ticks(CHART_LINEAR, 5, 5, "");
    check_ticks(CHART_LOGARITHMIC, 0.2, 2.7, "0.2 0.5 1 2");
    check_ticks(CHART_LOGARITHMIC, 1, 1e5, "1 10 100 1000 10000 100000");
}

static void scales_are_linear_or_logarithmic(void **state)
{
    (void)state;
    const struct scale linear = {.from = 10, .to = 20, .begin = 5, .length = 100};
    const struct scale logarithmic = {.kind = CHART_LOGARITHMIC, .from = 1, .to = 100, .begin = 200, .length = -100};
    assert_true(fabs(scale_at(&linear, 12.5) - 30) < 1e-9);
    assert_true(fabs(scale_at(&logarithmic, 10) - 150) < 1e-9);
    assert_true(fabs(scale_at(&logarithmic, 100) - 100) < 1e-9);
}

/* Bars */

static char *drawn(const struct chart_bars *bars, enum chart_place place)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    chart_bars_draw(bars, place, out);
    fclose(out);
    return text;
}

/* COUNT bars of 1 and 3, called LABEL. */
static struct chart_bars *make_bars(unsigned count, const char *label)
{
    struct chart_bars *bars = chart_bars_create("title", "unit", CHART_UPRIGHT);
    chart_bars_add_part(bars, "first", "#111111");
    chart_bars_add_part(bars, "second", "#222222");
    for (unsigned i = 0; i < count; i++) {
        chart_bars_add(bars, label);
        chart_bars_set(bars, 0, 1, NULL);
        chart_bars_set(bars, 1, 3, "path");
    }
    return bars;
}

/* Where the first part with this COLOUR stands: x, y, width, height. The squares of the key have other attributes. */
static void find_part(const char *text, const char *colour, double at[4])
{
    for (const char *next = text; (next = strstr(next, "<rect x=")); next++) {
        char fill[16] = "";
        if (sscanf(next, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" fill=\"%7s\"", &at[0], &at[1], &at[2],
                   &at[3], fill) == 5 &&
            strcmp(fill, colour) == 0)
            return;
    }
    fail_msg("no part of the colour %s", colour);
}

static void lengths_are_those_of_the_numbers(void **state)
{
    double one[4], three[4];
    (void)state;
    struct chart_bars *bars = make_bars(2, "a");
    char *upright = drawn(bars, CHART_FILE);
    find_part(upright, "#111111", one);
    find_part(upright, "#222222", three);
    assert_true(fabs(three[3] - 3 * one[3]) < 0.05);         /* heights */
    assert_true(fabs(three[1] + three[3] - one[1]) < 0.011); /* one on top of the other */
    assert_true(three[0] == one[0] && three[2] == one[2]);
    free(upright);
    chart_bars_free(bars);
    bars = make_bars(60, "a");
    char *lying = drawn(bars, CHART_FILE);
    find_part(lying, "#111111", one);
    find_part(lying, "#222222", three);
    assert_true(fabs(three[2] - 3 * one[2]) < 0.05); /* widths: too many to stand */
    assert_true(fabs(one[0] + one[2] - three[0]) < 0.011);
    assert_true(three[1] == one[1] && three[3] == one[3]);
    free(lying);
    chart_bars_free(bars);
}

static void long_names_lie(void **state)
{
    double one[4], three[4];
    (void)state;
    struct chart_bars *bars = make_bars(9, "anameofoneword-ofmachine");
    char *text = drawn(bars, CHART_FILE);
    find_part(text, "#111111", one);
    find_part(text, "#222222", three);
    assert_true(three[1] == one[1]);
    free(text);
    chart_bars_free(bars);
}

static void a_file_and_a_part_of_a_page(void **state)
{
    (void)state;
    struct chart_bars *bars = make_bars(2, "<b>");
    char *file = drawn(bars, CHART_FILE), *page = drawn(bars, CHART_PAGE);
    assert_non_null(
        strstr(file, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    assert_non_null(strstr(file, "prefers-color-scheme: dark"));
    assert_non_null(strstr(file, "class=\"title\">title</text>"));
    assert_non_null(strstr(page, "<svg class=\"chart\" viewBox=\"0 0 620 "));
    assert_null(strstr(page, "<style"));
    assert_null(strstr(page, "http"));
    assert_non_null(strstr(page, " data-j=\"path\"><title>&lt;b&gt;, second: 3</title></rect>"));
    assert_null(strstr(page, "<b>"));
    free(file);
    free(page);
    chart_bars_free(bars);
}

static void only_numbers_above_zero_are_drawn(void **state)
{
    (void)state;
    struct chart_bars *bars = chart_bars_create("title", "unit", CHART_LYING);
    chart_bars_add_part(bars, "first", "#111111");
    chart_bars_add_part(bars, "second", "#222222");
    assert_true(chart_bars_are_empty(bars));
    chart_bars_add(bars, "a");
    chart_bars_set(bars, 0, NAN, NULL);
    chart_bars_set(bars, 1, -1, NULL);
    chart_bars_add(bars, "b");
    chart_bars_set(bars, 0, INFINITY, NULL);
    assert_true(chart_bars_are_empty(bars));
    char *text = drawn(bars, CHART_FILE);
    assert_null(strstr(text, "#111111"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    chart_bars_set(bars, 1, 2, NULL);
    chart_bars_set(bars, 1, 4, NULL); /* the first counts */
    assert_false(chart_bars_are_empty(bars));
    text = drawn(bars, CHART_FILE);
    assert_null(strstr(text, "first")); /* a part without length is in no key */
    assert_non_null(strstr(text, "<title>b, second: 2</title>"));
    free(text);
    chart_bars_free(bars);
}

/* Curves */

/* Points that are numbers from 0 on have round names as far as there is room, and one line. */
static void points_have_names_where_they_fit(void **state)
{
    enum { POINTS = 64 };
    const char *x[POINTS], *label = "line", *colour = "#111111";
    char names[POINTS][8], *text = NULL;
    double y[POINTS];
    size_t size;
    (void)state;
    for (unsigned i = 0; i < POINTS; i++) {
        snprintf(names[i], sizeof names[i], "%u", 1000 + i);
        x[i] = names[i];
        y[i] = i + 1;
    }
    const struct chart_curves curves = {.title = "",
                                        .x_axis = "",
                                        .y_axis = "",
                                        .lines = 1,
                                        .count = POINTS,
                                        .x = x,
                                        .label = &label,
                                        .colour = &colour,
                                        .y = y};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    chart_curves_draw(&curves, CHART_FILE, out);
    fclose(out);
    for (unsigned i = 0; i < POINTS; i++) {
        char shown[544];
        snprintf(shown, sizeof shown, ">%s</text>", names[i]);
        assert_true((strstr(text, shown) != NULL) == (i % 5 == 0));
    }
    free(text);
}

/* Colours */

/* Parts that stand beside each other have different colours, and names keep theirs. */
static void colours_differ(void **state)
{
    static const char *const parts[] = {
        "user",        "kernel",    "idle",       "sync",         "execute",        "l1i",
        "l2i",         "l1d",       "l2d",        "upgrade",      "uncached",       "write_buffer",
        "USER-self",   "USER-cold", "USER-other", "KERN-self",    "KERN-other",     "KERN-cold",
        "invalidated", "capacity",  "cold",       "user stalled", "kernel stalled", "other"};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_string_not_equal(measure_colour(parts[i]), measure_colour("none of the catalogue"));
        for (size_t j = 0; j < i; j++) { /* a mode and what it does to itself are of one colour */
            const bool same = (strncmp(parts[i], "USER-self", 9) == 0 && strcmp(parts[j], "user") == 0) ||
                              (strncmp(parts[i], "KERN-self", 9) == 0 && strcmp(parts[j], "kernel") == 0);
            if (!same)
                assert_string_not_equal(measure_colour(parts[i]), measure_colour(parts[j]));
        }
    }
    for (unsigned i = 0; i < 12; i++)
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(measure_fill_colour(i), measure_fill_colour(j));
            if (i < 8)
                assert_string_not_equal(measure_line_colour(i), measure_line_colour(j));
        }
    assert_string_equal(measure_colour("upgrades"), measure_colour("upgrade"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_broken_between_pieces),
        cmocka_unit_test(a_long_piece_is_broken_anywhere),
        cmocka_unit_test(what_does_not_fit_is_cut),
        cmocka_unit_test(the_longest_piece),
        cmocka_unit_test(widths_are_those_of_the_letters),
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(scales_are_linear_or_logarithmic),
        cmocka_unit_test(lengths_are_those_of_the_numbers),
        cmocka_unit_test(long_names_lie),
        cmocka_unit_test(a_file_and_a_part_of_a_page),
        cmocka_unit_test(only_numbers_above_zero_are_drawn),
        cmocka_unit_test(points_have_names_where_they_fit),
        cmocka_unit_test(colours_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
