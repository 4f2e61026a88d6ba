/* The fully associative reference cache beside each modelled cache: its LRU order, reconstructed from last-use
 * times, must equal that of a list that is updated at every use (the basis of Hill and Smith's definition of
 * conflict misses). */
#include "cache/classify/classify_fa_cache.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

enum { LINE_SHIFT = 4 };

/* The reference list of lines, most recently used first. */
struct list {
    uint32_t line[4096];
    uint32_t count, capacity;
};

static uint32_t list_find(const struct list *list, uint32_t line)
{
    uint32_t i = 0;
    while (i < list->count && list->line[i] != line)
        i++;
    return i;
}

static bool list_remove(struct list *list, uint32_t line)
{
    uint32_t at = list_find(list, line);
    if (at == list->count)
        return false;
    memmove(list->line + at, list->line + at + 1, (list->count - at - 1) * sizeof *list->line);
    list->count--;
    return true;
}

/* Returns the evicted line. */
static uint32_t list_use(struct list *list, uint32_t line)
{
    uint32_t victim = FA_CACHE_NO_LINE;
    if (!list_remove(list, line) && list->count == list->capacity)
        victim = list->line[--list->count];
    memmove(list->line + 1, list->line, list->count * sizeof *list->line);
    list->line[0] = line;
    list->count++;
    return victim;
}

static void oldest_leaves(void **state)
{
    (void)state;
    struct fa_cache cache;
    fa_cache_init(&cache, 3, LINE_SHIFT);
    assert_int_equal(fa_cache_use(&cache, 10, 100), FA_CACHE_NO_LINE);
    assert_int_equal(fa_cache_use(&cache, 11, 101), FA_CACHE_NO_LINE);
    assert_int_equal(fa_cache_use(&cache, 12, 102), FA_CACHE_NO_LINE);
    assert_true(fa_cache_holds(&cache, 10));
    assert_int_equal(fa_cache_use(&cache, 13, 103), 10);
    assert_false(fa_cache_holds(&cache, 10));
    assert_int_equal(fa_cache_use(&cache, 11, 104), FA_CACHE_NO_LINE);
    assert_int_equal(fa_cache_use(&cache, 14, 105), 12);
    fa_cache_release(&cache);
}

static void unchecked_use_counts(void **state)
{
    (void)state;
    struct fa_cache cache;
    fa_cache_init(&cache, 3, LINE_SHIFT);
    for (uint32_t line = 0; line < 3; line++)
        fa_cache_use(&cache, line, 100 + line);
    cache.used[cache.entry_of[0]] = 1000; /* a use on the fast path */
    assert_int_equal(fa_cache_use(&cache, 3, 1001), 1);
    assert_int_equal(fa_cache_use(&cache, 4, 1002), 2);
    assert_int_equal(fa_cache_use(&cache, 5, 1003), 0);
    fa_cache_release(&cache);
}

static void removed_line_makes_room(void **state)
{
    (void)state;
    struct fa_cache cache;
    fa_cache_init(&cache, 3, LINE_SHIFT);
    for (uint32_t line = 0; line < 3; line++)
        fa_cache_use(&cache, line, 100 + line);
    fa_cache_remove(&cache, 1);
    fa_cache_remove(&cache, 77); /* absent: no effect */
    assert_false(fa_cache_holds(&cache, 1));
    assert_int_equal(fa_cache_use(&cache, 3, 103), FA_CACHE_NO_LINE);
    assert_int_equal(fa_cache_use(&cache, 4, 104), 0);
    assert_int_equal(fa_cache_use(&cache, 5, 105), 2);
    fa_cache_release(&cache);
}

static void cleared_is_empty(void **state)
{
    (void)state;
    struct fa_cache cache;
    fa_cache_init(&cache, 2, LINE_SHIFT);
    fa_cache_use(&cache, 1, 100);
    fa_cache_use(&cache, 2, 101);
    fa_cache_clear(&cache);
    assert_false(fa_cache_holds(&cache, 1));
    assert_int_equal(fa_cache_use(&cache, 3, 102), FA_CACHE_NO_LINE);
    assert_int_equal(fa_cache_use(&cache, 4, 103), FA_CACHE_NO_LINE);
    assert_int_equal(fa_cache_use(&cache, 5, 104), 3);
    fa_cache_release(&cache);
}

/* Times near the maximum, and steps larger than the queue's range. */
static void far_apart(void **state)
{
    (void)state;
    struct fa_cache cache;
    cycles end = UINT64_C(1) << 56;
    fa_cache_init(&cache, 2, LINE_SHIFT);
    fa_cache_use(&cache, 1, 1);
    fa_cache_use(&cache, 2, UINT64_C(1) << 40);
    assert_int_equal(fa_cache_use(&cache, 3, end - 3), 1);
    assert_int_equal(fa_cache_use(&cache, 4, end - 2), 2);
    assert_int_equal(fa_cache_use(&cache, 5, end - 1), 3);
    fa_cache_release(&cache);
}

/* Random streams with a hot region; most hits take the fast path; time steps vary. */
static void random_streams_agree(void **state)
{
    (void)state;
    static const uint32_t capacities[] = {1, 2, 7, 64, 1000};
    static const uint32_t steps[] = {1, 3, 50, 5000};
    uint32_t seed = 12345;
    for (size_t c = 0; c < sizeof capacities / sizeof *capacities; c++) {
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            struct fa_cache cache;
            struct list list = {.capacity = capacities[c]};
            cycles now = 1;
            fa_cache_init(&cache, capacities[c], LINE_SHIFT);
            for (unsigned i = 0; i < 60000; i++) {
                seed = seed * 1664525 + 1013904223;
                uint32_t random = seed >> 8;
                uint32_t span = random & 0x100000 ? capacities[c] / 2 + 1 : capacities[c] * 2;
                uint32_t line = random % span + (random & 0x200000 ? 100000 : 0);
                now += 1 + (random >> 4) % steps[s];
                if (random % 97 == 0) {
                    assert_int_equal(fa_cache_holds(&cache, line), list_remove(&list, line));
                    fa_cache_remove(&cache, line);
                } else if (fa_cache_holds(&cache, line) && random % 8 != 0) {
                    cache.used[cache.entry_of[line]] = now;
                    assert_int_equal(list_use(&list, line), FA_CACHE_NO_LINE);
                } else {
                    assert_int_equal(fa_cache_holds(&cache, line), list_find(&list, line) != list.count);
                    assert_int_equal(fa_cache_use(&cache, line, now), list_use(&list, line));
                }
                assert_int_equal(cache.lines, list.count);
            }
            fa_cache_release(&cache);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oldest_leaves),
        cmocka_unit_test(unchecked_use_counts),
        cmocka_unit_test(removed_line_makes_room),
        cmocka_unit_test(cleared_is_empty),
        cmocka_unit_test(far_apart),
        cmocka_unit_test(random_streams_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
