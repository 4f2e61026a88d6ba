/* Text from outside, for terminals and tables (src/base/printable.h). */
#include <stdio.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/base/printable.h"

/* Every character of one and two bytes, and what a byte is alone. */
static void each_control_character_is_replaced(void **state)
{
    (void)state;
    for (unsigned character = 1; character < 0x800; character++) {
        char text[8] = "a", expected[8];
        if (character < 0x80)
            snprintf(text + 1, sizeof text - 1, "%cz", (char)character);
        else
            snprintf(text + 1, sizeof text - 1, "%c%cz", (char)(0xc0 | character >> 6),
                     (char)(0x80 | (character & 0x3f)));
        strcpy(expected, text);
        if (character < 0x20 || (character >= 0x7f && character < 0xa0))
            strcpy(expected, "a?z");
        printable_replace(text, '?');
        assert_string_equal(text, expected);
    }
    for (unsigned byte = 0x80; byte < 0x100; byte++) {
        char text[] = {'a', (char)byte, 'z', '\0'};
        printable_replace(text, ' ');
        assert_string_equal(text, "a z");
    }
}

static void longer_characters(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"\xe2\x82\xac \xf0\x9f\x90\xa7", "\xe2\x82\xac \xf0\x9f\x90\xa7"}, /* a euro, a penguin */
        {"a\xe2\x80\xa8z", "a?z"},                                          /* line separator */
        {"a\xe2\x80\xaez", "a?z"},                                          /* right to left */
        {"a\xe2\x81\xa9z", "a?z"},
        {"a\xe2\x80\xafz", "a\xe2\x80\xafz"},
        {"\xc0\x9b", "??"},      /* overlong */
        {"\xed\xa0\x80", "???"}, /* a surrogate */
        {"a\xe2\x82", "a??"},    /* truncated */
        {"\x1b]0;t\a\x9b", "?]0;t??"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        printable_replace(text, '?');
        assert_string_equal(text, rows[i][1]);
        assert_string_equal(PRINTABLE(rows[i][0]), rows[i][1]);
    }
}

static void lines_stay_where_a_text_has_lines(void **state)
{
    (void)state;
    char text[] = "one\ntwo\r\n\tthree\x1b[2J\n";
    printable_lines(text);
    assert_string_equal(text, "one\ntwo?\n?three?[2J\n");
    assert_string_equal(PRINTABLE("one\ntwo"), "one?two");
    assert_string_equal(PRINTABLE(NULL), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_control_character_is_replaced),
        cmocka_unit_test(longer_characters),
        cmocka_unit_test(lines_stay_where_a_text_has_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
