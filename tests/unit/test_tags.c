/* Tag arrays: lookup, true LRU order, victims, removal; for the general array and for the first-level one; and the
 * directory of holders. */
#include "cache/directory.h"
#include "cache/l1.h"
#include "cache/tags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000, E = 0x5000 };

/* One set of four ways with 4 KB lines: A..E all meet in it. */
static void one_set(struct tags *tags)
{
    tags_init(tags, 4 * 4096, 4096, 4);
}

static void new_array_is_empty(void **state)
{
    (void)state;
    struct tags tags;
    tags_init(&tags, 1024, 64, 2);
    assert_int_equal(tags_entries(&tags), 16);
    for (uint32_t entry = 0; entry < 16; entry++) {
        assert_int_equal(tags.tag[entry], TAGS_INVALID);
        assert_int_equal(tags.state[entry], 0);
    }
    assert_int_equal(tags_find(&tags, 0), TAGS_NOWHERE);
    tags_release(&tags);
}

static void address_selects_set(void **state)
{
    (void)state;
    struct tags tags;
    tags_init(&tags, 1024, 64, 2); /* 8 sets */
    assert_int_equal(tags_first(&tags, 0), 0);
    assert_int_equal(tags_first(&tags, 63), 0);
    assert_int_equal(tags_first(&tags, 64), 2);
    assert_int_equal(tags_first(&tags, 7 * 64), 14);
    assert_int_equal(tags_first(&tags, 8 * 64), 0);
    assert_int_equal(tags_first(&tags, 0xffffffff), 14);
    tags_release(&tags);
}

static void insertion_is_found_with_its_state(void **state)
{
    (void)state;
    struct tags tags;
    one_set(&tags);
    struct tags_victim victim = tags_insert(&tags, A, 7);
    assert_int_equal(victim.state, 0);
    uint32_t entry = tags_find(&tags, A);
    assert_int_not_equal(entry, TAGS_NOWHERE);
    assert_int_equal(tags.state[entry], 7);
    assert_int_equal(tags_find(&tags, B), TAGS_NOWHERE);
    tags_release(&tags);
}

static void victim_is_least_recently_used(void **state)
{
    (void)state;
    struct tags tags;
    one_set(&tags);
    tags_insert(&tags, A, 1);
    tags_insert(&tags, B, 2);
    tags_insert(&tags, C, 3);
    assert_int_equal(tags_insert(&tags, D, 4).state, 0);
    tags_touch(&tags, tags_find(&tags, A)); /* now B is the oldest */
    struct tags_victim victim = tags_insert(&tags, E, 5);
    assert_int_equal(victim.line, B);
    assert_int_equal(victim.state, 2);
    victim = tags_insert(&tags, B, 6);
    assert_int_equal(victim.line, C);
    assert_int_equal(victim.state, 3);
    tags_release(&tags);
}

static void find_does_not_change_order(void **state)
{
    (void)state;
    struct tags tags;
    tags_init(&tags, 2 * 4096, 4096, 2);
    tags_insert(&tags, A, 1);
    tags_insert(&tags, B, 1);
    tags_find(&tags, A);
    assert_int_equal(tags_insert(&tags, C, 1).line, A);
    tags_release(&tags);
}

static void removal_keeps_order_and_frees_the_way(void **state)
{
    (void)state;
    struct tags tags;
    one_set(&tags);
    tags_insert(&tags, A, 1);
    tags_insert(&tags, B, 1);
    tags_insert(&tags, C, 1);
    tags_insert(&tags, D, 1);
    tags_remove(&tags, tags_find(&tags, C));
    assert_int_equal(tags_find(&tags, C), TAGS_NOWHERE);
    assert_int_equal(tags_insert(&tags, E, 1).state, 0); /* into the free way */
    assert_int_equal(tags_insert(&tags, C, 1).line, A);
    assert_int_equal(tags_insert(&tags, A, 1).line, B);
    tags_release(&tags);
}

static void sets_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct tags tags;
    tags_init(&tags, 1024, 64, 2);
    tags_insert(&tags, 0x000, 1);
    tags_insert(&tags, 0x040, 2);
    tags_insert(&tags, 0x080, 3);
    tags_insert(&tags, 0x240, 4); /* set 1 is full */
    tags_insert(&tags, 0x440, 5);
    assert_int_equal(tags_find(&tags, 0x040), TAGS_NOWHERE);
    assert_int_equal(tags.state[tags_find(&tags, 0x000)], 1);
    assert_int_equal(tags.state[tags_find(&tags, 0x080)], 3);
    tags_release(&tags);
}

static void clear_empties(void **state)
{
    (void)state;
    struct tags tags;
    one_set(&tags);
    tags_insert(&tags, A, 1);
    tags_clear(&tags);
    assert_int_equal(tags_find(&tags, A), TAGS_NOWHERE);
    assert_int_equal(tags_insert(&tags, B, 1).state, 0);
    tags_release(&tags);
}

/* First level: one set of WAYS. */
static bool l1_read_hit(struct l1_cache *l1, paddr address)
{
    uint32_t entry = l1_find(l1, address & l1->line_mask);
    if (entry == L1_NOWHERE)
        return false;
    l1_touch(l1, entry);
    return true;
}

static bool l1_write_hit(struct l1_cache *l1, paddr address)
{
    uint32_t entry = l1_find(l1, address & l1->line_mask);
    return entry != L1_NOWHERE && l1->write_tag[entry] == l1->tag[entry] && l1_read_hit(l1, address);
}

static void l1_one_set(struct l1_cache *l1, uint32_t ways)
{
    l1_init(l1, ways * 16, 16, ways);
}

static void l1_index_agrees_with_geometry(void **state)
{
    (void)state;
    for (uint32_t line = 8; line <= 128; line *= 2) {
        for (uint32_t ways = 1; ways <= 8; ways *= 2) {
            struct l1_cache l1;
            l1_init(&l1, 16384, line, ways);
            uint32_t sets = 16384 / line / ways;
            static const paddr addresses[] = {0, 7, 8, 0x1234567, 0x7ffffff0, 0x80000000, 0xffffffff};
            for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
                assert_int_equal(l1_first(&l1, addresses[i]), addresses[i] / line % sets * ways);
            l1_release(&l1);
        }
    }
}

static void l1_empty_never_hits(void **state)
{
    (void)state;
    struct l1_cache l1;
    l1_one_set(&l1, 2);
    assert_false(l1_read_hit(&l1, 0));
    assert_false(l1_read_hit(&l1, 1)); /* L1_INVALID itself as an address */
    assert_false(l1_write_hit(&l1, 1));
    assert_false(l1_write_hit(&l1, 0xffffffff));
    l1_release(&l1);
}

static void l1_clean_line_hits_reads_only(void **state)
{
    (void)state;
    struct l1_cache l1;
    l1_one_set(&l1, 2);
    assert_false(l1_fill(&l1, A, false));
    assert_true(l1_read_hit(&l1, A + 15));
    assert_false(l1_read_hit(&l1, A + 16));
    assert_false(l1_write_hit(&l1, A));
    l1_release(&l1);
}

static void l1_dirty_line_hits_both(void **state)
{
    (void)state;
    struct l1_cache l1;
    l1_one_set(&l1, 2);
    l1_fill(&l1, A, true);
    assert_true(l1_read_hit(&l1, A));
    assert_true(l1_write_hit(&l1, A + 12));
    assert_int_equal(l1_clean(&l1, A), L1_DIRTY);
    assert_int_equal(l1_clean(&l1, A), L1_CLEAN);
    assert_int_equal(l1_clean(&l1, B), L1_ABSENT);
    assert_true(l1_read_hit(&l1, A));
    assert_false(l1_write_hit(&l1, A));
    l1_release(&l1);
}

static void l1_read_hit_makes_most_recent(void **state)
{
    (void)state;
    for (uint32_t ways = 2; ways <= 8; ways *= 2) {
        struct l1_cache l1;
        l1_one_set(&l1, ways);
        for (uint32_t i = 0; i < ways; i++)
            l1_fill(&l1, A + i * 0x1000, false);
        assert_true(l1_read_hit(&l1, A)); /* the oldest */
        l1_fill(&l1, 0x100000, false);    /* drives out the second oldest */
        assert_int_not_equal(l1_find(&l1, A), L1_NOWHERE);
        assert_int_equal(l1_find(&l1, B), L1_NOWHERE);
        l1_release(&l1);
    }
}

static void l1_write_hit_makes_most_recent(void **state)
{
    (void)state;
    struct l1_cache l1;
    l1_one_set(&l1, 2);
    l1_fill(&l1, A, true);
    l1_fill(&l1, B, false);
    assert_true(l1_write_hit(&l1, A));
    assert_false(l1_fill(&l1, C, false)); /* B leaves, clean */
    assert_int_equal(l1_find(&l1, B), L1_NOWHERE);
    assert_true(l1_write_hit(&l1, A)); /* the permission moved with the line */
    assert_true(l1_read_hit(&l1, C));
    assert_true(l1_fill(&l1, D, false)); /* A leaves, dirty */
    l1_release(&l1);
}

static void l1_touch_moves_one_line(void **state)
{
    (void)state;
    struct l1_cache l1;
    l1_one_set(&l1, 4);
    l1_fill(&l1, A, true);
    l1_fill(&l1, B, false);
    l1_fill(&l1, C, false);
    l1_fill(&l1, D, false);
    assert_int_equal(l1_touch(&l1, l1_find(&l1, B)), 0);
    static const uint32_t order[] = {B, D, C, A};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(l1.tag[i], order[i]);
    assert_int_equal(l1.write_tag[3], A);
    l1_release(&l1);
}

static void l1_removal_keeps_order(void **state)
{
    (void)state;
    struct l1_cache l1;
    l1_one_set(&l1, 4);
    l1_fill(&l1, A, true);
    l1_fill(&l1, B, false);
    l1_fill(&l1, C, false);
    l1_fill(&l1, D, false);
    assert_int_equal(l1_remove(&l1, C), L1_CLEAN);
    assert_int_equal(l1_remove(&l1, C), L1_ABSENT);
    static const uint32_t order[] = {D, B, A, L1_INVALID};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(l1.tag[i], order[i]);
    assert_int_equal(l1_remove(&l1, A), L1_DIRTY);
    assert_int_equal(l1.write_tag[2], L1_INVALID);
    l1_release(&l1);
}

static void directory_knows_holders(void **state)
{
    (void)state;
    struct directory directory;
    directory_init(&directory, 128);
    assert_int_equal(directory_holders(&directory, 0x12345680), 0);
    directory_add(&directory, 0x12345680, 0);
    directory_add(&directory, 0x12345680, 15);
    directory_add(&directory, 0xffffff80, 3);
    directory_add(&directory, 0x12345680, 15); /* again: no change */
    assert_int_equal(directory_holders(&directory, 0x12345680), 0x8001);
    assert_int_equal(directory_holders(&directory, 0x123456ff), 0x8001);
    assert_int_equal(directory_holders(&directory, 0x12345600), 0);
    assert_int_equal(directory_holders(&directory, 0x12345700), 0);
    assert_int_equal(directory_holders(&directory, 0xffffffff), 8);
    assert_int_equal(directory_population(&directory), 3);
    directory_remove(&directory, 0x12345680, 15);
    directory_remove(&directory, 0x55555500, 1); /* never there */
    assert_int_equal(directory_holders(&directory, 0x12345680), 1);
    directory_clear(&directory);
    assert_int_equal(directory_population(&directory), 0);
    assert_int_equal(directory_holders(&directory, 0x12345680), 0);
    directory_release(&directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_array_is_empty),
        cmocka_unit_test(address_selects_set),
        cmocka_unit_test(insertion_is_found_with_its_state),
        cmocka_unit_test(victim_is_least_recently_used),
        cmocka_unit_test(find_does_not_change_order),
        cmocka_unit_test(removal_keeps_order_and_frees_the_way),
        cmocka_unit_test(sets_do_not_disturb_each_other),
        cmocka_unit_test(clear_empties),
        cmocka_unit_test(l1_index_agrees_with_geometry),
        cmocka_unit_test(l1_empty_never_hits),
        cmocka_unit_test(l1_clean_line_hits_reads_only),
        cmocka_unit_test(l1_dirty_line_hits_both),
        cmocka_unit_test(l1_read_hit_makes_most_recent),
        cmocka_unit_test(l1_write_hit_makes_most_recent),
        cmocka_unit_test(l1_touch_moves_one_line),
        cmocka_unit_test(l1_removal_keeps_order),
        cmocka_unit_test(directory_knows_holders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
