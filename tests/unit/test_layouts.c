/* The parser of structure layouts (annotations/symbols/layouts.h): valid input, and errors with line numbers. */
#include "annotations/symbols/layouts.h"

#include "tests/unit/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char good[] = "# a remark with { and [ and $x\n"
                           "kernel 6.12.9-simos\n"
                           "\n"
                           "image_end 0x8118bd80\n"
                           "constant PGTY_slab 245\n"
                           "struct page 36 {\n"
                           "    {flags 0 4 u}\n"
                           "    {lru 4 8 list_head}\n"
                           "    {mem 256 336 module_memory[7]}\n"
                           "    {next 8 4 *page}\n"
                           "    {flexible 36 0 page[0]}\n"
                           "    {? 12 4 ?}\n"
                           "}\n"
                           "struct empty 0 {\n"
                           "}\n";

static void what_it_says_is_found(void **state)
{
    struct layouts layouts;
    struct err err = {""};
    (void)state;
    assert_true(layouts_read(&layouts, good, "kernel.layout", &err));
    assert_string_equal(layouts.release, "6.12.9-simos");
    assert_int_equal(layouts.image_end, 0x8118bd80);
    assert_int_equal(layouts_constant(&layouts, "PGTY_slab")->value, 245);
    assert_null(layouts_constant(&layouts, "PG_slab"));
    const struct layout *page = layouts_find(&layouts, "page");
    assert_non_null(page);
    assert_int_equal(page->size, 36);
    assert_int_equal(page->count, 6);
    assert_int_equal(layout_field(page, "mem")->offset, 256);
    assert_string_equal(layout_field(page, "mem")->kind, "module_memory[7]");
    assert_string_equal(layout_field(page, "next")->kind, "*page");
    assert_null(layout_field(page, "nothing"));
    assert_int_equal(layouts_find(&layouts, "empty")->count, 0);
    assert_null(layouts_find(&layouts, "pag"));
    layouts_free(&layouts);
}

static void the_newest_of_a_name_counts(void **state)
{
    struct layouts layouts, newer;
    struct err err = {""};
    (void)state;
    assert_true(layouts_read(&layouts, good, "a", &err));
    assert_true(layouts_read(&newer, "kernel b\nstruct page 40 {\n}\nconstant PGTY_slab 1\n", "b", &err));
    layouts_join(&layouts, &newer);
    assert_null(newer.first);
    assert_int_equal(layouts_find(&layouts, "page")->size, 40);
    assert_int_equal(layouts_constant(&layouts, "PGTY_slab")->value, 1);
    assert_non_null(layouts_find(&layouts, "empty"));
    layouts_free(&layouts);
}

/* TEXT is rejected with a message that names the file and LINE. */
static void check_refused(const char *text, unsigned line)
{
    struct layouts layouts;
    struct err err = {""};
    char where[64];
    snprintf(where, sizeof where, "some/kernel.layout, line %u: ", line);
    if (layouts_read(&layouts, text, "some/kernel.layout", &err))
        fail_msg("taken: %s", text);
    if (strncmp(err.text, where, strlen(where)) != 0 || strchr(err.text, '\n'))
        fail_msg("\"%s\" for: %s", err.text, text);
    assert_null(layouts.first);
    assert_null(layouts.constants);
}

static void what_is_not_like_that_is_refused(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
    } bad[] = {
        {"", 0},
        {"# only this\n", 1},
        {"struct page 36 {\n}\n", 1}, /* no release first */
        {"kernel\n", 1},
        {"kernel a b\n", 1},
        {"kernel a\nkernel b\n", 2},
        {"kernel a\nimage_end\n", 2},
        {"kernel a\nimage_end -1\n", 2},
        {"kernel a\nimage_end 0x123456789\n", 2},
        {"kernel a\nconstant X\n", 2},
        {"kernel a\nconstant X y\n", 2},
        {"kernel a\nconstant X 4294967296\n", 2},
        {"kernel a\nexec rm\n", 2}, /* no command is */
        {"kernel a\nstruct page [exec true] {\n}\n", 2},
        {"kernel a\nstruct page 36\n", 2},
        {"kernel a\nstruct page 36 {}\n", 2},
        {"kernel a\nstruct page 36 {\n", 2}, /* no end */
        {"kernel a\nstruct page 36 {\nstruct x 1 {\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4 u\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4 }\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    { flags 0 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    flags 0 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags -4 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 1048577 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 99999999999999999999 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0x 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4 u[}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4 u[4}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4 u[-4]}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {flags 0 4 u[4]x}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {fl\x01gs 0 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {$flags 0 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {a012345678901234567890123456789012345678901234567 0 4 u}\n}\n", 3},
        {"kernel a\nstruct page 36 {\n    {a 0 4 a012345678901234567890123456789012345678901234567}\n}\n", 3},
        {"kernel 01234567890123456789012345678901234567890123456789012345678901234\n", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_refused(bad[i].text, bad[i].line);
}

static void a_long_line_is_refused(void **state)
{
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 1);
    (void)state;
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    check_refused(text, 1);
    memcpy(text, "kernel a\n{", 10);
    check_refused(text, 2);
    free(text);
}

/* Every prefix of a valid text, and every text with one byte changed, is parsed or rejected. */
static void damage_is_no_harm(void **state)
{
    static const char bytes[] = "\n{}[]*? 0x-\t\x7f\xff";
    char text[sizeof good];
    struct layouts layouts;
    (void)state;
    for (size_t cut = 0; cut < sizeof good; cut++) {
        struct err err = {""};
        memcpy(text, good, sizeof good);
        text[cut] = '\0';
        if (layouts_read(&layouts, text, "cut", &err))
            layouts_free(&layouts);
        else
            assert_non_null(strstr(err.text, "cut, line "));
    }
    for (size_t at = 0; at + 1 < sizeof good; at++)
        for (const char *byte = bytes; *byte; byte++) {
            struct err err = {""};
            memcpy(text, good, sizeof good);
            text[at] = *byte;
            if (layouts_read(&layouts, text, "changed", &err))
                layouts_free(&layouts);
            else
                assert_non_null(strstr(err.text, "changed, line "));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_says_is_found),
        cmocka_unit_test(the_newest_of_a_name_counts),
        cmocka_unit_test(what_is_not_like_that_is_refused),
        cmocka_unit_test(a_long_line_is_refused),
        cmocka_unit_test(damage_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
