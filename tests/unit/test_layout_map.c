/* Layout maps: files that are refused and why; bijections, pages, lines and ranges against a table of every unit. */
#include "cache/placement/layout_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

enum { MEMORY = 16 << 20 };

static struct layout_map *map_of(const char *text)
{
    struct layout_map *map;
    struct err err = {""};
    if (!layout_map_create(&map, text, MEMORY, &err))
        fail_msg("%s", err.text);
    return map;
}

static void what_is_not_named_stays(void **state)
{
    (void)state;
    static const char *const still[] = {"", "# nothing\n\n", "code 0x1000 0x1000 0x1000\ndata 0x8 0x8 16\n"};
    for (size_t i = 0; i < sizeof still / sizeof still[0]; i++)
        assert_null(map_of(still[i]));
    assert_int_equal(layout_code(NULL, 0x1234), 0x1234);
    assert_int_equal(layout_data_together(NULL, 0x1234, 99), 99);
    struct layout_map *map = map_of("code 0x1000 0x1004 4 # two words change places\ncode 0x1004 0x1000 4");
    assert_int_equal(layout_code(map, 0x1000), 0x1004);
    assert_int_equal(layout_code(map, 0x1004), 0x1000);
    assert_int_equal(layout_code(map, 0x1008), 0x1008);
    assert_int_equal(layout_data(map, 0x1000), 0x1000);
    assert_true(layout_moves_code(map, 0x1ffc) && !layout_moves_data(map, 0x1ffc) && !layout_moves_code(map, 0x2000));
    assert_true(layout_moves_any_code(map) && !layout_moves_any_data(map));
    layout_map_free(map);
}

static void a_file_that_is_no_bijection_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"code 0x1000 0x2000 4", "from where none is moved"},
        {"code 0x1000 0x1004 4\ncode 0x1000 0x1000 4", "2: this address is moved twice"},
        {"code 0x1000 0x1004 4\ncode 0x1004 0x1004 4", "2: two addresses are moved here"},
        {"code 0x1000 0x1004 8", "from where none is moved"},
        {"data 0x1000 0x1008 8\ncode 0x1008 0x1000 8", "from where none is moved"},
        {"code 0x1002 0x1002 4", "multiples of 4"},
        {"data 0x1004 0x1004 8", "multiples of 8"},
        {"code 0xfffffffc 0xfffffffc 8", "behind the last address"},
        {"data 0x0 0x0 0x1000000\ndata 0x80000000 0x80000000 8", "2: more is moved than the machine's memory holds"},
        {"code 0x0 0x0 0xfffffffc", "1: more is moved than the machine's memory holds"},
        {"text 0x1000 0x1000 4", "is not \"code"},
        {"code 1000 0x1000 4", "is not \"code"},
        {"code 0x1000 0x1000 4 4", "is not \"code"},
        {"code 0x1000 0x1000 0", "is not \"code"},
        {"code 0x1000 0x1000", "is not \"code"},
        {"code0x1000 0x1000 4", "is not \"code"},
        {"code 0x1000 0x1000 99999999999999999999999", "is not \"code"},
        {"code 0x1000 0x1000 -4", "is not \"code"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct layout_map *map;
        struct err err = {""};
        if (layout_map_create(&map, wrong[i].text, MEMORY, &err))
            fail_msg("taken: %s", wrong[i].text);
        if (strstr(err.text, wrong[i].why) == NULL)
            fail_msg("%s: \"%s\" does not say \"%s\"", wrong[i].text, err.text, wrong[i].why);
    }
}

static void lines_and_ranges(void **state)
{
    (void)state;
    /* a page, a line of 32 bytes, and two doublewords of one line change places with others */
    struct layout_map *map = map_of("data 0x4000 0x8000 4096\ndata 0x8000 0x4000 4096\n"
                                    "data 0x10020 0x10060 32\ndata 0x10060 0x10020 32\n"
                                    "data 0x10100 0x20108 8\ndata 0x20108 0x10100 8\n"
                                    "code 0x4010 0x4030 16\ncode 0x4030 0x4010 16\n");
    assert_true(layout_keeps_line(map, 0x4abc, 4096) && layout_keeps_line(map, 0x10024, 32));
    assert_false(layout_keeps_line(map, 0x10024, 64));
    assert_false(layout_keeps_line(map, 0x10118, 32)); /* its neighbour has left */
    assert_false(layout_keeps_line(map, 0x20108, 16));
    assert_int_equal(layout_data_together(map, 0x3ff0, 100), 16);
    assert_int_equal(layout_data_together(map, 0x4000, 8192), 4096);
    assert_int_equal(layout_data_together(map, 0x10044, 1000), 0x1c);
    assert_int_equal(layout_data_together(map, 0xfffffff0, 16), 16);
    assert_true(layout_starts_line(map, 0x4010, 16) && layout_starts_line(map, 0x4020, 16));
    assert_false(layout_starts_line(map, 0x4014, 16));
    assert_true(layout_starts_line(map, 0x4010, 32) && layout_starts_line(map, 0x4000, 4096));
    assert_false(layout_starts_line(map, 0x4010, 4096));
    uint64_t page = 0x5000;
    assert_true(layout_next_page(map, &page));
    assert_int_equal(page, 0x8000);
    page = 0x21000;
    assert_false(layout_next_page(map, &page));
    layout_map_free(map);
}

static void shuffle(uint32_t *of, uint32_t count)
{
    for (uint32_t i = count - 1; i > 0; i--) {
        const uint32_t other = (uint32_t)rand() % (i + 1), was = of[i];
        of[i] = of[other];
        of[other] = was;
    }
}

enum { UNITS = 3 * 1024, BASE = 0x7000 };

/* Words of three pages in any order: every address has the place that the file gives it, and each place one address. */
static void any_bijection(void **state)
{
    (void)state;
    uint32_t to[UNITS];
    char *text = malloc(UNITS * 40);
    assert_non_null(text);
    srand(1);
    for (unsigned round = 0; round < 20; round++) {
        char *at = text;
        for (uint32_t i = 0; i < UNITS; i++)
            to[i] = i;
        shuffle(to, UNITS);
        for (uint32_t i = 0; i < UNITS; i++)
            at += sprintf(at, "code 0x%x 0x%x 4\n", BASE + 4 * i, BASE + 4 * to[i]);
        struct layout_map *map = map_of(text);
        for (uint32_t i = 0; i < UNITS; i++) {
            const paddr address = BASE + 4 * i;
            assert_int_equal(layout_code(map, address + 2), BASE + 4 * to[i] + 2);
            const bool starts = address % PAGE_SIZE == 0 || to[i] / 8 != to[i - 1] / 8;
            assert_int_equal(layout_starts_line(map, address, 32), starts);
        }
        layout_map_free(map);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_named_stays),
        cmocka_unit_test(a_file_that_is_no_bijection_is_refused),
        cmocka_unit_test(lines_and_ranges),
        cmocka_unit_test(any_bijection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
