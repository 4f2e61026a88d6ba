/* The memory system, one behaviour per test: effects of devices and of the CACHE instruction, and parameters. */
#include "cache/hierarchy/shape.h"
#include "tests/unit/memsys_fixture.h"

/* Devices */

static void device_write_invalidates(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    load(m, 0, A);
    fetch(m, 1, A);
    load(m, 0, A + 128);
    memsys_dma_write(m->memsys, A + 100, 1, 0); /* any byte of the second-level line */
    assert_int_equal(load(m, 0, A + 128), 0);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(fetch(m, 1, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.dma_invalidations"), 1);
    assert_int_equal(value(m, "cpu1.l2.dma_invalidations"), 1);
    assert_int_equal(value(m, "memory.dma_writes"), 1);
    done(m);
}

static void device_write_covers_all_its_lines(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    for (unsigned i = 0; i < 4; i++)
        load(m, 0, A + i * 128);
    memsys_dma_write(m->memsys, A + 127, 130, 0); /* last byte of line 0 .. first byte of line 2 */
    assert_int_equal(load(m, 0, A + 3 * 128), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(load(m, 0, A + i * 128), MEMORY);
    done(m);
}

static void device_write_of_part_of_a_dirty_line_writes_it_back(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    store(m, 0, A);
    store(m, 0, A + 128);
    memsys_dma_write(m->memsys, A, 256, 0);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    store(m, 0, A);
    store(m, 0, A + 128);
    memsys_dma_write(m->memsys, A, 255, 0);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void device_read_cleans(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    load(m, 1, A + 128);
    memsys_dma_read(m->memsys, A, 256, 0);
    assert_int_equal(value(m, "cpu0.l2.coherence_write_backs"), 1);
    assert_int_equal(value(m, "cpu1.l2.coherence_write_backs"), 0);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(load(m, 1, A + 128), 0);
    assert_int_equal(store(m, 0, A), MEMORY); /* an upgrade */
    assert_int_equal(m->bucket[0].miss[MISS_UPGRADE], 1);
    done(m);
}

static void device_ranges_stay_in_the_address_space(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    load(m, 0, 0xffffffff);
    load(m, 0, 0);
    memsys_dma_write(m->memsys, 0xffffff80, 0, 0);
    memsys_dma_read(m->memsys, 0xffffff80, UINT32_MAX, 0);
    assert_int_equal(load(m, 0, 0xffffffff), 0);
    memsys_dma_write(m->memsys, 0xffffff90, UINT32_MAX, 0);
    assert_int_equal(load(m, 0, 0), 0);
    assert_int_equal(load(m, 0, 0xffffffff), MEMORY);
    assert_int_equal(value(m, "memory.dma_writes"), 1); /* of no bytes: none */
    done(m);
}

/* The CACHE instruction */

static void hit_operations_act_on_one_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    load(m, 0, A);
    load(m, 0, A + 16);
    fetch(m, 0, A);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, A + 12);
    assert_int_equal(load(m, 0, A + 16), 0);
    assert_int_equal(fetch(m, 0, A), 0);
    assert_int_equal(load(m, 0, A), L2_HIT);
    cache_op(m, 0, MEMSYS_L1I, MEMSYS_HIT_INVALIDATE, A);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(fetch(m, 0, A), L2_HIT);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_INVALIDATE, A + 127);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(fetch(m, 0, A), L2_HIT);
    done(m);
}

static void write_back_keeps_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    store(m, 0, A);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, A);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, A); /* clean now */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 0);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK, A);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK, A);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(load(m, 0, A), 0);
    load(m, 0, A + L2_STRIDE); /* nothing to write back */
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void write_back_invalidate_removes_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    load(m, 1, A + 128);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK_INVALIDATE, A);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK_INVALIDATE, A + 128); /* the other CPU's line */
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(load(m, 1, A + 128), 0);
    done(m);
}

static void index_operation_empties_the_set(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l2.ways=2");
    store(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 16);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, A & (L1_STRIDE - 1));
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(load(m, 0, A + 16), 0);
    assert_int_equal(load(m, 0, A), L2_HIT);
    assert_int_equal(load(m, 0, A + L1_STRIDE), L2_HIT);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_INDEX_INVALIDATE, A & 0x7ffff);
    assert_int_equal(value(m, "cpu0.l2.write_backs"), 1);
    assert_int_equal(load(m, 0, A + L1_STRIDE), 0);
    assert_int_equal(load(m, 0, A), MEMORY);
    done(m);
}

static void flush_empties_everything(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    store(m, 0, A);
    fetch(m, 1, A + 128);
    memsys_flush(m->memsys);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    assert_int_equal(load(m, 1, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.interventions"), 0);
    assert_int_equal(fetch(m, 1, A + 128), MEMORY);
    done(m);
}

/* Parameters */

static void no_caches_no_time(void **state)
{
    (void)state;
    struct machine *m = machine(2, "cache.model=none");
    assert_true(memsys_is_flat(m->memsys));
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(store(m, 1, A), 0);
    assert_int_equal(uncached(m, MEMSYS_READ, A), 0);
    memsys_dma_write(m->memsys, 0, UINT32_MAX, 0);
    cache_op(m, 0, MEMSYS_L2, MEMSYS_INDEX_INVALIDATE, A);
    memsys_flush(m->memsys);
    struct bucket zero = {0};
    assert_memory_equal(&m->bucket[0], &zero, sizeof zero);
    done(m);
    m = machine(1, "");
    assert_false(memsys_is_flat(m->memsys));
    done(m);
}

static void senseless_combinations_name_the_parameter(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *culprit;
    } cases[] = {
        {"cache.l1i.line=64 cache.l2.line=32", "cache.l1i.line is 64"},
        {"cache.l1d.line=64 cache.l1i.line=8 cache.l2.line=32", "cache.l1d.line is 64"},
        {"cache.l1d.size=16K cache.l2.size=8K cache.l1i.size=8K", "cache.l1d.size is 16384"},
        {"cache.l1i.size=16K cache.l2.size=8K cache.l1d.size=8K", "cache.l1i.size is 16384"},
        {"cache.l2.size=4K cache.l2.line=1K cache.l2.ways=8 cache.l1i.size=4K cache.l1d.size=4K",
         "cache.l2.size is 4096"},
        {"cache.l1d.ways=3",
         "cache.l1d.size is 16384 bytes: a multiple of cache.l1d.line * cache.l1d.ways = 48 needed"},
        {"cache.l2.size=1000K cache.l2.ways=12",
         "cache.l2.size is 1024000 bytes: a multiple of cache.l2.line * cache.l2.ways = 1536 needed"},
        {"memory.miss_time=10", "memory.miss_time is 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params = make_params(cases[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, 1, 200 * MHZ, &err));
        if (!strstr(err.text, cases[i].culprit))
            fail_msg("%s: \"%s\"", cases[i].settings, err.text);
        params_free(params);
    }
}

static void out_of_range_values_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"cache.l1d.ways=0",   "cache.l1d.ways=64",  "cache.l1i.line=2",
                                        "cache.l1i.line=24",  "cache.l1i.line=512", "cache.l1i.size=128",
                                        "cache.l2.size=512M", "cache.l2.line=2048", "cache.model=four-level"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params = make_params("");
        struct err err = {""};
        if (params_set_assignment(params, cases[i], &err))
            fail_msg("%s was accepted", cases[i]);
        params_free(params);
    }
}

static void description_says_what_is_modelled(void **state)
{
    (void)state;
    struct machine *m = machine(2, "");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    memsys_describe(m->memsys, out);
    fclose(out);
    assert_string_equal(text, "L1-I  16K 2-way LRU, 16-byte lines, write-back\n"
                              "L1-D  16K 2-way LRU, 16-byte lines, write-back\n"
                              "L2    1M direct-mapped, 128-byte lines, write-back\n"
                              "stalls: L2 hit 10 cycles, memory 100, upgrade 100, uncached 100\n");
    free(text);
    done(m);
}

/* Random replacement in the second level: no shape for any access. Stream buffers: none for fetches. */
static void description_says_what_has_no_shape(void **state)
{
    (void)state;
#ifdef SHAPES_FEW
    skip(); /* with sanitizers shapes are left out, and their lack says nothing of a machine */
#endif
    static const char *const settings[] = {"cache.l2.ways=2 cache.l2.replacement=random", "prefetch.stream.buffers=1",
                                           "cache.l1d.write=through"};
    static const char *const expected[] = {"\nno shape (slower simulation): fetches, loads, stores\n",
                                           "\nno shape (slower simulation): fetches\n", NULL};
    for (unsigned i = 0; i < 3; i++) {
        struct machine *m = machine(1, settings[i]);
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        memsys_describe(m->memsys, out);
        fclose(out);
        if (expected[i])
            assert_non_null(strstr(text, expected[i]));
        else
            assert_null(strstr(text, "no shape"));
        free(text);
        done(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_write_invalidates),
        cmocka_unit_test(device_write_covers_all_its_lines),
        cmocka_unit_test(device_write_of_part_of_a_dirty_line_writes_it_back),
        cmocka_unit_test(device_read_cleans),
        cmocka_unit_test(device_ranges_stay_in_the_address_space),
        cmocka_unit_test(hit_operations_act_on_one_line),
        cmocka_unit_test(write_back_keeps_the_line),
        cmocka_unit_test(write_back_invalidate_removes_the_line),
        cmocka_unit_test(index_operation_empties_the_set),
        cmocka_unit_test(flush_empties_everything),
        cmocka_unit_test(no_caches_no_time),
        cmocka_unit_test(senseless_combinations_name_the_parameter),
        cmocka_unit_test(out_of_range_values_are_refused),
        cmocka_unit_test(description_says_what_is_modelled),
        cmocka_unit_test(description_says_what_has_no_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
