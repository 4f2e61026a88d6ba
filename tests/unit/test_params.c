/*
 * The parameter table: accepted values, their meaning, and error messages.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/params.h"

static const struct param_def defs[] = {
    {"machine.cpus", PARAM_INT, TRAIT_TIMED, "", "1", 1, 16, false, NULL, "number of CPUs"},
    {"cache.l1d.size", PARAM_SIZE, TRAIT_TIMED | TRAIT_HARDWARE | TRAIT_SWEPT, "bytes", "16K", 1024, 1ull << 30, true,
     NULL, "level-one data cache"},
    {"cache.l2.size", PARAM_SIZE, TRAIT_FIXED | TRAIT_LOCATION, "bytes", "1M", 0, 1ull << 30, true, NULL,
     "level-two cache"},
    {"mem.latency", PARAM_TIME, TRAIT_TIMED, "ns", "500", 1, 1000000, false, NULL, "main memory"},
    {"cpu.clock", PARAM_HZ, TRAIT_TIMED, "Hz", "200M", 1000000, 2000000000, false, NULL, "CPU clock"},
    {"cpu.fpu", PARAM_BOOL, TRAIT_TIMED, "", "1", 0, 0, false, NULL, "has a floating-point unit"},
    {"cache.policy", PARAM_CHOICE, TRAIT_UNTIMED | TRAIT_OBSERVES | TRAIT_POWER_ON, "", "lru", 0, 0, false,
     "lru|random|fifo", "replacement"},
    {"store.allocate", PARAM_CHOICE, TRAIT_TIMED, "", "on", 0, 0, false, "on|off|validate", "allocation"},
    {"run.append", PARAM_STRING, TRAIT_TIMED, "", "", 0, 0, false, NULL, "kernel arguments"},
    {"run.insns", PARAM_INT, TRAIT_TIMED, "", "0", 0, UINT64_MAX, false, NULL, "limit"},
    {"any.size", PARAM_SIZE, TRAIT_TIMED, "bytes", "0", 0, UINT64_MAX, false, NULL, "limit"},
};
enum { DEFS = sizeof defs / sizeof defs[0] };

static int setup(void **state)
{
    struct params *params = params_create();
    params_define(params, defs, DEFS);
    *state = params;
    return 0;
}

static int teardown(void **state)
{
    params_free(*state);
    return 0;
}

static void expect(struct params *params, const char *name, const char *text, uint64_t number, const char *canonical)
{
    struct err err = {0};
    char buffer[64];
    if (!params_set(params, name, text, &err))
        fail_msg("%s=%s: %s", name, text, err.text);
    assert_true(params_u64(params, name) == number);
    assert_true(params_text(params, name, buffer, sizeof buffer));
    assert_string_equal(buffer, canonical);
    /* the canonical text parses to the same value */
    assert_true(params_set(params, name, buffer, &err));
    assert_true(params_u64(params, name) == number);
}

/* NAME=TEXT fails without effect, and the message contains NAME and MENTION. */
static void refuse(struct params *params, const char *name, const char *text, const char *mention)
{
    struct err err = {0};
    char before[64], after[64];
    bool known = params_text(params, name, before, sizeof before);
    if (params_set(params, name, text, &err))
        fail_msg("%s=%s was accepted", name, text);
    if (!strstr(err.text, name) || !strstr(err.text, mention))
        fail_msg("\"%s\" does not mention %s and %s", err.text, name, mention);
    if (known) {
        params_text(params, name, after, sizeof after);
        assert_string_equal(before, after);
    }
}

static void initial_values(void **state)
{
    assert_int_equal(params_u64(*state, "machine.cpus"), 1);
    assert_int_equal(params_u64(*state, "cache.l1d.size"), 16384);
    assert_int_equal(params_u64(*state, "mem.latency"), 500);
    assert_int_equal(params_u64(*state, "cpu.clock"), 200000000);
    assert_true(params_bool(*state, "cpu.fpu"));
    assert_int_equal(params_u64(*state, "cpu.fpu"), 1);
    assert_string_equal(params_string(*state, "cache.policy"), "lru");
    assert_string_equal(params_string(*state, "run.append"), "");
}

static void numbers(void **state)
{
    expect(*state, "machine.cpus", "16", 16, "16");
    expect(*state, "machine.cpus", "0x8", 8, "8");
    expect(*state, "run.insns", "18446744073709551615", UINT64_MAX, "18446744073709551615");
    expect(*state, "run.insns", "0xffffffffffffffff", UINT64_MAX, "18446744073709551615");
    expect(*state, "cache.l1d.size", "32K", 32768, "32K");
    expect(*state, "cache.l1d.size", "1024", 1024, "1K");
    expect(*state, "cache.l1d.size", "1g", 1u << 30, "1G");
    expect(*state, "cache.l1d.size", "0.5M", 512u << 10, "512K");
    expect(*state, "cache.l2.size", "0", 0, "0"); /* none */
    expect(*state, "any.size", "1536K", 1536u << 10, "1536K");
    expect(*state, "any.size", "1.5M", 1536u << 10, "1536K");
    expect(*state, "any.size", "1000", 1000, "1000");
    expect(*state, "any.size", "17179869183G", 17179869183ull << 30, "17179869183G");
    expect(*state, "mem.latency", "50", 50, "50ns");
    expect(*state, "mem.latency", "50ns", 50, "50ns");
    expect(*state, "mem.latency", "2us", 2000, "2us");
    expect(*state, "mem.latency", "0.25us", 250, "250ns");
    expect(*state, "mem.latency", "1ms", 1000000, "1ms");
    expect(*state, "mem.latency", "0.001s", 1000000, "1ms");
    expect(*state, "cpu.clock", "33.3MHz", 33300000, "33300KHz");
    expect(*state, "cpu.clock", "500M", 500000000, "500MHz");
    expect(*state, "cpu.clock", "2GHz", 2000000000, "2GHz");
    expect(*state, "cpu.clock", "1500000Hz", 1500000, "1500KHz");
    expect(*state, "cpu.clock", "1000001", 1000001, "1000001Hz");
}

static void words(void **state)
{
    static const char *const yes[] = {"1", "true", "yes", "on", "YES"};
    static const char *const no[] = {"0", "false", "no", "off"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        expect(*state, "cpu.fpu", yes[i], 1, "on");
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        expect(*state, "cpu.fpu", no[i], 0, "off");
    struct err err = {0};
    assert_true(params_set(*state, "cache.policy", "random", &err));
    assert_string_equal(params_string(*state, "cache.policy"), "random");
    assert_true(params_set(*state, "run.append", "quiet root=/dev/vda a=b", &err));
    assert_string_equal(params_string(*state, "run.append"), "quiet root=/dev/vda a=b");
    assert_true(params_set(*state, "run.append", params_string(*state, "run.append"), &err));
    assert_string_equal(params_string(*state, "run.append"), "quiet root=/dev/vda a=b");
}

static void malformed(void **state)
{
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "-1",
                                      "+1",
                                      "K",
                                      "1KK",
                                      "1T",
                                      "0x",
                                      "0x1g",
                                      "0x1K",
                                      "1..",
                                      "1.5.",
                                      ".5",
                                      "1e3",
                                      "1,5",
                                      "nan",
                                      "0x1.8",
                                      "1.0000000000000000001"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refuse(*state, "machine.cpus", bad[i], "valid: 1..16");
        refuse(*state, "cache.l1d.size", bad[i], "valid: 1K..1G, a power of two");
        refuse(*state, "mem.latency", bad[i], "valid: 1ns..1ms");
        refuse(*state, "cpu.clock", bad[i], "valid: 1MHz..2GHz");
    }
    refuse(*state, "machine.cpus", "1K", "not a whole number");
    refuse(*state, "machine.cpus", "1.5", "not a whole number");
    refuse(*state, "any.size", "0.3K", "not a size");
    refuse(*state, "mem.latency", "5Ms", "not a time");
    refuse(*state, "cpu.clock", "20MB", "not a frequency");
    refuse(*state, "cpu.fpu", "maybe", "neither on");
    refuse(*state, "cpu.fpu", "", "neither on");
}

/* A choice that has "on" and "off" takes the words of a BOOL. */
static void choices_of_on_and_off(void **state)
{
    static const char *const words[][2] = {
        {"on", "on"},  {"yes", "on"},           {"1", "on"}, {"false", "off"}, {"0", "off"},
        {"No", "off"}, {"validate", "validate"}};
    struct err err = {""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_true(params_set(*state, "store.allocate", words[i][0], &err));
        assert_string_equal(params_string(*state, "store.allocate"), words[i][1]);
    }
    refuse(*state, "store.allocate", "2", "not one of");
}

static void out_of_range(void **state)
{
    refuse(*state, "machine.cpus", "0", "valid: 1..16");
    refuse(*state, "machine.cpus", "17", "valid: 1..16");
    refuse(*state, "cache.l1d.size", "3K", "a power of two");
    refuse(*state, "cache.l1d.size", "512", "valid: 1K..1G, a power of two");
    refuse(*state, "cache.l1d.size", "2G", "valid: 1K..1G");
    refuse(*state, "cache.l1d.size", "0", "valid: 1K..1G");
    refuse(*state, "cpu.clock", "2000000001", "valid: 1MHz..2GHz");
    /* just beyond 64 bits, and far beyond 128 */
    refuse(*state, "run.insns", "18446744073709551616", "valid: 0 or more");
    refuse(*state, "run.insns", "0x10000000000000000", "valid: 0 or more");
    refuse(*state, "any.size", "17179869184G", "valid: 0 or more");
    refuse(*state, "run.insns", "9999999999999999999999999999999999999999999999999999999999999", "out of range");
    refuse(*state, "run.insns", "340282366920938463463374607431768211457", "out of range"); /* 2^128 + 1 */
}

static void choices_and_strings(void **state)
{
    refuse(*state, "cache.policy", "plru", "lru|random|fifo");
    refuse(*state, "cache.policy", "", "lru|random|fifo");
    refuse(*state, "cache.policy", "lru|random", "lru|random|fifo");
    refuse(*state, "cache.policy", "rand", "lru|random|fifo");
    assert_true(params_is(*state, "cache.policy", "lru"));
    assert_false(params_is(*state, "cache.policy", "fifo"));
    char *text = malloc(4098);
    assert_non_null(text);
    memset(text, 'a', 4097);
    text[4097] = '\0';
    refuse(*state, "run.append", text, "4096");
    text[4096] = '\0';
    assert_true(params_set(*state, "run.append", text, NULL));
    assert_string_equal(params_string(*state, "run.append"), text);
    free(text);
}

static void unknown_names(void **state)
{
    refuse(*state, "cache.l1d.siz", "1", "mean \"cache.l1d.size\"");
    refuse(*state, "cach.l2.size", "1", "mean \"cache.l2.size\"");
    refuse(*state, "machine.cups", "1", "mean \"machine.cpus\"");
    refuse(*state, "l1d.size", "1", "mean \"cache.l1d.size\"");
    refuse(*state, "policy", "1", "mean \"cache.policy\"");
    refuse(*state, "zzzzzzzzzzzzzzz", "1", "simos params");
    refuse(*state, "", "1", "simos params");
    struct err err = {0};
    char name[1000];
    memset(name, 'c', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(params_set(*state, name, "1", &err));
    assert_non_null(strstr(err.text, "simos params"));
    assert_false(params_text(*state, "nothing", NULL, 0));
    assert_null(params_find(*state, "nothing"));
}

static void assignments(void **state)
{
    struct err err = {0};
    assert_true(params_set_assignment(*state, "machine.cpus=4", &err));
    assert_int_equal(params_u64(*state, "machine.cpus"), 4);
    assert_true(params_set_assignment(*state, "run.append=a=b", &err));
    assert_string_equal(params_string(*state, "run.append"), "a=b");
    assert_true(params_set_assignment(*state, "run.append=", &err));
    assert_string_equal(params_string(*state, "run.append"), "");
    assert_false(params_set_assignment(*state, "machine.cpus", &err));
    assert_string_equal(err.text, "\"machine.cpus\" is not NAME=VALUE");
    assert_false(params_set_assignment(*state, "=4", NULL));
    assert_false(params_set_assignment(*state, "", NULL));
}

static void copies_are_apart(void **state)
{
    assert_true(params_set(*state, "run.append", "first", NULL));
    struct params *copy = params_copy(*state);
    assert_true(params_set(*state, "run.append", "second", NULL));
    assert_true(params_set(copy, "machine.cpus", "2", NULL));
    assert_string_equal(params_string(copy, "run.append"), "first");
    assert_string_equal(params_string(*state, "run.append"), "second");
    assert_int_equal(params_u64(*state, "machine.cpus"), 1);
    params_free(copy);
    struct params *empty = params_create(), *copy_of_empty = params_copy(empty);
    assert_null(params_at(copy_of_empty, 0));
    params_free(empty);
    params_free(copy_of_empty);
    params_free(NULL);
}

static void iteration_and_text(void **state)
{
    for (size_t i = 0; i < DEFS; i++)
        assert_ptr_equal(params_at(*state, i), &defs[i]);
    assert_null(params_at(*state, DEFS));
    assert_ptr_equal(params_find(*state, "cache.policy"), &defs[6]);
    char small[3];
    assert_true(params_text(*state, "cpu.clock", small, sizeof small));
    assert_string_equal(small, "20");
    assert_true(params_text(*state, "cpu.clock", NULL, 0));
}

static void printing(void **state)
{
    char *text = NULL;
    size_t size = 0;
    assert_true(params_set(*state, "cache.l1d.size", "64K", NULL));
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(params_print(*state, "cache.", out), 3);
    fclose(out);
    assert_string_equal(
        text, "NAME            VALUE  DEFAULT  RANGE                   UNIT   TRAITS                     MEANING\n"
              "cache.l1d.size  64K    16K      1K..1G, a power of two  bytes  timed,hardware,swept       "
              "level-one data cache\n"
              "cache.l2.size   1M     1M       0..1G, a power of two   bytes  fixed,location             "
              "level-two cache\n"
              "cache.policy    lru    lru      lru|random|fifo         -      untimed,observes,"
              "power-on  replacement\n");
    free(text);
    out = open_memstream(&text, &size);
    assert_int_equal(params_print(*state, "nothing", out), 0);
    fclose(out);
    assert_string_equal(text, "");
    free(text);
    out = open_memstream(&text, &size);
    assert_int_equal(params_print(*state, NULL, out), DEFS);
    fclose(out);
    free(text);
}

/* A long value does not widen all rows. */
static void printing_long_texts(void **state)
{
    static const char text[] = "a text that is longer than a cell of the table";
    static const struct param_def strings[] = {
        {"long.one", PARAM_STRING, TRAIT_TIMED, "", text, 0, 0, false, NULL, "first"},
        {"long.two", PARAM_STRING, TRAIT_TIMED, "", "short", 0, 0, false, NULL, "second"},
    };
    struct params *params = params_create();
    char *table = NULL;
    size_t size = 0;
    (void)state;
    params_define(params, strings, 2);
    assert_true(params_set(params, "long.two", text, NULL));
    FILE *out = open_memstream(&table, &size);
    assert_int_equal(params_print(params, NULL, out), 2);
    fclose(out);
    assert_string_equal(table, "NAME      VALUE  DEFAULT  RANGE  UNIT  TRAITS  MEANING\n"
                               "long.one  below  below    text   -     timed   first\n"
                               "    value:   a text that is longer than a cell of the table\n"
                               "    default: a text that is longer than a cell of the table\n"
                               "long.two  below  short    text   -     timed   second\n"
                               "    value:   a text that is longer than a cell of the table\n");
    free(table);
    params_free(params);
}

/* Does ACT end in log_bug()'s abort? */
static bool aborts(void (*act)(struct params *params), struct params *params)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (freopen("/dev/null", "w", stderr))
            act(params);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void define_twice(struct params *params)
{
    params_define(params, defs, 1);
}

static void define_bad(struct params *params)
{
    static const struct param_def bad = {"bad", PARAM_INT, TRAIT_TIMED, "", "9", 0, 8, false, NULL, ""};
    params_define(params, &bad, 1);
}

/* Traits that say nothing of a restored machine, or two things. */
static void define_without_traits(struct params *params)
{
    static const struct param_def row = {.name = "new", .type = PARAM_BOOL, .initial = "off"};
    params_define(params, &row, 1);
}

static void define_without_time(struct params *params)
{
    static const struct param_def row = {
        .name = "new", .type = PARAM_BOOL, .traits = TRAIT_HARDWARE | TRAIT_LOCATION, .initial = "off"};
    params_define(params, &row, 1);
}

static void define_with_two_times(struct params *params)
{
    static const struct param_def row = {
        .name = "new", .type = PARAM_BOOL, .traits = TRAIT_TIMED | TRAIT_UNTIMED, .initial = "off"};
    params_define(params, &row, 1);
}

static void read_undefined(struct params *params)
{
    params_u64(params, "nothing");
}

static void read_string_of_number(struct params *params)
{
    params_string(params, "machine.cpus");
}

static void ask_for_another_choice(struct params *params)
{
    params_is(params, "cache.policy", "no choice");
}

static void ask_for_the_choice_of_a_number(struct params *params)
{
    params_is(params, "run.insns", "0");
}

static void read_number_of_string(struct params *params)
{
    params_u64(params, "run.append");
}

static void what_was_set_is_known(void **state)
{
    struct params *params = *state;
    struct err err = {""};
    char before[64];
    assert_false(params_is_set(params, "machine.cpus"));
    assert_true(params_text(params, "machine.cpus", before, sizeof before));
    assert_true(params_set(params, "machine.cpus", before, &err));
    assert_true(params_is_set(params, "machine.cpus"));
    struct params *copy = params_copy(params);
    params_mark_unset(params);
    assert_false(params_is_set(params, "machine.cpus"));
    assert_true(params_is_set(copy, "machine.cpus"));
    assert_false(params_set(params, "machine.cpus", "many", &err));
    assert_false(params_is_set(params, "machine.cpus"));
    assert_false(params_is_set(params, "machine.none"));
    params_free(copy);
}

static void read_bool_of_number(struct params *params)
{
    params_bool(params, "machine.cpus");
}

static void bugs_abort(void **state)
{
    assert_true(aborts(define_twice, *state));
    assert_true(aborts(define_bad, *state));
    assert_true(aborts(define_without_traits, *state));
    assert_true(aborts(define_without_time, *state));
    assert_true(aborts(define_with_two_times, *state));
    assert_true(aborts(read_undefined, *state));
    assert_true(aborts(read_string_of_number, *state));
    assert_true(aborts(read_number_of_string, *state));
    assert_true(aborts(ask_for_another_choice, *state));
    assert_true(aborts(ask_for_the_choice_of_a_number, *state));
    assert_true(aborts(read_bool_of_number, *state));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(initial_values),
        TEST(numbers),
        TEST(words),
        TEST(malformed),
        TEST(choices_of_on_and_off),
        TEST(out_of_range),
        TEST(choices_and_strings),
        TEST(unknown_names),
        TEST(assignments),
        TEST(copies_are_apart),
        TEST(what_was_set_is_known),
        TEST(iteration_and_text),
        TEST(printing),
        TEST(printing_long_texts),
        TEST(bugs_abort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
