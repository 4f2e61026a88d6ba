/* Page mapping: each policy's bins; frames stay one to one through random allocations; what is not free is not taken.
 */
#include "cache/layout_map.h"
#include "cache/page_mapping.h"
#include "src/base/splitmix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

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

static void begin(struct guest *guest, enum page_mapping_policy policy, uint32_t reserved)
{
    memset(guest, 0, sizeof *guest);
    guest->map = layout_map_create_pages();
    guest->mapping = page_mapping_create(
        guest->map, &(struct page_mapping_options){.policy = policy, .bins = BINS, .reserved = reserved, .seed = 1});
    page_mapping_set_host(guest->mapping,
                          &(struct page_mapping_host){.moved = moved, .is_free = is_free, .opaque = guest});
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        page_mapping_freed(guest->mapping, frame);
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

static void colouring_follows_addresses_and_files(void **state)
{
    struct guest guest;
    (void)state;
    begin(&guest, PAGE_MAPPING_COLOURING, 0);
    for (uint32_t page = 0; page < 40; page++) {
        page_mapping_faulted(guest.mapping, THREAD, SPACE, 0x400 + 3 * page);
        assert_int_equal(allocate(&guest, page * 7, true), 3 * page % BINS);
    }
    page_mapping_is_of_file(guest.mapping, 7, 13);
    assert_int_equal(layout_data(guest.map, 7 << PAGE_SHIFT) / PAGE_SIZE % BINS, 13);
    assert_int_equal(allocate(&guest, 1000, false), 1000 % BINS);
    end(&guest);
}

static void hopping_takes_one_bin_after_the_other(void **state)
{
    struct guest guest;
    (void)state;
    begin(&guest, PAGE_MAPPING_BIN_HOPPING, 4);
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 0);
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
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 0);
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
    page_mapping_faulted(guest.mapping, THREAD, SPACE, 5);
    assert_int_equal(allocate(&guest, 0, true), 6);
    for (uint32_t frame = 5; frame < FRAMES; frame += BINS)
        assert_int_equal(layout_data(guest.map, frame << PAGE_SHIFT), frame << PAGE_SHIFT);
    assert_int_equal(guest.moves, 2);
    end(&guest);
}

static void random_allocations_stay_one_to_one(void **state)
{
    struct guest guest;
    uint64_t random = 7;
    (void)state;
    for (unsigned policy = PAGE_MAPPING_RANDOM; policy < PAGE_MAPPING_POLICY_COUNT; policy++) {
        begin(&guest, (enum page_mapping_policy)policy, policy % 2 * 3);
        for (unsigned i = 0; i < 20000; i++) {
            const uint32_t frame = splitmix_below(&random, FRAMES);
            if (guest.used[frame]) {
                guest.used[frame] = false;
                page_mapping_freed(guest.mapping, frame);
            } else {
                page_mapping_faulted(guest.mapping, THREAD, SPACE + splitmix_below(&random, 5), i);
                allocate(&guest, frame, splitmix_below(&random, 4) > 0);
            }
        }
        assert_true(guest.moves > 1000);
        end(&guest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colouring_follows_addresses_and_files),
        cmocka_unit_test(hopping_takes_one_bin_after_the_other),
        cmocka_unit_test(the_best_bin_has_fewest_pages_of_the_process),
        cmocka_unit_test(what_is_in_use_does_not_move),
        cmocka_unit_test(random_allocations_stay_one_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
