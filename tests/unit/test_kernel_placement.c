/* Placement of the kernel: which objects a symbol table has, which of two kernels are the same, and where each is seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/base/board.h"
#include "src/base/splitmix.h"
#include "src/guest/kernel_list.h"

enum { TEXT = 0x80100000, MOST = 400 };

/* A kernel under construction. */
struct table {
    struct symbol symbol[2 * MOST];
    char name[MOST][16];
    size_t count;
};

static void add(struct table *table, const char *name, vaddr address)
{
    table->symbol[table->count++] = (struct symbol){address, name, 0};
}

static struct kernel_objects objects_of(const struct symbols *symbols, bool data)
{
    struct kernel_objects objects;
    struct err err = {""};
    if (!kernel_objects_find(&objects, symbols, data, &err))
        fail_msg("%s", err.text);
    return objects;
}

static struct symbols *symbols_of(const struct table *table)
{
    return symbols_make(table->symbol, table->count);
}

/* A small kernel: functions, initialization, data, and what is not initialized; SHIFT moves all behind `open`. */
static struct symbols *small_kernel(uint32_t shift)
{
    const struct symbol list[] = {
        {TEXT, "_text", 0},
        {TEXT, "start", 1},
        {TEXT + 0x40, "read", 0},
        {TEXT + 0x60, "open", 0},
        {TEXT + 0xa0 + shift, "close", 0},
        {TEXT + 0x1000, "_etext", 0},
        {TEXT + 0x1000, "table", 1},
        {TEXT + 0x1012, "byte", 0},
        {TEXT + 0x1013, "other_byte", 0},
        {TEXT + 0x2000, "__init_begin", 0},
        {TEXT + 0x2010, "init", 0},
        {TEXT + 0x3000, "__init_end", 0},
        {TEXT + 0x3000, "counters", 1},
        {TEXT + 0x3100, "_end", 0},
    };
    return symbols_make(list, sizeof list / sizeof list[0]);
}

static void a_kernel_has_objects(void **state)
{
    (void)state;
    static const struct kernel_object expected[] = {
        {"start", 0x100000, 0x40, KERNEL_CODE},    {"read", 0x100040, 0x20, KERNEL_CODE},
        {"open", 0x100060, 0x40, KERNEL_CODE},     {"close", 0x1000a0, 0xf60, KERNEL_CODE},
        {"table", 0x101000, 0x10, KERNEL_DATA},    {"other_byte", 0x101010, 0xff0, KERNEL_DATA},
        {"counters", 0x103000, 0x100, KERNEL_BSS},
    };
    struct symbols *symbols = small_kernel(0);
    struct kernel_objects all = objects_of(symbols, true), code = objects_of(symbols, false);
    assert_int_equal(all.count, 7);
    assert_int_equal(code.count, 4);
    for (size_t i = 0; i < all.count; i++) {
        assert_string_equal(all.object[i].name, expected[i].name);
        assert_int_equal(all.object[i].at, expected[i].at);
        assert_int_equal(all.object[i].size, expected[i].size);
        assert_int_equal(all.object[i].section, expected[i].section);
    }
    kernel_objects_release(&all);
    kernel_objects_release(&code);
    symbols_free(symbols);
}

static void what_is_no_kernel_is_refused(void **state)
{
    (void)state;
    struct kernel_objects objects;
    struct err err = {""};
    assert_false(kernel_objects_find(&objects, NULL, false, &err));
    kernel_objects_release(&objects);
    static const struct symbol wrong[][2] = {
        {{TEXT, "_text", 0}, {TEXT + 4, "end", 0}},
        {{TEXT, "_text", 0}, {TEXT, "_etext", 0}},
        {{0xc0000000, "_text", 0}, {0xc0001000, "_etext", 0}},
        {{0x9ffff000, "_text", 0}, {0xa0000000, "_etext", 0}},
        {{TEXT + 0x1000, "_text", 0}, {TEXT, "_etext", 0}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct symbols *symbols = symbols_make(wrong[i], 2);
        assert_false(kernel_objects_find(&objects, symbols, false, &err));
        kernel_objects_release(&objects);
        symbols_free(symbols);
    }
    struct symbols *symbols = small_kernel(0);
    symbols_move(symbols, 0x10000);
    err.text[0] = 0;
    assert_false(kernel_objects_find(&objects, symbols, false, &err));
    assert_non_null(strstr(err.text, "has moved itself"));
    kernel_objects_release(&objects);
    symbols_free(symbols);
}

/* Static functions of one name, told apart by what lies before them. */
static void namesakes_are_told_apart(void **state)
{
    (void)state;
    static const char *const old[] = {"a", "show", "b", "show", "show", "c", "init", "init", NULL};
    static const char *const new[] = {"show", "a", "show", "b", "show", "show", "d", "c", "init", "init", NULL};
    static const int64_t expected[] = {KERNEL_OBJECT_NEW, 0, 1, 2, 3, 4, KERNEL_OBJECT_NEW, 5, 6, 7};
    const char *const *const lists[] = {old, new};
    struct symbols *symbols[2];
    struct kernel_objects objects[2];
    for (unsigned i = 0; i < 2; i++) {
        struct table table = {.count = 0};
        vaddr at = TEXT;
        add(&table, "_text", at);
        for (const char *const *name = lists[i]; *name != NULL; name++)
            add(&table, *name, at += 16);
        add(&table, "_etext", at + 16);
        symbols[i] = symbols_of(&table);
        objects[i] = objects_of(symbols[i], false);
    }
    int64_t where[16];
    kernel_objects_match(&objects[1], &objects[0], where);
    assert_int_equal(objects[1].count, 11);
    assert_int_equal(where[0], 0); /* _text */
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(where[i + 1], expected[i] == KERNEL_OBJECT_NEW ? KERNEL_OBJECT_NEW : expected[i] + 1);
    for (unsigned i = 0; i < 2; i++) {
        kernel_objects_release(&objects[i]);
        symbols_free(symbols[i]);
    }
}

/* As many namesakes in both, with other neighbours: in their order. */
static void moved_namesakes_keep_their_order(void **state)
{
    (void)state;
    struct table table[2] = {{.count = 0}, {.count = 0}};
    static const char *const names[2][6] = {{"_text", "a", "show", "show", "b", "_etext"},
                                            {"_text", "show", "b", "show", "a", "_etext"}};
    struct kernel_objects objects[2];
    struct symbols *symbols[2];
    int64_t where[8];
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < 6; i++)
            add(&table[k], names[k][i], TEXT + 16 * i);
        symbols[k] = symbols_of(&table[k]);
        objects[k] = objects_of(symbols[k], false);
    }
    kernel_objects_match(&objects[1], &objects[0], where);
    assert_true(where[1] == 2 && where[2] == 4 && where[3] == 3 && where[4] == 1);
    for (unsigned k = 0; k < 2; k++) {
        kernel_objects_release(&objects[k]);
        symbols_free(symbols[k]);
    }
}

/* Where OBJECTS are seen in the places of LIKE by SEED. */
static bool place(const struct kernel_objects *own, const struct kernel_objects *like, uint32_t seed,
                  struct layout_piece *pieces)
{
    struct err err = {""};
    bool moved;
    if (!kernel_placement_make(own, like, seed, pieces, &moved, &err))
        fail_msg("%s", err.text);
    return moved;
}

static void a_kernel_is_held_in_anothers_places(void **state)
{
    (void)state;
    struct symbols *symbols[2] = {small_kernel(0), small_kernel(120)};
    struct kernel_objects old = objects_of(symbols[0], true), new = objects_of(symbols[1], true);
    struct layout_piece pieces[16];
    assert_false(place(&old, &old, 0, pieces));
    assert_true(place(&new, &old, 0, pieces));
    for (size_t i = 0; i < new.count; i++) {
        const bool grown = strcmp(new.object[i].name, "open") == 0;
        assert_int_equal(pieces[i].from, new.object[i].at);
        assert_int_equal(pieces[i].size, new.object[i].size);
        if (grown) /* behind all of the old kernel */
            assert_int_equal(pieces[i].to, BOARD_PLACED_BASE + 0x104000);
        else
            assert_int_equal(pieces[i].to, BOARD_PLACED_BASE + old.object[i].at);
    }
    kernel_objects_release(&old);
    kernel_objects_release(&new);
    symbols_free(symbols[0]);
    symbols_free(symbols[1]);
}

static int by_place(const void *a, const void *b)
{
    const struct layout_piece *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* A kernel of COUNT functions with random names of few, random sizes; an even number of them are in other kernels. */
static struct symbols *random_kernel(uint64_t *chance, unsigned count)
{
    struct table *table = calloc(1, sizeof *table);
    vaddr at = TEXT;
    add(table, "_text", at);
    for (unsigned i = 0; i < count; i++) {
        snprintf(table->name[i], sizeof table->name[i], "f%u", splitmix_below(chance, 2 * count));
        add(table, table->name[i], at);
        at += 4 + 4 * splitmix_below(chance, 200);
        if (splitmix_below(chance, 20) == 0)
            at = (at + 4095) & ~4095u;
    }
    add(table, "_etext", at);
    struct symbols *symbols = symbols_of(table);
    free(table);
    return symbols;
}

static uint32_t alignment_of(uint32_t at)
{
    return (at | 4096) & -(at | 4096);
}

static void any_placement_is_one_to_one(void **state)
{
    (void)state;
    uint64_t chance = 1;
    for (unsigned round = 0; round < 200; round++) {
        struct symbols *symbols[2] = {random_kernel(&chance, 1 + splitmix_below(&chance, MOST)),
                                      random_kernel(&chance, 1 + splitmix_below(&chance, MOST))};
        struct kernel_objects own = objects_of(symbols[0], false), like = objects_of(symbols[1], false);
        struct layout_piece *pieces = calloc(own.count + 1, sizeof *pieces);
        place(&own, round % 3 ? &like : &own, round % 2 ? round : 0, pieces);
        for (size_t i = 0; i < own.count; i++)
            assert_true(round % 3 || round % 2 == 0 || alignment_of(pieces[i].to) >= alignment_of(own.object[i].at));
        qsort(pieces, own.count, sizeof *pieces, by_place);
        for (size_t i = 1; i < own.count; i++)
            assert_true(pieces[i].to - pieces[i - 1].to >= pieces[i - 1].size);
        free(pieces);
        kernel_objects_release(&own);
        kernel_objects_release(&like);
        symbols_free(symbols[0]);
        symbols_free(symbols[1]);
    }
}

/* A seed orders by names: kernels that differ in one function have all others in one order. */
static void a_seed_gives_two_kernels_one_order(void **state)
{
    (void)state;
    struct symbols *symbols[2];
    struct kernel_objects objects[2];
    struct layout_piece pieces[2][MOST + 2];
    for (unsigned k = 0; k < 2; k++) {
        struct table table = {.count = 0};
        add(&table, "_text", TEXT);
        for (unsigned i = k; i < MOST; i++) {
            snprintf(table.name[i], sizeof table.name[i], "f%u", i);
            add(&table, table.name[i], TEXT + 16 * (i + 1));
        }
        add(&table, "_etext", TEXT + 16 * (MOST + 1));
        symbols[k] = symbols_of(&table);
        objects[k] = objects_of(symbols[k], false);
        assert_true(place(&objects[k], &objects[k], 7, pieces[k]));
    }
    unsigned moved = 0;
    for (unsigned i = 2; i < MOST; i++) { /* in both from f1 on; f0 is of the first only */
        const bool first = pieces[0][i + 1].to > pieces[0][i].to, second = pieces[1][i].to > pieces[1][i - 1].to;
        assert_int_equal(first, second);
        moved += first != (pieces[0][i].to > pieces[0][i - 1].to);
    }
    assert_true(moved > MOST / 4);
    for (unsigned k = 0; k < 2; k++) {
        kernel_objects_release(&objects[k]);
        symbols_free(symbols[k]);
    }
}

static void a_kernel_without_room_is_refused(void **state)
{
    (void)state;
    const struct symbol list[] = {{0x80001000, "_text", 0}, {0x80002000, "all", 0}, {0x8ffff000, "_etext", 0}};
    struct symbols *symbols = symbols_make(list, 3), *small = small_kernel(0);
    struct kernel_objects large = objects_of(symbols, false), other = objects_of(small, false);
    struct layout_piece pieces[8];
    struct err err = {""};
    bool moved;
    assert_true(kernel_placement_make(&large, &large, 0, pieces, &moved, &err));
    assert_false(kernel_placement_make(&large, &other, 1, pieces, &moved, &err));
    assert_non_null(strstr(err.text, "no room"));
    kernel_objects_release(&large);
    kernel_objects_release(&other);
    symbols_free(symbols);
    symbols_free(small);
}

/* The list of the small kernel, linked as LINK says; to be freed. */
static char *list_of(const struct kernel_link *link)
{
    struct symbols *symbols = small_kernel(0);
    struct kernel_objects objects = objects_of(symbols, true);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    kernel_list_write(&objects, link, out);
    fclose(out);
    assert_true(kernel_list_has_one(&objects, "read"));
    assert_false(kernel_list_has_one(&objects, "init"));
    kernel_objects_release(&objects);
    symbols_free(symbols);
    return text;
}

static void assert_list(const struct kernel_link *link, const char *expected)
{
    char *text = list_of(link);
    assert_string_equal(text, expected);
    free(text);
}

/* As a linker would place them: as they are, without one, in another order, each in lines of its own. */
static void a_kernel_is_listed_as_it_could_be_linked(void **state)
{
    (void)state;
    static const char *const first[] = {"close", "init", "read"};
#define BOUNDS "80100000 A _text\n80101000 A _etext\n80102000 A __init_begin\n80103000 A __init_end\n80103100 A _end\n"
#define DATA   "80101000 d table\n80101010 d other_byte\n80103000 b counters\n"
    assert_list(&(struct kernel_link){0},
                "80100000 t start\n80100040 t read\n80100060 t open\n801000a0 t close\n" BOUNDS DATA);
    assert_list(&(struct kernel_link){.last = "read"},
                "80100000 t start\n80100060 t open\n801000a0 t close\n" BOUNDS DATA);
    assert_list(&(struct kernel_link){.last = "table"},
                "80100000 t start\n80100040 t read\n80100060 t open\n801000a0 t close\n" BOUNDS
                "80101010 d other_byte\n80103000 b counters\n");
    /* `close` reaches up to the end of the code */
    assert_list(&(struct kernel_link){.first = first, .first_count = 3},
                "80100000 t start\n80100040 t close\n80100fa0 t read\n80100fc0 t open\n" BOUNDS DATA);
    /* with code that becomes longer, data are 1 MB higher */
    assert_list(&(struct kernel_link){.alignment = 256},
                "80100000 t start\n80100100 t read\n80100200 t open\n80100300 t close\n"
                "80100000 A _text\n80201000 A _etext\n80202000 A __init_begin\n80203000 A __init_end\n80203100 A _end\n"
                "80201000 d table\n80201010 d other_byte\n80203000 b counters\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_has_objects),
        cmocka_unit_test(what_is_no_kernel_is_refused),
        cmocka_unit_test(namesakes_are_told_apart),
        cmocka_unit_test(moved_namesakes_keep_their_order),
        cmocka_unit_test(a_kernel_is_held_in_anothers_places),
        cmocka_unit_test(any_placement_is_one_to_one),
        cmocka_unit_test(a_seed_gives_two_kernels_one_order),
        cmocka_unit_test(a_kernel_without_room_is_refused),
        cmocka_unit_test(a_kernel_is_listed_as_it_could_be_linked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
