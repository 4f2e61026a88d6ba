/* Text in figures (src/report/gnuplot.c): line breaks and quoting. */
#include "src/report/gnuplot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void check(const char *text, unsigned room, const char *expected, unsigned lines)
{
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    assert_int_equal(gnuplot_put_lines(out, text, room), lines);
    fclose(out);
    assert_string_equal(written, expected);
    assert_int_equal(gnuplot_put_lines(NULL, text, room), lines);
    free(written);
}

static void lines_are_broken_between_pieces(void **state)
{
    (void)state;
    check("pmake-1996-static-K", 40, "\"pmake-1996-static-K\"", 1);
    check("pmake-1996-static-K", 11, "\"pmake-1996-\\nstatic-K\"", 2);
    check("pmake-1996-static-K", 10, "\"pmake-\\n1996-\\nstatic-K\"", 3);
    check("pmake-1996 L1-I", 6, "\"pmake-\\n1996 \\nL1-I\"", 3);
    check("1994", 4, "\"1994\"", 1);
    check("", 4, "\"\"", 1);
}

static void a_long_piece_is_broken_anywhere(void **state)
{
    (void)state;
    check("abcdefgh", 3, "\"abc\\ndef\\ngh\"", 3);
    check("abcdefgh", 0, "\"a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\"", 8);
    check("\xc3\xa4\xc3\xb6\xc3\xbc", 2, "\"\xc3\xa4\xc3\xb6\\n\xc3\xbc\"", 2); /* not within a UTF-8 character */
}

static void nothing_ends_the_string(void **state)
{
    (void)state;
    check("a\"b\\c`d\ne", 40, "\"a_b_c_d?e\"", 1);
    check("]>]]>]]", 40, "\"]>]]_]]\"", 1); /* the end of a section in XML */
    check("100%", 40, "\"100%\"", 1);
}

static void the_longest_piece(void **state)
{
    (void)state;
    assert_int_equal(gnuplot_longest_word("pmake-1996-static-K"), 7);
    assert_int_equal(gnuplot_longest_word("1994"), 4);
    assert_int_equal(gnuplot_longest_word(""), 0);
    assert_int_equal(gnuplot_longest_word("\xc3\xa4\xc3\xb6\xc3\xbc"), 3);
    assert_int_equal(gnuplot_longest_word("a_file_thatisofoneworduptoitsveryendwhichislong"), GNUPLOT_PIECE);
}

static void lines_come_one_by_one(void **state)
{
    static const char *const expected[] = {"\"pmake-\"", "\"1996-\"", "\"static-K\"", "\"\""};
    (void)state;
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char *written = NULL;
        size_t size;
        FILE *out = open_memstream(&written, &size);
        assert_non_null(out);
        gnuplot_put_line(out, "pmake-1996-static-K", 10, i);
        fclose(out);
        assert_string_equal(written, expected[i]);
        free(written);
    }
}

/* Adjacent parts of a bar have different colours. */
static void neighbouring_parts_differ(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 40; i++)
        assert_string_not_equal(gnuplot_colour("a", i), gnuplot_colour("b", i + 1));
}

/* Modes, stalls and classes have their colours wherever they stand, and no other part has one of these. */
static void a_thing_has_one_colour(void **state)
{
    (void)state;
    static const char *const named[] = {"user", "kernel", "idle", "L1-I", "L2-D", "KERN-other", "USER-cold", "upgrade"};
    for (unsigned i = 0; i < sizeof named / sizeof named[0]; i++) {
        assert_string_equal(gnuplot_colour(named[i], 0), gnuplot_colour(named[i], 7));
        for (unsigned other = 0; other < 40; other++)
            assert_string_not_equal(gnuplot_colour(named[i], 0), gnuplot_colour("another", other));
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(gnuplot_colour(named[i], 0), gnuplot_colour(named[j], 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_broken_between_pieces), cmocka_unit_test(a_long_piece_is_broken_anywhere),
        cmocka_unit_test(nothing_ends_the_string),         cmocka_unit_test(the_longest_piece),
        cmocka_unit_test(lines_come_one_by_one),           cmocka_unit_test(neighbouring_parts_differ),
        cmocka_unit_test(a_thing_has_one_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
