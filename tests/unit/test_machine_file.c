/* Machine descriptions: what they may do, and what is said when they may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "src/machine.h"
#include "src/machine_file.h"

static void the_built_in_machine_is_table_3_1(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t value;
    } expected[] = {
        {"cpu.clock", 200000000},  {"cache.l1i.size", 16384}, {"cache.l1i.line", 16},  {"cache.l1i.ways", 2},
        {"cache.l1d.size", 16384}, {"cache.l1d.line", 16},    {"cache.l1d.ways", 2},   {"cache.l2.size", 1048576},
        {"cache.l2.line", 128},    {"cache.l2.ways", 1},      {"cpu.tlb_entries", 32}, {"memory.l2_hit_time", 50},
        {"memory.miss_time", 500},
    };
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(params_set(options.params, "cache.l2.size", "64K", &err));
    assert_true(machine_options_describe(&options, "1994", &err));
    assert_string_equal(options.machine_name, "1994");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(params_u64(options.params, expected[i].name), expected[i].value);
    machine_options_release(&options);
}

static void a_description_may_compute(void **state)
{
    (void)state;
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(machine_file_apply_text(options.params, "test",
                                        "foreach c {l1i l1d} { param cache.$c.size [expr {8 * 1024}] }\n", &err));
    assert_int_equal(params_u64(options.params, "cache.l1d.size"), 8192);
    assert_int_equal(params_u64(options.params, "cache.l1i.size"), 8192);
    machine_options_release(&options);
}

static void a_bad_description_changes_nothing_and_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"param cache.l2.size 2M\nparam cache.l2.sise 2M", "line 2: unknown parameter"},
        {"param cache.l2.size 2M\n\nparam cache.l1d.ways 3", "line 3: cache.l1d.ways"},
        {"param cache.l2.size 2M\nparam a", "line 2"},
        {"param cache.l2.size 2M\nset x {", "missing close-brace"},
        {"param cache.l2.size 2M\nwhile 1 {}", "limit"},
        {"param cache.l2.size 2M\nexec true", "line 2"},
        {"param cache.l2.size 2M\nopen /etc/passwd", "line 2"},
        {"param cache.l2.size 2M\nexit 3", "line 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct machine_options options;
        struct err err = {""};
        machine_options_init(&options);
        assert_false(machine_file_apply_text(options.params, "bad.tcl", bad[i].text, &err));
        if (!strstr(err.text, "machine bad.tcl, line ") || !strstr(err.text, bad[i].says))
            fail_msg("case %zu: %s", i, err.text);
        assert_int_equal(params_u64(options.params, "cache.l2.size"), 1048576);
        machine_options_release(&options);
    }
}

static void files_are_read_and_named_after_themselves(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-machine-XXXXXX.tcl";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "param cpu.clock 33MHz\n", 22), 22);
    close(fd);
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(machine_options_describe(&options, path, &err));
    assert_int_equal(params_u64(options.params, "cpu.clock"), 33000000);
    assert_memory_equal(options.machine_name, path + 5, strlen(path) - 9);
    assert_int_equal(strlen(options.machine_name), strlen(path) - 9);
    unlink(path);
    assert_false(machine_options_describe(&options, path, &err));
    assert_non_null(strstr(err.text, path));
    err = (struct err){""};
    assert_false(machine_options_describe(&options, "/", &err));
    err = (struct err){""};
    assert_false(machine_options_describe(&options, "1996", &err));
    assert_non_null(strstr(err.text, "mxs"));
    machine_options_release(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_machine_is_table_3_1),
        cmocka_unit_test(a_description_may_compute),
        cmocka_unit_test(a_bad_description_changes_nothing_and_is_named),
        cmocka_unit_test(files_are_read_and_named_after_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
