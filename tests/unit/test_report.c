/* Reports (src/report/report.h, docs/how-to/report.md): parsing of files, the table, the comparison; other files are
 * rejected with a message. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/report/report.h"
#include "src/report/report_compare.h"

/* An account: STALL cycles of L1-D misses, and a kind of stall unknown to simos. */
#define MODE(cycles, insns, stall)                                                                                     \
    "{\"cycles\": " #cycles ", \"insns\": " #insns ", \"wait\": 0, \"execute\": " #insns ", \"cpi\": 0, \"stall\": "   \
    "{\"l1d\": " #stall ", \"queue\": 1}, \"miss\": {\"l1i\": 3}}"
#define CPU(cycles, insns, stall)                                                                                      \
    "{\"mode\": {\"user\": " MODE(cycles, insns, stall) ", \"kernel\": " MODE(20, 10, 0) ", \"idle\": " MODE(          \
        0, 0, 0) "}, \"tlb\": {\"refills_load\": 5, \"refills_store\": 2}, \"l2\": {\"misses\": 1, \"miss\": "         \
                 "{\"insn\": {\"user\": {\"cold\": 4}}}}, \"l1i\": {\"miss\": {\"kernel\": {\"cold\": 6}}}}"
#define FILE_OF(time, cpus, clock)                                                                                     \
    "{\"machine\": {\"name\": \"m\", \"model\": \"mipsy\", \"time\": " #time ", \"insns\": 40}, " cpus                 \
    ", \"parameters\": {\"machine\": {\"memory\": \"64M\"}, \"cpu\": {\"clock\": \"" clock "\", \"tlb_entries\": "     \
    "\"32\"}}}"

static const char slow[] = FILE_OF(50, "\"cpu0\": " CPU(30, 10, 15), "100MHz");
static const char fast[] = FILE_OF(100, "\"cpu0\": " CPU(20, 10, 5) ", \"cpu1\": " CPU(20, 10, 6), "400MHz");

struct fixture {
    char path[2][64];
    struct result_files report;
    struct err err;
};

/* Writes a new file: to truncate one that has just been written makes ext4 write it to the disk. */
static void write_file(const char *path, const char *text)
{
    unlink(path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    for (int i = 0; i < 2; i++) {
        strcpy(fixture->path[i], "/tmp/simos-report.XXXXXX");
        close(mkstemp(fixture->path[i]));
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    result_files_release(&fixture->report);
    for (int i = 0; i < 2; i++)
        unlink(fixture->path[i]);
    free(fixture);
    return 0;
}

/* Is TEXT accepted as a statistics file? ERR has the reason if not. */
static bool takes(struct fixture *fixture, const char *text)
{
    const char *paths[] = {fixture->path[0]};
    result_files_release(&fixture->report);
    fixture->err = (struct err){""};
    write_file(fixture->path[0], text);
    return result_files_read(&fixture->report, paths, 1, &fixture->err);
}

static void take(struct fixture *fixture, const char *text)
{
    if (!takes(fixture, text))
        fail_msg("%s", fixture->err.text);
}

static void accounts_are_summed_over_cpus(void **state)
{
    struct fixture *fixture = *state;
    take(fixture, fast);
    assert_int_equal(fixture->report.count, 1);
    const struct results *column = fixture->report.columns[0];
    assert_string_equal(column->machine, "m");
    assert_string_equal(column->memory, "64M");
    assert_int_equal(column->cpus, 2);
    assert_true(column->clock_hz == 400000000);
    assert_true(results_sum(column, "cycles", MODES_USER) == 40);
    assert_true(results_sum(column, "cycles", MODES_BUSY) == 80);
    assert_true(results_sum(column, "cycles", MODES_IDLE) == 0);
    assert_true(results_sum(column, "stall.l1d", MODES_TOTAL) == 11);
    /* a kind of stall that simos does not know */
    assert_true(results_sum(column, "stall.queue", MODES_TOTAL) == 6);
    assert_true(results_sum(column, "stall.none", MODES_TOTAL) == 0);
    assert_true(results_sum_all(column, "stall.", MODES_USER) == 13);
    assert_true(results_sum(column, "class.l2.insn.cold", MODES_USER) == 8);
    assert_true(results_sum(column, "class.l1i.cold", MODES_KERNEL) == 12);
    assert_true(column->tlb_refills_load == 10 && column->tlb_refills_store == 4);
    assert_true(results_figure(column, FORMULA_CPI, MODES_BUSY) == 2);
    assert_true(results_figure(column, FORMULA_D_MCPI, MODES_USER) == 11 / 20.);
    assert_true(results_figure(column, FORMULA_I_MCPI, MODES_USER) == 0);
    assert_true(results_seconds(column) == 100 / 400e6);
    assert_true(results_busy_seconds(column) == 80 / 400e6);
}

static void what_lies_before_a_checkpoint_is_no_time(void **state)
{
    struct fixture *fixture = *state;
    take(fixture,
         "{\"machine\": {\"time\": 100}, \"cpu0\": {\"mode\": {\"user\": " MODE(60, 10, 0) ", \"kernel\": " MODE(
             0, 0, 0) ", \"idle\": " MODE(0, 0, 0) "}, \"before\": {\"cycles\": 40}}, "
                                                   "\"parameters\": {\"cpu\": {\"clock\": \"1MHz\"}}}");
    assert_true(results_seconds(fixture->report.columns[0]) == 60 / 1e6);
    assert_string_equal(fixture->report.columns[0]->memory, "-"); /* not in the file */
}

/* A clock that no machine has is unknown: explain multiplies cycles by it. */
static void clocks_of_no_machine(void **state)
{
    struct fixture *fixture = *state;
    take(fixture, FILE_OF(50, "\"cpu0\": " CPU(30, 10, 15), "1800000000GHz"));
    assert_true(fixture->report.columns[0]->clock_hz == 0);
    result_files_release(&fixture->report);
    take(fixture, FILE_OF(50, "\"cpu0\": " CPU(30, 10, 15), "1Hz"));
    assert_true(fixture->report.columns[0]->clock_hz == 0);
}

static void where_the_figures_begin_is_said(void **state)
{
    (void)state;
    static const struct {
        uint64_t begun[2];
        const char *window[2];
        bool row, warning;
    } rows[] = {
        {{0, 0}, {"-", "-"}, true, false},
        {{5, 7}, {"-", "-"}, true, false}, /* clocks differ */
        {{0, 7}, {"-", "-"}, true, true},
        {{0, 0}, {"insn 5", "insn 5"}, false, false},
        {{0, 0}, {"insn 5", "insn 6"}, false, true},
        {{0, 3}, {"insn 5", "-"}, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result_files report = {.count = 2};
        char *text = NULL;
        size_t size;
        for (int c = 0; c < 2; c++) {
            report.columns[c] = calloc(1, sizeof *report.columns[c]);
            report.columns[c]->measured_from = rows[i].begun[c];
            strcpy(report.columns[c]->window, rows[i].window[c]);
        }
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        report_print(&report, out);
        fclose(out);
        assert_int_equal(strstr(text, "\nmeasured from") != NULL, rows[i].row);
        assert_int_equal(strstr(text, "\nwindow begins at") != NULL, strcmp(rows[i].window[0], "-") != 0);
        assert_int_equal(strstr(text, "times are not of the same work") != NULL, rows[i].warning);
        free(text);
        result_files_release(&report);
    }
}

static void the_table_is_relative_to_the_first_column(void **state)
{
    struct fixture *fixture = *state;
    const char *paths[] = {fixture->path[0], fixture->path[1]};
    char *text = NULL;
    size_t size;
    write_file(fixture->path[0], slow);
    write_file(fixture->path[1], fast);
    assert_true(result_files_read(&fixture->report, paths, 2, &fixture->err));
    for (int i = 0; i < 2; i++)
        strcpy(fixture->report.columns[i]->title, i ? "fast" : "slow");
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    report_print(&fixture->report, out);
    fclose(out);
    static const char *const lines[] = {
        "                                  slow            fast\n",
        "CPUs                                 1               2\n",
        "speed-up                          1.00            2.00\n", /* 50 at 100 MHz, 100 at 400 MHz */
        "speed-up, non-idle                1.00            2.50\n", /* 50 at 100 MHz, 80 at 400 MHz */
        "\nuser\ncycles                              30              40\n",
        "stall L1-D miss                     15              11\n",
        "stall queue                          1               2\n",
        "L2 insn cold                         4               8\n",
        "L1-I cold                            6              12\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i]))
            fail_msg("no line %s in:\n%s", lines[i], text);
    assert_null(strstr(text, "\nidle\n")); /* no idle time */
    assert_null(strstr(text, "nan"));
    free(text);
}

static void what_a_file_does_not_count_is_no_zero(void **state)
{
    struct fixture *fixture = *state;
    char *text = NULL;
    size_t size;
    const char *paths[] = {fixture->path[0], fixture->path[1]};
    write_file(fixture->path[0], slow);
    write_file(fixture->path[1], "{\"machine\": {\"time\": 9}, \"cpu0\": {\"mode\": {\"user\": " MODE(
                                     9, 9, 0) ", \"kernel\": " MODE(0, 0, 0) ", \"idle\": " MODE(0, 0, 0) "}}}");
    assert_true(result_files_read(&fixture->report, paths, 2, &fixture->err));
    for (int i = 0; i < 2; i++)
        strcpy(fixture->report.columns[i]->title, i ? "bare" : "slow");
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    report_print(&fixture->report, out);
    fclose(out);
    assert_non_null(strstr(text, "L2 insn cold                         4               -\n"));
    assert_non_null(strstr(text, "clock                           100MHz               -\n"));
    assert_non_null(strstr(text, "speed-up                          1.00               -\n"));
    free(text);
}

static void finished_jobs_of_a_sweep_are_columns(void **state)
{
    struct fixture *fixture = *state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out,
            "{\"format\": \"simos sweep 1\", \"jobs\": [{\"name\": \"a\", \"statistics\": %s}, {\"name\": \"b\", "
            "\"statistics\": null}, {\"name\": \"c\", \"statistics\": %s}]}",
            slow, fast);
    fclose(out);
    take(fixture, text);
    free(text);
    assert_int_equal(fixture->report.count, 2);
    assert_string_equal(fixture->report.columns[0]->title, "a");
    assert_string_equal(fixture->report.columns[1]->title, "c");
    assert_false(takes(fixture, "{\"format\": \"simos sweep 1\", \"jobs\": []}"));
    assert_non_null(strstr(fixture->err.text, "no job of the sweep has finished"));
    assert_false(takes(fixture, "{\"format\": \"simos sweep 1\", \"jobs\": 3}"));
    assert_false(takes(fixture, "{\"format\": \"simos sweep 1\", \"jobs\": [3]}"));
    assert_false(takes(fixture, "{\"format\": \"simos sweep 1\", \"jobs\": [{\"name\": \"a\", \"statistics\": {}}]}"));
    assert_false(takes(fixture, "{\"format\": \"simos sweep 2\", \"jobs\": []}"));
}

static void anything_else_is_refused(void **state)
{
    struct fixture *fixture = *state;
    static const char *const bad[] = {
        "",
        "{}",
        "{\"machine\": {\"time\": 1}}",
        "{\"machine\": 3, \"cpu0\": {}}",
        "{\"machine\": {\"time\": \"1\"}, \"cpu0\": {}}",
        "{\"machine\": {\"time\": -1}, \"cpu0\": {}}",
        "{\"machine\": {\"time\": 1}, \"cpu0\": {}}",
        "{\"machine\": {\"time\": 1}, \"cpu0\": {\"mode\": []}}",
        "{\"machine\": {\"time\": 1}, \"cpu0\": {\"mode\": {\"user\": 3, \"kernel\": 3, \"idle\": 3}}}",
        FILE_OF(1, "\"cpu0\": " CPU(-1, 10, 0), "1MHz"),
        FILE_OF(1, "\"cpu0\": " CPU(1.5, 10, 0), "1MHz"),
        FILE_OF(1, "\"cpu0\": " CPU(1, 10, {}), "1MHz")};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (takes(fixture, bad[i]))
            fail_msg("row %zu is taken", i);
        if (!strstr(fixture->err.text, fixture->path[0] + 5) || strchr(fixture->err.text, '\n'))
            fail_msg("row %zu: %s", i, fixture->err.text);
    }
}

/* Extreme values, truncations and changes of a file: accepted or rejected, without harm. */
static void damaged_files_do_no_harm(void **state)
{
    struct fixture *fixture = *state;
    char text[sizeof fast], *printed = NULL;
    unsigned taken = 0;
    for (unsigned i = 0; i < 1000; i++) {
        memcpy(text, fast, sizeof text);
        unsigned at = i * 7919 % (sizeof text - 1);
        if (i % 4 == 0)
            text[at] = 0;
        else
            text[at] = (char)("0\"{}:,-9"[i / 4 % 8]);
        if (!takes(fixture, text))
            continue;
        size_t size;
        FILE *out = open_memstream(&printed, &size);
        assert_non_null(out);
        report_print(&fixture->report, out);
        fclose(out);
        free(printed);
        taken++;
    }
    assert_in_range(taken, 50, 950);
}

static bool compare(struct fixture *fixture, const char *before, const char *after, char **text)
{
    size_t size;
    bool differs = false;
    write_file(fixture->path[0], before);
    write_file(fixture->path[1], after);
    FILE *out = open_memstream(text, &size);
    assert_non_null(out);
    if (!report_compare(fixture->path[0], fixture->path[1], &differs, out, &fixture->err))
        fail_msg("%s", fixture->err.text);
    fclose(out);
    return differs;
}

static void equal_files_do_not_differ(void **state)
{
    struct fixture *fixture = *state;
    char *text;
    assert_false(compare(fixture, slow, slow, &text));
    assert_int_equal(strncmp(text, "the same: ", 10), 0);
    free(text);
}

static void what_moved_most_comes_first(void **state)
{
    struct fixture *fixture = *state;
    static const char before[] = FILE_OF(50, "\"cpu0\": " CPU(30, 10, 15), "100MHz");
    static const char after[] = FILE_OF(49, "\"cpu0\": " CPU(29, 10, 3), "50MHz");
    char *text;
    assert_true(compare(fixture, before, after, &text));
    static const char *const order[] = {"simulated seconds ",        "cycles, user ",          "4 of ",
                                        "cpu0.mode.user.stall.l1d ", "cpu0.mode.user.cycles ", "machine.time ",
                                        "parameters.cpu.clock "};
    const char *at = text;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        at = strstr(at, order[i]);
        if (!at)
            fail_msg("no %s behind the one before it:\n%s", order[i], text);
    }
    assert_non_null(strstr(text, "-80 %")); /* from 15 to 3 */
    free(text);
}

static void what_only_one_has_differs(void **state)
{
    struct fixture *fixture = *state;
    char *text;
    assert_true(compare(fixture, fast, slow, &text));
    assert_non_null(strstr(text, "cpu1.mode.user.cycles"));
    assert_non_null(strstr(text, "(none)"));
    free(text);
    assert_true(compare(fixture, slow, fast, &text));
    assert_non_null(strstr(text, "cpu1.mode.user.cycles"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(accounts_are_summed_over_cpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_lies_before_a_checkpoint_is_no_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(clocks_of_no_machine, set_up, tear_down),
        cmocka_unit_test(where_the_figures_begin_is_said),
        cmocka_unit_test_setup_teardown(the_table_is_relative_to_the_first_column, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_file_does_not_count_is_no_zero, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finished_jobs_of_a_sweep_are_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(anything_else_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_files_do_no_harm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_files_do_not_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_moved_most_comes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_only_one_has_differs, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
