/* Sectored caches: lines that share an address tag (docs/reference/memory-system.md), counted by hand. */
#include "cache/hierarchy/shape.h"
#include "tests/unit/memsys_fixture.h"

/* Data: two sectors a set of four lines of 16 bytes, 4 sets: 512 bytes. Sectors 256 bytes apart compete for a set. */
#define SMALL "cache.l1d.size=512 cache.l1d.ways=2 cache.l1d.sector_lines=4 cache.l2.size=64K cache.l2.ways=4 "
enum { LINE = 16, SECTOR = 64, STRIDE = 256 };

static bool holds(struct machine *m, unsigned cpu, paddr address)
{
    return memsys_look(m->memsys, cpu, MEMSYS_L1D, address).valid;
}

static unsigned misses(struct machine *m)
{
    return value(m, "cpu0.l1d.read_misses") + value(m, "cpu0.l1d.write_misses");
}

static void each_line_is_filled_by_itself(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL);
    assert_int_equal(load(m, 0, A), MEMORY);
    for (unsigned i = 1; i < 4; i++)
        assert_false(holds(m, 0, A + i * LINE));
    assert_int_equal(load(m, 0, A + 3 * LINE), L2_HIT); /* a miss, which evicts nothing */
    assert_int_equal(load(m, 0, A + STRIDE), MEMORY);   /* the other sector of the set */
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 0, A + 3 * LINE), 0);
    assert_int_equal(load(m, 0, A + STRIDE), 0);
    assert_int_equal(misses(m), 3);
    done(m);
}

/* The third sector of a set takes the place of the least recently used one, whose lines all leave; without sectors, it
 * would be beside the lines of the others that have another place in a sector. */
static void a_sector_leaves_as_a_whole(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL);
    for (unsigned i = 0; i < 4; i++)
        store(m, 0, A + i * LINE);
    load(m, 0, A + STRIDE);
    load(m, 0, A + 2 * LINE);          /* a use of the sector */
    load(m, 0, A + 2 * STRIDE + LINE); /* evicts A + STRIDE */
    assert_true(holds(m, 0, A) && holds(m, 0, A + 3 * LINE));
    assert_false(holds(m, 0, A + STRIDE));
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 0);
    load(m, 0, A + 3 * STRIDE + 3 * LINE); /* evicts the four lines of A, which are modified */
    for (unsigned i = 0; i < 4; i++)
        assert_false(holds(m, 0, A + i * LINE));
    assert_true(holds(m, 0, A + 2 * STRIDE + LINE));
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 4);
    done(m);
}

/* An invalidated line leaves the others of its sector where they are; a sector without lines is filled first. */
static void coherence_is_by_line(void **state)
{
    (void)state;
    struct machine *m = machine(2, SMALL "cache.l2.line=16");
    load(m, 0, A);
    load(m, 0, A + LINE);
    load(m, 0, A + STRIDE);
    store(m, 1, A);
    assert_false(holds(m, 0, A));
    assert_true(holds(m, 0, A + LINE));
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 1);
    store(m, 1, A + STRIDE); /* its sector is empty, though used last */
    load(m, 0, A + 2 * STRIDE);
    assert_true(holds(m, 0, A + LINE));
    load(m, 0, A);                     /* beside A + LINE again */
    load(m, 0, A + 2 * STRIDE + LINE); /* the more recent sector */
    load(m, 0, A + 3 * STRIDE);
    assert_false(holds(m, 0, A) || holds(m, 0, A + LINE));
    done(m);
}

/* What a miss would replace: nothing, if there is room in the line's sector; otherwise its place in the victim. */
static void the_victim_is_a_sector(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL);
    load(m, 0, A);
    load(m, 0, A + STRIDE);
    assert_false(victim_of(m, 0, MEMSYS_L1D, A + LINE, A + LINE).valid);
    assert_int_equal(victim_of(m, 0, MEMSYS_L1D, A + 2 * STRIDE, A + 2 * STRIDE).line, A);
    assert_false(victim_of(m, 0, MEMSYS_L1D, A + 2 * STRIDE + LINE, 0).valid);
    done(m);
}

static unsigned load_with_byte(struct machine *m, paddr address, uint8_t *byte)
{
    const struct memsys_request request = {.access = MEMSYS_READ,
                                           .address = address,
                                           .virtual_address = address,
                                           .size = 4,
                                           .max_permission = PERMIT_READ_STORE,
                                           .permission = byte,
                                           .bucket = &m->bucket[0]};
    return (unsigned)memsys_access(m->memsys, 0, &request);
}

/* All lines of the sector used last have fast-path permission, until another sector of the set is used. */
static void the_sector_used_last_is_on_the_fast_path(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL);
    uint8_t byte[5] = {0};
    for (unsigned i = 0; i < 4; i++)
        load_with_byte(m, A + i * LINE, &byte[i]);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(byte[i], PERMIT_READ);
    load_with_byte(m, A + STRIDE + LINE, &byte[4]);
    assert_int_equal(byte[4], PERMIT_READ);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(byte[i], PERMIT_NONE);
    load_with_byte(m, A + LINE, &byte[1]);
    assert_int_equal(byte[4], PERMIT_NONE);
    assert_int_equal(byte[1], PERMIT_READ);
    done(m);
}

/* An index operation acts on the lines of a set that ADDRESS selects, one of each sector. */
static void index_operations_are_by_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL);
    load(m, 0, A);
    load(m, 0, A + LINE);
    load(m, 0, A + STRIDE + LINE);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, LINE);
    assert_true(holds(m, 0, A));
    assert_false(holds(m, 0, A + LINE) || holds(m, 0, A + STRIDE + LINE));
    done(m);
}

/* An inclusive second level that evicts a sector back-invalidates what the first level has of each of its lines. */
static void inclusion_holds_for_every_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.size=16K cache.l1i.size=4K cache.l2.size=16K cache.l2.line=32 "
                                   "cache.l2.sector_lines=4");
    for (unsigned i = 0; i < 4; i++)
        store(m, 0, A + i * 32);
    load(m, 0, A + 0x4000 + 64); /* the same sector of a direct-mapped cache */
    for (unsigned i = 0; i < 4; i++)
        assert_false(holds(m, 0, A + i * 32));
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 4);
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 4);
    done(m);
}

static void the_description_names_sectors(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.size=48K cache.l1d.ways=12 cache.l1d.line=64 cache.l2.size=1536K "
                                   "cache.l2.ways=8 cache.l2.sector_lines=2");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    memsys_describe(m->memsys, out);
    fclose(out);
    assert_non_null(strstr(text, "L1-D  48K 12-way LRU, 64-byte lines, write-back\n"));
    assert_non_null(strstr(text, "L2    1536K 8-way LRU, 128-byte lines, sectors of 2 lines, write-back, 768 sets\n"));
#ifndef SHAPES_FEW
    assert_non_null(strstr(text, "no shape (slower simulation): fetches, loads, stores\n"));
#endif
    free(text);
    done(m);
}

static void what_is_no_sector_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *says;
    } cases[] = {
        {"cache.l2.line=1K cache.l2.sector_lines=8",
         "cache.l2.sector_lines is 8: at most 4 possible with cache.l2.line=1024 (a page)"},
        {"cache.l1d.size=1K cache.l1d.ways=3 cache.l1d.sector_lines=4",
         "cache.l1d.size is 1024 bytes: a multiple of cache.l1d.line * cache.l1d.sector_lines * cache.l1d.ways = 192 "
         "needed"},
        {"cache.l1i.size=256 cache.l1i.line=64 cache.l1i.sector_lines=8",
         "cache.l1i.size is 256 bytes: at least cache.l1i.line * cache.l1i.sector_lines * cache.l1i.ways = 1024 "
         "needed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params = make_params(cases[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, 1, 200 * MHZ, &err));
        assert_string_equal(err.text, cases[i].says);
        params_free(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_is_filled_by_itself),
        cmocka_unit_test(a_sector_leaves_as_a_whole),
        cmocka_unit_test(coherence_is_by_line),
        cmocka_unit_test(the_victim_is_a_sector),
        cmocka_unit_test(the_sector_used_last_is_on_the_fast_path),
        cmocka_unit_test(index_operations_are_by_line),
        cmocka_unit_test(inclusion_holds_for_every_line),
        cmocka_unit_test(the_description_names_sectors),
        cmocka_unit_test(what_is_no_sector_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
