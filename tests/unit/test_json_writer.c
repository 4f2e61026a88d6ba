/* JSON output (src/base/json_writer.h; RFC 8259). */

#include "tests/unit/test.h"

#include "src/base/json_writer.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What WRITE writes; the caller frees it. */
static char *written(void (*write)(struct json_writer *json))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct json_writer json = json_writer_to(out);
    write(&json);
    fclose(out);
    return text;
}

static void expect(void (*write)(struct json_writer *json), const char *expected)
{
    char *text = written(write);
    assert_string_equal(text, expected);
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(value);
    json_decref(value);
    free(text);
}

static void write_nested(struct json_writer *json)
{
    json_begin_object(json);
    json_member_count(json, "a", 9007199254740993);
    json_member_array(json, "b");
    json_end_array(json);
    json_member_array(json, "c");
    json_put_integer(json, -1);
    json_begin_object(json);
    json_end_object(json);
    json_put_bool(json, true);
    json_put_null(json);
    json_end_array(json);
    json_member_text(json, "d", NULL);
    json_end_object(json);
}

static void elements_are_separated_by_commas(void **state)
{
    (void)state;
    expect(write_nested, "{\"a\": 9007199254740993, \"b\": [], \"c\": [-1, {}, true, null], \"d\": null}");
}

static void write_lines(struct json_writer *json)
{
    json_begin_object(json);
    json_line(json, 2);
    json_member_object(json, "a");
    json_member_count(json, "b", 1);
    json_line(json, 4);
    json_member_count(json, "c", 2);
    json_line(json, 2);
    json_end_object(json);
    json_line(json, 2);
    json_key(json, "d");
    fputs("[3]", json_put_raw(json));
    json_line(json, 0);
    json_end_object(json);
}

static void an_element_or_a_bracket_begins_a_line(void **state)
{
    (void)state;
    expect(write_lines, "{\n  \"a\": {\"b\": 1,\n    \"c\": 2\n  },\n  \"d\": [3]\n}");
}

static void write_text(struct json_writer *json)
{
    json_put_text(json, "a\"b\\c\n\t\x01\x7f\xc3\xa9/");
}

static void write_bytes(struct json_writer *json)
{
    json_put_text(json, "\xff|\xc0\x80|\xed\xa0\x80|\xe2\x82");
}

static void texts_are_escaped(void **state)
{
    (void)state;
    expect(write_text, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xc3\xa9/\"");
    expect(write_bytes, "\"\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd\"");
}

static void write_keys(struct json_writer *json)
{
    json_begin_object(json);
    json_member_count(json, "\"}", 1);
    json_end_object(json);
}

static void keys_are_escaped(void **state)
{
    (void)state;
    expect(write_keys, "{\"\\\"}\": 1}");
}

static void write_doubles(struct json_writer *json)
{
    const double values[] = {100, -3, 0.1, 1e300, 1.0 / 3, 1e15, NAN, INFINITY, -INFINITY};
    json_begin_array(json);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        json_put_double(json, values[i]);
    json_put_rounded(json, "%.2f", 2.0 / 3);
    json_put_rounded(json, "%.2f", NAN);
    json_end_array(json);
}

static void doubles_are_shortest_and_finite(void **state)
{
    (void)state;
    expect(write_doubles, "[100, -3, 0.1, 1e+300, 0.3333333333333333, 1e+15, null, null, null, 0.67, null]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_separated_by_commas),
        cmocka_unit_test(an_element_or_a_bracket_begins_a_line),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(keys_are_escaped),
        cmocka_unit_test(doubles_are_shortest_and_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
