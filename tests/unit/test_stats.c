/*
 * The statistics registry and its JSON output.
 */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/stats.h"

static double as_double(const void *opaque)
{
    return *(const double *)opaque;
}

static uint64_t doubled(const void *opaque)
{
    return 2 * *(const uint64_t *)opaque;
}

static char *json(const struct stats *stats)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    stats_write_json(stats, out);
    fclose(out);
    return text;
}

static void expect_json(const struct stats *stats, const char *expected)
{
    char *text = json(stats);
    assert_string_equal(text, expected);
    free(text);
}

static void nests_along_the_dots(void **state)
{
    (void)state;
    uint64_t a = 1, big = UINT64_MAX;
    double half = 0.5;
    struct stats *stats = stats_create();
    expect_json(stats, "{}\n");
    stats_counter(stats, "cpu0.insns", "instructions", "executed", &a);
    stats_counter(stats, "cpu1.insns", "instructions", "executed", &big);
    stats_formula(stats, "cpu0.l1d.rate", "", "share", as_double, &half);
    stats_integer(stats, "twice", "", "double", doubled, &a);
    stats_text(stats, "run.command", "what ran", "a \"b\"\\\n\t\001");
    a = 21; /* values are read at output time */
    expect_json(stats, "{\n"
                       "  \"cpu0\": {\n"
                       "    \"insns\": 21,\n"
                       "    \"l1d\": {\n"
                       "      \"rate\": 0.5\n"
                       "    }\n"
                       "  },\n"
                       "  \"cpu1\": {\n"
                       "    \"insns\": 18446744073709551615\n"
                       "  },\n"
                       "  \"twice\": 42,\n"
                       "  \"run\": {\n"
                       "    \"command\": \"a \\\"b\\\"\\\\\\n\\t\\u0001\"\n"
                       "  }\n"
                       "}\n");
    stats_free(stats);
    stats_free(NULL);
}

static void doubles(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {100, "100"},
        {123456789, "123456789"},
        {1e15, "1e+15"},
        {999999999999999, "999999999999999"},
        {-2.5, "-2.5"},
        {1e300, "1e+300"},
        {5e-324, "5e-324"},
        {0.1 + 0.2, "0.30000000000000004"},
        {NAN, "0"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
        {-0.0, "0"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[80];
        double read_back;
        struct stats *stats = stats_create();
        stats_formula(stats, "x", "", "", as_double, &cases[i].value);
        snprintf(expected, sizeof expected, "{\n  \"x\": %s\n}\n", cases[i].text);
        expect_json(stats, expected);
        assert_true(stats_value(stats, "x", &read_back));
        if (isfinite(cases[i].value)) {
            assert_true(strtod(cases[i].text, NULL) == cases[i].value);
            assert_true(read_back == cases[i].value);
        } else
            assert_true(isnan(cases[i].value) ? read_back == 0 : isnan(read_back));
        stats_free(stats);
    }
}

static void text_is_always_utf8(void **state)
{
    (void)state;
    struct stats *stats = stats_create();
    stats_text(stats, "good", "", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    stats_text(stats, "bad", "", "\xff|\xc0\x80|\xed\xa0\x80|\xc3");
    expect_json(stats, "{\n  \"good\": \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\",\n"
                       "  \"bad\": \"\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|\\ufffd\"\n}\n");
    stats_free(stats);
}

static void values_and_names(void **state)
{
    (void)state;
    enum { COUNT = 2000 }; /* beyond the first capacity of everything */
    static uint64_t values[COUNT];
    struct stats *stats = stats_create();
    char name[64];
    double value;
    for (int i = 0; i < COUNT; i++) {
        values[i] = (uint64_t)i * 3;
        snprintf(name, sizeof name, "cpu%d.group%d.c%d", i % 16, i % 7, i);
        stats_counter(stats, name, "events", "some text", &values[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "cpu%d.group%d.c%d", i % 16, i % 7, i);
        assert_string_equal(stats_name_at(stats, (size_t)i), name);
        assert_true(stats_value(stats, name, &value));
        assert_true(value == i * 3);
    }
    assert_null(stats_name_at(stats, COUNT));
    const char *unit = NULL;
    assert_string_equal(stats_describe(stats, "cpu1.group1.c1", &unit), "some text");
    assert_string_equal(unit, "events");
    assert_string_equal(stats_describe(stats, "cpu1.group1.c1", NULL), "some text");
    assert_null(stats_describe(stats, "cpu1.group1", &unit));
    assert_false(stats_value(stats, "cpu1.group1", &value));
    assert_false(stats_value(stats, "nothing", &value));
    assert_false(stats_value(stats, "", &value));
    stats_free(stats);
}

/* Does registering NAME after "a.b" end in log_bug()'s abort? */
static bool registering_aborts(const char *name)
{
    pid_t child = fork();
    if (child == 0) {
        static uint64_t zero;
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        struct stats *stats = stats_create();
        stats_counter(stats, "a.b", "", "", &zero);
        stats_counter(stats, name, "", "", &zero);
        stats_free(stats);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

struct pair {
    uint64_t part, whole;
};

static double share(const void *opaque)
{
    const struct pair *pair = opaque;
    return (double)pair->part / (double)pair->whole;
}

/* stats_begin(): values are the increase since then, exactly; formulas over counts are evaluated over the increases,
 * others are undefined. */
static void statistics_can_begin_later(void **state)
{
    (void)state;
    struct pair pair = {3, 4};
    uint64_t big = UINT64_MAX - 1, late = 5;
    double half = 0.5, value;
    struct stats *stats = stats_create();
    stats_counter(stats, "big", "", "", &big);
    stats_integer(stats, "twice", "", "", doubled, &pair.part);
    stats_formula_of_counters(stats, "share", "", "", share, &pair, sizeof pair);
    stats_formula(stats, "half", "", "", as_double, &half);
    stats_amount(stats, "amount", "", "", as_double, &half);
    stats_text(stats, "text", "", "as ever");
    expect_json(stats, "{\n  \"big\": 18446744073709551614,\n  \"twice\": 6,\n  \"share\": 0.75,\n  \"half\": 0.5,\n"
                       "  \"amount\": 0.5,\n  \"text\": \"as ever\"\n}\n");
    stats_begin(stats);
    expect_json(stats, "{\n  \"big\": 0,\n  \"twice\": 0,\n  \"share\": 0,\n  \"half\": null,\n"
                       "  \"amount\": 0,\n  \"text\": \"as ever\"\n}\n");
    half = 2;
    stats_counter(stats, "late", "", "", &late);
    pair = (struct pair){4, 8};
    big++;
    expect_json(stats, "{\n  \"big\": 1,\n  \"twice\": 2,\n  \"share\": 0.25,\n  \"half\": null,\n"
                       "  \"amount\": 1.5,\n  \"text\": \"as ever\",\n  \"late\": 5\n}\n");
    assert_true(stats_value(stats, "share", &value));
    assert_true(value == 0.25);
    stats_begin(stats);
    assert_true(stats_value(stats, "late", &value));
    assert_true(value == 0);
    assert_true(stats_value(stats, "share", &value));
    assert_true(value == 0);
    stats_free(stats);
}

static void bring_up_to_date(void *opaque)
{
    struct pair *late = opaque;
    late->part = late->whole;
}

/* stats_prepare(): whoever reads a counter that its module updates late sees its value of now. */
static void late_counters_are_up_to_date(void **state)
{
    (void)state;
    struct pair late = {0, 7};
    double value;
    struct stats *stats = stats_create();
    stats_counter(stats, "late", "", "", &late.part);
    stats_prepare(stats, bring_up_to_date, &late);
    assert_true(stats_value(stats, "late", &value) && value == 7);
    late.whole = 8;
    assert_true(stats_value_at(stats, 0) == 8);
    late.whole = 9;
    expect_json(stats, "{\n  \"late\": 9\n}\n");
    late.whole = 10;
    stats_begin(stats);
    late.whole = 12;
    expect_json(stats, "{\n  \"late\": 2\n}\n");
    stats_free(stats);
}

static void clashes_abort(void **state)
{
    (void)state;
    assert_true(registering_aborts("a.b"));   /* registered twice */
    assert_true(registering_aborts("a"));     /* already a group */
    assert_true(registering_aborts("a.b.c")); /* below a name that is a statistic */
    assert_true(registering_aborts("a..c"));
    assert_true(registering_aborts(""));
    assert_true(registering_aborts("c."));
    assert_false(registering_aborts("a.c"));
    assert_false(registering_aborts("b"));
}

/* Saving. Every test has its own directory. */

struct fixture {
    char directory[64], path[96];
    struct stats *stats;
};

static uint64_t seven = 7;
static const char saved_text[] = "{\n  \"seven\": 7\n}\n";

static int fixture_setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    strcpy(fixture->directory, "/tmp/test_stats.XXXXXX");
    if (!mkdtemp(fixture->directory))
        return -1;
    snprintf(fixture->path, sizeof fixture->path, "%s/s.json", fixture->directory);
    fixture->stats = stats_create();
    stats_counter(fixture->stats, "seven", "", "", &seven);
    *state = fixture;
    return 0;
}

static int files_in(const char *directory, bool delete)
{
    int count = 0;
    char path[512];
    DIR *entries = opendir(directory);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (delete &&unlink(path) != 0)
            rmdir(path);
    }
    closedir(entries);
    return count;
}

static int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;
    chmod(fixture->directory, 0700);
    files_in(fixture->directory, true);
    int result = rmdir(fixture->directory);
    stats_free(fixture->stats);
    free(fixture);
    return result;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect_file(const char *path, const char *expected)
{
    char text[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void saves_new_and_over_old(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    struct stat info;
    mode_t mask = umask(027);
    assert_true(stats_save_json(fixture->stats, fixture->path, &err));
    umask(mask);
    expect_file(fixture->path, saved_text);
    assert_int_equal(stat(fixture->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    write_file(fixture->path, "a much longer text that was there before, to be gone without a rest");
    assert_int_equal(chmod(fixture->path, 0604), 0);
    assert_true(stats_save_json(fixture->stats, fixture->path, &err));
    expect_file(fixture->path, saved_text);
    assert_int_equal(stat(fixture->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0604);
    assert_int_equal(files_in(fixture->directory, false), 1);
    assert_int_equal(err.text[0], '\0');
}

static void keeps_links(void **state)
{
    struct fixture *fixture = *state;
    char link[128];
    struct stat info;
    snprintf(link, sizeof link, "%s/link", fixture->directory);
    write_file(fixture->path, "old");
    assert_int_equal(symlink("s.json", link), 0);
    assert_true(stats_save_json(fixture->stats, link, NULL));
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_file(fixture->path, saved_text);
}

static void errors_name_path_and_reason(void **state)
{
    struct fixture *fixture = *state;
    char path[160], expected[256];
    struct err missing = {0}, directory = {0}, full = {0};
    snprintf(path, sizeof path, "%s/none/s.json", fixture->directory);
    assert_false(stats_save_json(fixture->stats, path, &missing));
    snprintf(expected, sizeof expected, "statistics file %s: No such file or directory", path);
    assert_string_equal(missing.text, expected);
    assert_false(stats_save_json(fixture->stats, fixture->directory, &directory));
    assert_non_null(strstr(directory.text, "Is a directory"));
    if (access("/dev/full", W_OK) == 0) {
        assert_false(stats_save_json(fixture->stats, "/dev/full", &full));
        assert_string_equal(full.text, "statistics file /dev/full: No space left on device");
    }
    assert_false(stats_save_json(fixture->stats, "", NULL));
    assert_int_equal(files_in(fixture->directory, false), 0);
}

/* A file-size limit of zero simulates a full disk: the old file stays, and no temporary file remains. */
static void failure_leaves_what_was_there(void **state)
{
    struct fixture *fixture = *state;
    write_file(fixture->path, "old");
    pid_t child = fork();
    if (child == 0) {
        struct err err = {0};
        const struct rlimit none = {0};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &none) != 0)
            _exit(2);
        bool saved = stats_save_json(fixture->stats, fixture->path, &err);
        _exit(!saved && strstr(err.text, "File too large") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    expect_file(fixture->path, "old");
    assert_int_equal(files_in(fixture->directory, false), 1);
}

static void writes_to_what_is_no_file(void **state)
{
    struct fixture *fixture = *state;
    struct stat info;
    assert_true(stats_save_json(fixture->stats, "/dev/null", NULL));
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    /* stdout is a file here: statistics are appended to the printed output */
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    FILE *file = fopen(fixture->path, "w");
    assert_non_null(file);
    dup2(fileno(file), STDOUT_FILENO);
    fclose(file);
    printf("before\n");
    bool first = stats_save_json(fixture->stats, "/dev/stdout", NULL);
    bool second = stats_save_json(fixture->stats, "/dev/fd/1", NULL);
    printf("after\n");
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    assert_true(first && second);
    char expected[256];
    snprintf(expected, sizeof expected, "before\n%s%safter\n", saved_text, saved_text);
    expect_file(fixture->path, expected);
    struct err err = {0};
    assert_false(stats_save_json(fixture->stats, "/dev/fd/999999", &err));
    assert_string_equal(err.text, "statistics file /dev/fd/999999: Bad file descriptor");
}

#define PLACED(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nests_along_the_dots),
        cmocka_unit_test(doubles),
        cmocka_unit_test(text_is_always_utf8),
        cmocka_unit_test(values_and_names),
        cmocka_unit_test(statistics_can_begin_later),
        cmocka_unit_test(late_counters_are_up_to_date),
        cmocka_unit_test(clashes_abort),
        PLACED(saves_new_and_over_old),
        PLACED(keeps_links),
        PLACED(errors_name_path_and_reason),
        PLACED(failure_leaves_what_was_there),
        PLACED(writes_to_what_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
