/* Untrusted JSON (src/base/json_file.h; RFC 8259): an object is read, anything else is rejected with a message. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/json_file.h"

static json_t *parse(const char *text, size_t length, struct err *err)
{
    *err = (struct err){""};
    return json_file_parse("statistics file", "x.json", text, length, err);
}

static void members_keep_their_order_and_numbers_their_value(void **state)
{
    (void)state;
    static const char text[] = "{\"z\": {\"b\": 9007199254740993, \"a\": 0.5}, \"m\": null, \"a\": \"t\\u00e9\"}\n";
    struct err err;
    json_t *root = parse(text, strlen(text), &err), *value;
    const char *key, *order[] = {"z", "m", "a"};
    unsigned at = 0;
    assert_non_null(root);
    json_object_foreach(root, key, value) assert_string_equal(key, order[at++]);
    assert_int_equal(at, 3);
    value = json_object_get(root, "z");
    /* exceeds the precision of a double */
    assert_true(json_integer_value(json_object_get(value, "b")) == 9007199254740993);
    assert_true(json_real_value(json_object_get(value, "a")) == 0.5);
    assert_string_equal(json_string_value(json_object_get(root, "a")), "t\xc3\xa9");
    json_decref(root);
}

static void anything_else_is_refused_with_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"", 0},
        {" ", 1},
        {"[1]", 3},
        {"3", 1},
        {"null", 4},
        {"{", 1},
        {"{\"a\":1", 6},
        {"{\"a\":1,}", 8},
        {"{\"a\":1} x", 9},
        {"{\"a\":1,\"a\":2}", 13},
        {"{\"a\":\0 1}", 9},
        {"{\"a\":\"\xff\"}", 9},
        {"{\"a\":1e999}", 11},
        {"{\"a\":99999999999999999999}", 26},
        {"{\"a\":NaN}", 9},
        {"\x7f"
         "ELF",
         4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err err;
        if (parse(rows[i].text, rows[i].length, &err))
            fail_msg("row %zu is taken", i);
        if (strncmp(err.text, "statistics file x.json: ", 24) != 0 || strchr(err.text, '\n'))
            fail_msg("row %zu: %s", i, err.text);
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH * 5);
    struct err err;
    assert_non_null(text);
    for (size_t i = 0; i < DEPTH; i++)
        memcpy(text + 5 * i, "{\"a\":", 5);
    assert_null(parse(text, DEPTH * 5, &err));
    assert_non_null(strstr(err.text, "depth"));
    free(text);
}

static void a_file_is_read_with_its_text(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-json.XXXXXX", *text = NULL;
    int fd = mkstemp(path);
    struct err err = {""};
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    fputs("{\"a\": [1,\n", out);
    for (int i = 0; i < 100000; i++)
        fputs("22, ", out);
    fputs("3]}\n", out);
    assert_int_equal(fclose(out), 0);
    json_t *root = json_file_read(INPUT_STATISTICS, path, &text, &err);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "a")), 100002);
    assert_int_equal(strlen(text), 10 + 400000 + 4);
    json_decref(root);
    free(text);
    assert_int_equal(truncate(path, 300000), 0);
    text = NULL;
    assert_null(json_file_read(INPUT_STATISTICS, path, &text, &err));
    assert_null(text);
    assert_non_null(strstr(err.text, path));
    unlink(path);
    err = (struct err){""};
    assert_null(json_file_read(INPUT_STATISTICS, path, NULL, &err));
    assert_non_null(strstr(err.text, "No such file"));
    err = (struct err){""};
    assert_null(json_file_read(INPUT_STATISTICS, "/", NULL, &err));
    assert_non_null(strstr(err.text, "not a regular file but a directory"));
}

/* Values that need 45 times the memory of their text are refused when they have taken what its length allows. */
static void memory_is_bounded(void **state)
{
    (void)state;
    enum { LENGTH = 24 << 20 };
    struct err err = {""};
    char *text = malloc(LENGTH);
    memcpy(text, "{\"a\":[", 6);
    for (size_t i = 6; i < LENGTH; i++)
        text[i] = "[],"[i % 3];
    memcpy(text + LENGTH - 3, "]}", 2);
    assert_null(json_file_parse("statistics file", "x.json", text, LENGTH, &err));
    assert_string_equal(err.text,
                        "statistics file x.json: its values need more than 320 MB of memory, the limit for its "
                        "length");
    free(text);
    err = (struct err){""};
    json_t *root =
        json_file_parse("statistics file", "x.json", "{\"a\": 1}", 8, &err); /* what is refused leaves nothing */
    assert_non_null(root);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_keep_their_order_and_numbers_their_value),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(anything_else_is_refused_with_a_line),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(a_file_is_read_with_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
