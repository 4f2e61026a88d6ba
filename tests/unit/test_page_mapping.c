/* Page mapping: each policy's bins; frames stay one to one through random allocations; what is not free is not taken;
 * hints are read as they are written, and profiles count what lies between accesses. */
#include "cache/placement/layout_map.h"
#include "cache/placement/page_mapping.h"
#include "src/base/splitmix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

enum { BINS = 16, FRAMES = 1024, THREAD = 0x80802000, SPACE = 0x81000000 };

struct guest {
    struct layout_map *map;
    struct page_mapping *mapping;
    bool used[FRAMES];
    unsigned moves;
};

static void moved(void *opaque, uint32_t frame)
{
    struct guest *guest = opaque;
    assert_true(frame < FRAMES);
    guest->moves++;
}

static bool is_free(void *opaque, uint32_t frame)
{
    return !((struct guest *)opaque)->used[frame];
}

/* Page mapping beside LAYOUT, a value of cache.layout. */
static void begin_beside(struct guest *guest, const char *layout, enum page_mapping_policy policy, uint32_t reserved,
                         struct page_hints *hints, bool profiles)
{
    struct err err = {""};
    memset(guest, 0, sizeof *guest);
    if (!layout_map_create(&guest->map, layout, FRAMES * PAGE_SIZE, &err))
        fail_msg("%s", err.text);
    layout_map_add_pages(&guest->map);
    guest->mapping = page_mapping_create(guest->map, &(struct page_mapping_options){.policy = policy,
                                                                                    .bins = BINS,
                                                                                    .cache = {{BINS, false, true}},
                                                                                    .reserved = reserved,
                                                                                    .seed = 1,
                                                                                    .hints = hints,
                                                                                    .profiles = profiles});
    page_mapping_set_host(guest->mapping,
                          &(struct page_mapping_host){.moved = moved, .is_free = is_free, .opaque = guest});
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        page_mapping_freed(guest->mapping, frame);
}

static void begin_hinted(struct guest *guest, enum page_mapping_policy policy, uint32_t reserved,
                         struct page_hints *hints, bool profiles)
{
    begin_beside(guest, "", policy, reserved, hints, profiles);
}

static void begin(struct guest *guest, enum page_mapping_policy policy, uint32_t reserved)
{
    begin_hinted(guest, policy, reserved, NULL, false);
}

static void end(struct guest *guest)
{
    struct err err = {""};
    if (!page_mapping_check(guest->mapping, &err))
        fail_msg("%s", err.text);
    page_mapping_free(guest->mapping);
    layout_map_free(guest->map);
}

/* The guest's kernel takes FRAME; returns the bin in which the caches see it. */
static uint32_t allocate(struct guest *guest, uint32_t frame, bool for_program)
{
    page_mapping_asked(guest->mapping, THREAD, 0, for_program);
    guest->used[frame] = true;
    page_mapping_got(guest->mapping, THREAD, frame);
    assert_int_equal(layout_code(guest->map, frame << PAGE_SHIFT), layout_data(guest->map, frame << PAGE_SHIFT));
    return (layout_data(guest->map, frame << PAGE_SHIFT) >> PAGE_SHIFT) % BINS;
}

/* THREAD faults on PAGE of SPACE, a page of its heap, and the guest's kernel takes FRAME for it. */
static uint32_t allocate_hinted(struct guest *guest, uint32_t space, uint32_t page, uint32_t frame)
{
    const struct page_identity of = {.kind = PAGE_OF_HEAP, .process = "walk", .page = page};
    page_mapping_faulted(guest->mapping, THREAD, space, page, &of);
    return allocate(guest, frame, true);
}

static struct page_hints *read_hints(const char *text)
{
    struct page_hints *hints;
    struct err err = {""};
    if (!page_hints_read(&hints, text, &err))
        fail_msg("%s", err.text);
    return hints;
}

static void colouring_follows_addresses_and_files(void **state)
{
    struct guest guest;
    (void)state;
    begin(&guest, PAGE_MAPPING_COLOURING, 0);
    for (uint32_t page = 0; page < 40; page++) {
        page_mapping_faulted(guest.mapping, THREAD, SPACE, 0x400 + 3 * page, NULL);
        assert_int_equal(allocate(&guest, page * 7, true), 3 * page % BINS);
    }
    page_mapping_is_of_file(guest.mapping, 7, 1, 13);
    assert_int_equal(layout_data(guest.map, 7 << PAGE_SHIFT) / PAGE_SIZE % BINS, 13);
    assert_int_equal(allocate(&guest, 1000, false), 1000 % BINS);
    end(&guest);
}

static void hopping_takes_one_bin_after_the_other(void **state)
{
    struct guest guest;
    (void)state;
    begin(&guest, PAGE_MAPPING_BIN_HOPPING, 4);
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 0, NULL);
    uint32_t bin = allocate(&guest, 0, true);
    for (uint32_t frame = 1; frame < 30; frame++) {
        bin = bin + 1 < BINS ? bin + 1 : 4;
        assert_int_equal(allocate(&guest, frame, true), bin);
    }
    for (uint32_t frame = 500; frame < 510; frame++)
        assert_int_equal(allocate(&guest, frame, false), (frame - 500) % 4);
    end(&guest);
}

static void the_best_bin_has_fewest_pages_of_the_process(void **state)
{
    struct guest guest;
    uint32_t used[BINS] = {0};
    (void)state;
    begin(&guest, PAGE_MAPPING_BEST_BIN, 0);
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 0, NULL);
    for (uint32_t frame = 0; frame < 2 * BINS; frame++)
        used[allocate(&guest, frame * 16, true)]++;
    for (uint32_t bin = 0; bin < BINS; bin++)
        assert_int_equal(used[bin], 2);
    guest.used[16] = false;
    const uint32_t freed = layout_data(guest.map, 16 << PAGE_SHIFT) / PAGE_SIZE % BINS;
    page_mapping_freed(guest.mapping, 16);
    assert_int_equal(allocate(&guest, 900, true), freed);
    /* a process that ends leaves nothing to another one with its number */
    page_mapping_ended(guest.mapping, SPACE);
    memset(used, 0, sizeof used);
    for (uint32_t frame = 0; frame < BINS; frame++)
        used[allocate(&guest, 901 + frame, true)]++;
    for (uint32_t bin = 0; bin < BINS; bin++)
        assert_int_equal(used[bin], 1);
    end(&guest);
}

static void what_is_in_use_does_not_move(void **state)
{
    struct guest guest;
    (void)state;
    begin(&guest, PAGE_MAPPING_COLOURING, 0);
    /* all frames of bin 5 are taken, and nobody has seen it */
    for (uint32_t frame = 5; frame < FRAMES; frame += BINS)
        guest.used[frame] = true;
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 5, NULL);
    assert_int_equal(allocate(&guest, 0, true), 6);
    for (uint32_t frame = 5; frame < FRAMES; frame += BINS)
        assert_int_equal(layout_data(guest.map, frame << PAGE_SHIFT), frame << PAGE_SHIFT);
    assert_int_equal(guest.moves, 2);
    end(&guest);
}

static void what_a_layout_moves_is_not_placed(void **state)
{
    struct guest guest;
    uint64_t random = 3;
    (void)state;
    /* instructions of frames 3 and 4 change places, data of 9 and 11, and a doubleword of 20 */
    begin_beside(&guest,
                 "code 0x3010 0x4020 8\ncode 0x4020 0x3010 8\ndata 0x9000 0xb000 0x1000\ndata 0xb000 0x9000 0x1000\n"
                 "data 0x14000 0x14008 8\ndata 0x14008 0x14000 8",
                 PAGE_MAPPING_RANDOM, 3, NULL, true);
    for (unsigned i = 0; i < 20000; i++) {
        const uint32_t frame = splitmix_below(&random, FRAMES);
        const bool uses = !guest.used[frame];
        guest.used[frame] = uses;
        if (uses) {
            page_mapping_asked(guest.mapping, THREAD, 0, splitmix_below(&random, 4) > 0);
            page_mapping_got(guest.mapping, THREAD, frame);
            page_mapping_is_of_file(guest.mapping, frame, 3, i % 100);
        } else {
            page_mapping_freed(guest.mapping, frame);
        }
    }
    assert_true(guest.moves > 1000);
    assert_int_equal(layout_code(guest.map, 0x3014), 0x4024);
    assert_int_equal(layout_code(guest.map, 0x4000), 0x4000);
    assert_int_equal(layout_data(guest.map, 0x3014), 0x3014);
    assert_int_equal(layout_data(guest.map, 0xb008), 0x9008);
    assert_int_equal(layout_code(guest.map, 0xb008), 0xb008);
    assert_int_equal(layout_data(guest.map, 0x14000), 0x14008);
    assert_int_equal(layout_data(guest.map, 0x14ff0), 0x14ff0);
    end(&guest);
}

static struct page_hints *many_hints(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (unsigned i = 0; i < 200; i++)
        fprintf(out, "heap walk 0x%x 1000 data %u:%u:0 15:%u:3\nfile 3 0x%x 500 code %u:7:7 data 0:%u:%u\n", i, i % 15,
                i, 3 + i * 7 % 10, i, i % 16, i, i / 2);
    fclose(out);
    text[strlen(text) - 1] = '\0';
    struct page_hints *hints = read_hints(text);
    free(text);
    return hints;
}

static void random_allocations_stay_one_to_one(void **state)
{
    struct guest guest;
    uint64_t random = 7;
    (void)state;
    for (unsigned policy = PAGE_MAPPING_RANDOM; policy < PAGE_MAPPING_POLICY_COUNT; policy++) {
        const bool is_by_hints = page_mapping_policy_takes_hints((enum page_mapping_policy)policy);
        begin_hinted(&guest, (enum page_mapping_policy)policy, policy % 2 * 3, is_by_hints ? many_hints() : NULL,
                     policy % 3 == 0);
        for (unsigned i = 0; i < 20000; i++) {
            const uint32_t frame = splitmix_below(&random, FRAMES);
            if (guest.used[frame]) {
                guest.used[frame] = false;
                page_mapping_freed(guest.mapping, frame);
            } else {
                const struct page_identity of = {.kind = PAGE_OF_HEAP, .process = "walk", .page = i % 300};
                page_mapping_faulted(guest.mapping, THREAD, SPACE + splitmix_below(&random, 5), i, &of);
                allocate(&guest, frame, splitmix_below(&random, 4) > 0);
                if (i % 5 == 0)
                    page_mapping_is_of_file(guest.mapping, frame, 3, i % 100);
            }
        }
        assert_true(guest.moves > 1000);
        end(&guest);
    }
}

static void shading_keeps_hot_fragments_apart(void **state)
{
    struct guest guest;
    char text[64 * 2 * BINS] = "", *end_of_text = text;
    uint32_t hot[BINS][2] = {{0}};
    (void)state;
    for (unsigned page = 0; page < 2 * BINS; page++)
        end_of_text += sprintf(end_of_text, "heap walk 0x%x 1000 data %u:500:400 15:2:2\n", page, page % 2 * 8);
    begin_hinted(&guest, PAGE_MAPPING_SHADING, 0, read_hints(text), false);
    /* in an order that mixes the kinds, by two processes: pages of both count */
    for (unsigned i = 0, page = 0; i < 2 * BINS; i++, page = (page * 5 + 7) % (2 * BINS))
        hot[allocate_hinted(&guest, SPACE + i / 2 % 2, page, i * BINS)][page % 2]++;
    for (uint32_t bin = 0; bin < BINS; bin++) {
        assert_int_equal(hot[bin][0], 1);
        assert_int_equal(hot[bin][1], 1);
    }
    /* a page that leaves makes room for one of its kind, and an unknown one is no weight */
    guest.used[3 * BINS] = false;
    const uint32_t freed = layout_data(guest.map, (3 * BINS) << PAGE_SHIFT) / PAGE_SIZE % BINS;
    unsigned page = 0;
    for (unsigned i = 0; i < 3; i++)
        page = (page * 5 + 7) % (2 * BINS);
    page_mapping_freed(guest.mapping, 3 * BINS);
    allocate_hinted(&guest, SPACE, 1000, 700);
    assert_int_equal(allocate_hinted(&guest, SPACE, page, 701), freed);
    end(&guest);
}

static void shading_counts_pages_of_files(void **state)
{
    struct guest guest;
    (void)state;
    begin_hinted(&guest, PAGE_MAPPING_SHADING, 14,
                 read_hints("file 7 0x0 100 data 3:90:50\nfile 7 0x1 100 data 3:90:40\nheap walk 0x1 100 data 3:20:9"),
                 false);
    /* of the two bins that programs have, the process gets one, and a page in use has the other ... */
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 9, NULL);
    const uint32_t own = allocate(&guest, 0, true), other = 14 + 15 - own;
    const struct page_identity of = {.kind = PAGE_OF_FILE, .number = 7};
    guest.used[other] = true;
    page_mapping_used(guest.mapping, other, &of);
    page_mapping_begin(guest.mapping);
    /* ... and so the next page of this file, when it turns out to be that, has the first */
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 9, NULL);
    allocate(&guest, 31, true);
    page_mapping_is_of_file(guest.mapping, 31, 7, 1);
    assert_int_equal(layout_data(guest.map, 31 << PAGE_SHIFT) / PAGE_SIZE % BINS, own);
    /* both bins are as good for this page, by min(9, 50) and min(9, 40): the process has two pages in the first */
    assert_int_equal(allocate_hinted(&guest, SPACE, 1, 47), other);
    end(&guest);
}

static void numbering_spreads_the_hottest(void **state)
{
    struct guest guest;
    char text[64 * 3 * BINS] = "", *end_of_text = text;
    (void)state;
    /* three sets: pages with a number divisible by 3 are hottest, then those with remainder 1 */
    for (unsigned page = 0; page < 3 * BINS; page++)
        end_of_text +=
            sprintf(end_of_text, "heap walk 0x%x 10000 data 0:%u:1\n", page, 1000 - page % 3 * 100 - page / 3);
    begin_hinted(&guest, PAGE_MAPPING_NUMBERING, 0, read_hints(text), false);
    uint32_t bin[3 * BINS];
    for (unsigned page = 0; page < 3 * BINS; page++)
        bin[page] = allocate_hinted(&guest, SPACE, page, page * 5);
    for (unsigned i = 0; i < BINS; i++) {
        assert_int_equal(bin[3 * i], (bin[0] + i) % BINS);
        assert_int_equal(bin[3 * i + 1], bin[3 * (BINS - 1 - i)]);
        assert_int_equal(bin[3 * i + 2], bin[3 * i]);
    }
    /* another process with this name has the same sequence from another bin, drawn */
    const uint32_t first = allocate_hinted(&guest, SPACE + 1, 0, 600);
    assert_int_equal(allocate_hinted(&guest, SPACE + 1, 3, 601), (first + 1) % BINS);
    /* a page without a hint is for bin hopping */
    const uint32_t hop = allocate_hinted(&guest, SPACE, 5000, 602);
    assert_int_equal(allocate_hinted(&guest, SPACE, 5001, 603), (hop + 1) % BINS);
    end(&guest);
}

static void a_profile_counts_what_others_come_between(void **state)
{
    static const char wanted[] = "heap walk 0x5 8 data 0:1:1 15:3:2\nheap walk 0x6 3 data 1:1:1\n";
    struct guest guest;
    char *text = NULL;
    size_t size;
    (void)state;
    begin_hinted(&guest, PAGE_MAPPING_ARBITRARY, 0, NULL, true);
    assert_int_equal(allocate_hinted(&guest, SPACE, 5, 33), 33 % BINS);
    page_mapping_accessed(guest.mapping, 0, 33 << PAGE_SHIFT | 0xff0, PAGE_DATA);
    page_mapping_accessed(guest.mapping, 0, 33 << PAGE_SHIFT | 0xf00, PAGE_DATA);
    page_mapping_accessed(guest.mapping, 0, 40 << PAGE_SHIFT, PAGE_CODE);
    page_mapping_accessed(guest.mapping, 1, 33 << PAGE_SHIFT | 0x0ff, PAGE_DATA);
    page_mapping_accessed(guest.mapping, 0, 50 << PAGE_SHIFT, PAGE_DATA);
    page_mapping_accessed(guest.mapping, 0, 33 << PAGE_SHIFT | 0xf00, PAGE_DATA);
    /* a page of the same process is no turn */
    allocate_hinted(&guest, SPACE, 6, 34);
    page_mapping_accessed(guest.mapping, 0, 34 << PAGE_SHIFT | 0x100, PAGE_DATA);
    page_mapping_accessed(guest.mapping, 0, 33 << PAGE_SHIFT | 0xf00, PAGE_DATA);
    guest.used[33] = false;
    page_mapping_freed(guest.mapping, 33);
    page_mapping_accessed(guest.mapping, 0, 33 << PAGE_SHIFT, PAGE_DATA);
    FILE *out = open_memstream(&text, &size);
    page_hints_write(page_mapping_profile(guest.mapping), out);
    fclose(out);
    assert_string_equal(strstr(text, "heap"), wanted);
    free(text);
    assert_int_equal(guest.moves, 0);
    end(&guest);
}

static void hints_are_read_as_written(void **state)
{
    static const char text[] = "file 4294967295 0xfffff 1099511627775 code 0:1:0 15:1099511627775:1099511627775\n"
                               "copy a%20b%25%23 12 0x0 1 data 3:4:4\n"
                               "bss sh 0x1 7 code 1:2:1 data 1:3:0\n"
                               "heap 123456789abcdef 0x2 7 data 2:2:1\n"
                               "stack sh 0x3 7 data 2:2:1\n"
                               "mmap sh 0x4 7 data 2:2:1\n";
    char *written = NULL;
    size_t size;
    (void)state;
    struct page_hints *hints = read_hints(text);
    assert_int_equal(page_hints_count(hints), 6);
    FILE *out = open_memstream(&written, &size);
    page_hints_write(hints, out);
    fclose(out);
    assert_string_equal(strstr(written, "file 4"), text);
    struct page_hints *again = read_hints(written);
    assert_int_equal(page_hints_digest(again), page_hints_digest(hints));
    page_hints_free(again);
    page_hints_free(hints);
    free(written);
    assert_null(read_hints(""));
}

static void bad_hints_are_refused(void **state)
{
    static const struct {
        const char *line, *why;
    } bad[] = {
        {"page 1 0x1 1", "does not begin with a page"},
        {"file 0x1", "does not begin with a page"},
        {"file x 0x1 1", "does not begin with a page"},
        {"file 4294967296 0x1 1", "does not begin with a page"},
        {"heap sh 1 1", "does not begin with a page"},
        {"heap sh 0x1 0", "does not begin with a page"},
        {"heap sh 0x1", "does not begin with a page"},
        {"heap sh 0x100000000 1", "does not begin with a page"},
        {"heap 123456789abcdefg 0x1 1", "does not begin with a page"},
        {"heap a%2 0x1 1", "does not begin with a page"},
        {"heap a%00 0x1 1", "does not begin with a page"},
        {"heap sh 0x1 1099511627776", "does not begin with a page"},
        {"heap sh 0x1 1 0:1:1", "behind the page"},
        {"heap sh 0x1 1 data 16:1:1", "behind the page"},
        {"heap sh 0x1 1 data 1", "behind the page"},
        {"heap sh 0x1 1 data 1:1", "behind the page"},
        {"heap sh 0x1 1 data 1:1:2", "behind the page"},
        {"heap sh 0x1 1 data 1:1:1:1", "behind the page"},
        {"heap sh 0x1 1 data 1:1099511627776:1", "behind the page"},
        {"heap sh 0x1 1 data 1:1:1 code 1:1:1", "behind the page"},
        {"heap sh 0x1 1 data 1:-1:0", "behind the page"},
        {"heap sh 0x0 2 data 1:1:1", "comes twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[128];
        struct page_hints *hints;
        struct err err = {""};
        snprintf(text, sizeof text, "# hints\nheap sh 0x0 1 data 0:1:1\n%s # bad\n", bad[i].line);
        assert_false(page_hints_read(&hints, text, &err));
        assert_null(hints);
        if (strncmp(err.text, "page_mapping.hints:3: ", 22) != 0 || !strstr(err.text, bad[i].why))
            fail_msg("%s: %s", bad[i].line, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colouring_follows_addresses_and_files),
        cmocka_unit_test(hopping_takes_one_bin_after_the_other),
        cmocka_unit_test(the_best_bin_has_fewest_pages_of_the_process),
        cmocka_unit_test(what_is_in_use_does_not_move),
        cmocka_unit_test(what_a_layout_moves_is_not_placed),
        cmocka_unit_test(random_allocations_stay_one_to_one),
        cmocka_unit_test(shading_keeps_hot_fragments_apart),
        cmocka_unit_test(shading_counts_pages_of_files),
        cmocka_unit_test(numbering_spreads_the_hottest),
        cmocka_unit_test(a_profile_counts_what_others_come_between),
        cmocka_unit_test(hints_are_read_as_written),
        cmocka_unit_test(bad_hints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
