/* Pictures of machines: every described part is drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/machine/machine.h"
#include "src/description/machine_file.h"
#include "src/report/diagram.h"
#include "src/report/diagram_boxes.h"

/* The picture of machine NAME modified by the description TEXT; NULL with ERR. The caller frees it. */
static char *picture_of(const char *name, const char *text, struct err *err)
{
    struct machine_options options;
    char *picture = NULL, description[256];
    size_t size;
    machine_options_init(&options);
    snprintf(description, sizeof description, "like %s\n%s", name, text);
    if (!machine_file_apply_text(options.params, name, description, err))
        fail_msg("%s", err->text);
    FILE *out = open_memstream(&picture, &size);
    bool done = diagram_print(name, options.params, out, err);
    fclose(out);
    machine_options_release(&options);
    if (done)
        return picture;
    free(picture);
    return NULL;
}

static void check(const char *name, const char *text, const char *expected)
{
    struct err err = {""};
    char *picture = picture_of(name, text, &err);
    if (!picture)
        fail_msg("%s", err.text);
    assert_string_equal(picture, expected);
    free(picture);
}

static void two_levels(void **state)
{
    (void)state;
    check("1994", "",
          "machine 1994\n"
          "+-----------------------------------------------------------+\n"
          "| CPU  mipsy, 200MHz                                        |\n"
          "| TLB  32 entries of two pages, fully associative           |\n"
          "+-----------------------------------------------------------+\n"
          "              |                              |\n"
          "+----------------------------+ +----------------------------+\n"
          "| L1-I  16K                  | | L1-D  16K                  |\n"
          "| 2-way, LRU, 16-byte lines  | | 2-way, LRU, 16-byte lines  |\n"
          "| physically indexed         | | physically indexed         |\n"
          "|                            | | write-back, write-allocate |\n"
          "+----------------------------+ +----------------------------+\n"
          "              |                              |\n"
          "+-----------------------------------------------------------+\n"
          "| L2  1M                                                    |\n"
          "| direct-mapped, 128-byte lines                             |\n"
          "| physically indexed                                        |\n"
          "| write-back, write-allocate                                |\n"
          "| inclusive of the level above                              |\n"
          "| stall of a hit: 50ns, 10 cycles                           |\n"
          "+-----------------------------------------------------------+\n"
          "                              |\n"
          "+-----------------------------------------------------------+\n"
          "| Memory  128M                                              |\n"
          "| stall of a miss: 500ns, 100 cycles                        |\n"
          "+-----------------------------------------------------------+\n");
}

/* Several CPUs, write-through, three levels, write buffers, bus, banks. */
static void everything_there_is(void **state)
{
    (void)state;
    check("xia-torrellas", "",
          "machine xia-torrellas\n"
          "+-----------------------------------------------------------------------------+\n"
          "| 4 CPUs  mipsy, 500MHz; each with caches of its own                          |\n"
          "| TLB  32 entries of two pages, fully associative                             |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                   |                                       |\n"
          "+-------------------------------------+ +-------------------------------------+\n"
          "| L1-I  8K                            | | L1-D  8K                            |\n"
          "| direct-mapped, 32-byte lines        | | direct-mapped, 32-byte lines        |\n"
          "| physically indexed                  | | physically indexed                  |\n"
          "|                                     | | write-through, no write-allocate    |\n"
          "+-------------------------------------+ +-------------------------------------+\n"
          "                   |                                       |\n"
          "                   |                    +-------------------------------------+\n"
          "                   |                    | write buffer  8 entries of 32 bytes |\n"
          "                   |                    | retires as fast as the next level   |\n"
          "                   |                    | reads pass; writes merge            |\n"
          "                   |                    +-------------------------------------+\n"
          "                   |                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| L2  128K                                                                    |\n"
          "| 4-way, LRU, 32-byte lines                                                   |\n"
          "| physically indexed                                                          |\n"
          "| write-back, write-allocate                                                  |\n"
          "| inclusive of the level above                                                |\n"
          "| stall of a hit: 10ns, 5 cycles                                              |\n"
          "| busy with a write: 12ns, 6 cycles                                           |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| write buffer  8 entries of 32 bytes                                         |\n"
          "| retires as fast as the next level                                           |\n"
          "| reads pass; writes merge                                                    |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| L3  2M                                                                      |\n"
          "| direct-mapped, 32-byte lines                                                |\n"
          "| physically indexed                                                          |\n"
          "| write-back, write-allocate                                                  |\n"
          "| inclusive of the level above                                                |\n"
          "| stall of a hit: 66ns, 33 cycles                                             |\n"
          "| busy with a write: 36ns, 18 cycles                                          |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| write buffer  8 entries of 32 bytes                                         |\n"
          "| retires as fast as the next level                                           |\n"
          "| reads pass; writes merge                                                    |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| Bus  100MHz, 8 bytes wide                                                   |\n"
          "| split transactions                                                          |\n"
          "| arbitration 1 bus cycle, address 1 bus cycle                                |\n"
          "| a CPU's request comes after 36ns, 18 cycles                                 |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| Memory  128M                                                                |\n"
          "| stall of a miss: 214ns, 107 cycles                                          |\n"
          "| first datum after 60ns, 30 cycles                                           |\n"
          "| 1 bank                                                                      |\n"
          "| coherence between CPUs: invalidation, 4 states (MESI, Illinois)             |\n"
          "+-----------------------------------------------------------------------------+\n");
}

/* A unified first level is one box; virtual indexing and hashing are shown. */
static void one_unified_cache(void **state)
{
    (void)state;
    check("hp-712", "",
          "machine hp-712\n"
          "+-------------------------------------------------+\n"
          "| CPU  mipsy, 80MHz                               |\n"
          "| TLB  32 entries of two pages, fully associative |\n"
          "+-------------------------------------------------+\n"
          "                         |\n"
          "+-------------------------------------------------+\n"
          "| L1  256K                                        |\n"
          "| direct-mapped, 32-byte lines                    |\n"
          "| virtually indexed, hashed                       |\n"
          "| write-back, write-allocate                      |\n"
          "+-------------------------------------------------+\n"
          "                         |\n"
          "+-------------------------------------------------+\n"
          "| write buffer  1 entry of 32 bytes               |\n"
          "| retires one in 27 cycles                        |\n"
          "| reads wait for all writes                       |\n"
          "+-------------------------------------------------+\n"
          "                         |\n"
          "+-------------------------------------------------+\n"
          "| Memory  128M                                    |\n"
          "| stall of a miss: 287ns, 23 cycles               |\n"
          "+-------------------------------------------------+\n");
}

static void a_write_buffer_is_on_the_data_side_of_a_split_level(void **state)
{
    (void)state;
    check("decstation-3100", "",
          "machine decstation-3100\n"
          "+-----------------------------------------------------------------------------+\n"
          "| CPU  mipsy, 16MHz                                                           |\n"
          "| TLB  64 entries of a page, fully associative                                |\n"
          "+-----------------------------------------------------------------------------+\n"
          "                   |                                       |\n"
          "+-------------------------------------+ +-------------------------------------+\n"
          "| L1-I  64K                           | | L1-D  64K                           |\n"
          "| direct-mapped, 4-byte lines         | | direct-mapped, 4-byte lines         |\n"
          "| physically indexed                  | | physically indexed                  |\n"
          "|                                     | | write-through, write-validate       |\n"
          "+-------------------------------------+ +-------------------------------------+\n"
          "                   |                                       |\n"
          "                   |                    +-------------------------------------+\n"
          "                   |                    | write buffer  4 entries of 4 bytes  |\n"
          "                   |                    | retires one in 5 cycles             |\n"
          "                   |                    | reads wait for writes to their line |\n"
          "                   |                    +-------------------------------------+\n"
          "                   |                                       |\n"
          "+-----------------------------------------------------------------------------+\n"
          "| Memory  24M                                                                 |\n"
          "| stall of a miss: 312ns, 5 cycles                                            |\n"
          "+-----------------------------------------------------------------------------+\n");
}

static void no_caches(void **state)
{
    (void)state;
    check("1994", "cache -model none",
          "machine 1994\n"
          "+-------------------------------------------------+\n"
          "| CPU  mipsy, 200MHz                              |\n"
          "| TLB  32 entries of two pages, fully associative |\n"
          "+-------------------------------------------------+\n"
          "                         |\n"
          "+-------------------------------------------------+\n"
          "| Memory  128M                                    |\n"
          "| no access takes time                            |\n"
          "+-------------------------------------------------+\n");
}

/* Each of these settings adds a line to the picture. */
static void what_is_not_the_default_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"cache l2 -ways 4 -replacement random", "4-way, random, 128-byte lines"},
        {"cache l2 -ways 4 -replacement plru", "4-way, pseudo-LRU, 128-byte lines"},
        {"cache l2 -split on", "L2-I  1M"},
        {"cache l2 -split on\ncache l2i -inclusive off", "not inclusive of the level above"},
        {"cache l2 -inclusive off", "not inclusive of the level above"},
        {"cache l1d -write through -write_allocate on", "write-through, write-allocate"},
        {"machine -cpus 2", "coherence between CPUs: invalidation, 3 states"},
        {"machine -cpus 2\ncache -protocol mesi", "4 states (MESI, Illinois)"},
        {"machine -cpus 2\ncache -protocol firefly", "update (Firefly)"},
        {"machine -cpus 2\ncache -update_pages 0x1000-0x1fff", "update (Firefly) in pages 0x1000-0x1fff"},
        {"memory -upgrade_time 100ns", "stall of a store to a shared line: 100ns, 20 cycles"},
        {"memory -intervention_time 600ns", "stall of a miss served by another CPU's cache: 600ns, 120 cycles"},
        {"memory -uncached_latency 700ns", "stall of an uncached access: 700ns, 140 cycles"},
        {"memory -contention on\nbus -model atomic", "one transaction at a time"},
        {"memory -contention on\nbus -multiplexed on", "address and data on the same wires"},
        {"memory -contention on\ndram -banks 4", "4 banks"},
        {"cache l2 write_buffer -depth 1 -retire 1 -reads drain -merge on", "reads wait for all writes; writes merge"},
        {"cache l2 write_buffer -depth 1 -retire 1 -reads drain -merge on", "retires one in 1 cycle "},
        {"cache l2 write_buffer -depth 1 -retire 1 -reads drain -merge on", "reads wait for all writes"},
    };
    struct err err = {""};
    char *plain = picture_of("1994", "", &err);
    assert_non_null(plain);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *picture = picture_of("1994", cases[i].text, &err);
        if (!picture)
            fail_msg("%s: %s", cases[i].text, err.text);
        if (!strstr(picture, cases[i].line) || strstr(plain, cases[i].line))
            fail_msg("%s:\n%s", cases[i].text, picture);
        free(picture);
    }
    free(plain);
}

static void every_built_in_machine_has_one(void **state)
{
    (void)state;
    for (const struct machine_text *machine = machine_texts; machine->name; machine++) {
        struct err err = {""};
        char *picture = picture_of(machine->name, "", &err);
        if (!picture)
            fail_msg("%s", err.text);
        assert_non_null(strstr(picture, machine->name));
        free(picture);
    }
}

/* Invalid machines are not drawn: the message names the parameter. */
static void nonsense_is_refused(void **state)
{
    (void)state;
    struct err err = {""};
    assert_null(picture_of("1994", "cache l1d -size 2M", &err));
    assert_non_null(strstr(err.text, "cache.l1d.size"));
}

static void long_lines_make_the_picture_wide(void **state)
{
    (void)state;
    struct picture picture = {0};
    char *text = NULL;
    size_t size;
    picture_box_add(picture_add_stage(&picture, false)->box, "123456789");
    struct picture_stage *stage = picture_add_stage(&picture, true);
    picture_box_add(&stage->box[0], "a");
    picture_box_add(&stage->box[0], "b");
    picture_box_add(&stage->box[1], "%s", "c");
    FILE *out = open_memstream(&text, &size);
    picture_draw(&picture, out);
    fclose(out);
    assert_string_equal(text, "+-----------+\n"
                              "| 123456789 |\n"
                              "+-----------+\n"
                              "  |      |\n"
                              "+----+ +----+\n"
                              "| a  | | c  |\n"
                              "| b  | |    |\n"
                              "+----+ +----+\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_levels),
        cmocka_unit_test(everything_there_is),
        cmocka_unit_test(one_unified_cache),
        cmocka_unit_test(a_write_buffer_is_on_the_data_side_of_a_split_level),
        cmocka_unit_test(no_caches),
        cmocka_unit_test(what_is_not_the_default_is_said),
        cmocka_unit_test(every_built_in_machine_has_one),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(long_lines_make_the_picture_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
