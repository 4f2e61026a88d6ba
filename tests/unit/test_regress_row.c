/* Rows of test files (src/regress/regress_row.h, docs/how-to/regression-tests.md): what a row counts in a run's
 * statistics, and that its parts add up to it. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/regress/regress_row.h"

#define COLUMNS "['mode', 'service', 'process', 'routine', 'data', 'cache', 'class', 'misses', 'stall']"

/* The members that the statistics of every run have. */
#define EMPTY_ACCOUNT "{'cycles': 0, 'insns': 0, 'execute': 0, 'wait': 0, 'stall': {}}"
#define RUN                                                                                                            \
    "'machine': {'time': 1}, 'cpu0': {'mode': {'user': " EMPTY_ACCOUNT ", 'kernel': " EMPTY_ACCOUNT                    \
    ", 'idle': " EMPTY_ACCOUNT "}}"

/* Statistics with two CPUs, two services of two processes, misses by place, and locks. */
static const char statistics[] =
    "{'machine': {'time': 1107}, 'parameters': {'cache': {'classify': 'full'}},"
    "'cpu0': {'l1i': {'misses': 1}, 'l1d': {'misses': 1}, 'l2': {'misses': 1}, 'mode': {"
    "'user': {'cycles': 100, 'insns': 60, 'execute': 85, 'wait': 0, 'stall': {'l1i': 10, 'l1d': 5}},"
    "'kernel': {'cycles': 1000, 'insns': 600, 'execute': 810, 'wait': 50, 'stall': {'l1i': 100, 'l1d': 40}},"
    "'idle': {'cycles': 7, 'insns': 3, 'execute': 3, 'wait': 4, 'stall': {}}}},"
    "'cpu1': {'mode': {"
    "'user': {'cycles': 1, 'insns': 1, 'execute': 1, 'wait': 0, 'stall': {}},"
    "'kernel': {'cycles': 2, 'insns': 2, 'execute': 2, 'wait': 0, 'stall': {}},"
    "'idle': {'cycles': 3, 'insns': 1, 'execute': 1, 'wait': 2, 'stall': {}}}},"
    "'annotations': {'services': {"
    "'clone': {'calls': 3, 'cycles': 700, 'insns': 400, 'wait': 0, 'stall': {'l1i': 70, 'l1d': 30, 'uncached': 8}},"
    "'read': {'calls': 5, 'cycles': 302, 'insns': 202, 'wait': 50, 'stall': {'l1i': 30, 'l1d': 10}}},"
    "'processes': [{'name': 'sh', 'user': {'cycles': 80, 'insns': 50, 'wait': 0, 'stall': {}}, 'kernel': {'cycles': "
    "600,"
    " 'insns': 300, 'wait': 0, 'stall': {}}, 'idle': {}, 'services': {'clone': {'calls': 2, 'cycles': 500, 'insns': "
    "300}}},"
    "{'name': 'ls', 'user': {'cycles': 21, 'insns': 11, 'wait': 0, 'stall': {}}, 'kernel': {}, 'idle': {},"
    " 'services': {'clone': {'calls': 1, 'cycles': 200, 'insns': 100}, 'read': {'calls': 5}}}],"
    "'misses': {'columns': " COLUMNS ", 'rows': ["
    "['kernel', 'clone', 'sh', 'copy_process', '', 'l1i', 'capacity', 7, 70],"
    "['kernel', 'clone', 'sh', 'copy_process', 'slab task_struct', 'l1d', 'capacity', 4, 20],"
    "['kernel', 'clone', 'ls', 'dup_mm', 'slab mm_struct', 'l1d', 'conflict', 2, 10],"
    "['kernel', 'clone', 'ls', 'dup_mm', 'slab mm_struct', 'l2', 'upgrade', 9, 0],"
    "['kernel', 'read', 'ls', 'vfs_read', '', 'l1i', 'cold', 3, 30],"
    "['kernel', 'read', 'ls', 'vfs_read', 'file a', 'l1d', 'cold', 1, 10]]},"
    "'locks': [{'name': 'tasklist_lock', 'kind': 'write', 'caller': 'release_task', 'acquires': 6, 'contended': 2,"
    " 'wait': 30, 'held': 90},"
    "{'name': 'd_alloc', 'kind': 'spin', 'caller': 'd_alloc', 'acquires': 11, 'contended': 0, 'wait': 0, 'held': "
    "44}]}}";

/* The statistics TEXT, in which apostrophes stand for quotes. */
static json_t *parse_statistics(const char *text)
{
    char *copy = strdup(text);
    for (char *at = copy; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *root = json_loads(copy, 0, NULL);
    free(copy);
    assert_non_null(root);
    return root;
}

static void read_statistics(struct results *results, const char *text)
{
    struct err err = {""};
    json_t *root = parse_statistics(text);
    if (!results_read(results, "test", root, &err))
        fail_msg("%s", err.text);
    json_decref(root);
}

static struct results results;

static int load(void **state)
{
    (void)state;
    read_statistics(&results, statistics);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    results_release(&results);
    return 0;
}

/* Parse LINE, words separated by blanks, "+" standing for a blank in them. */
static bool parse(struct regress_row *row, const char *line, struct err *err)
{
    char text[256], *rest = NULL;
    const char *words[16];
    unsigned count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        for (char *at = word; *at; at++)
            *at = *at == '+' ? ' ' : *at;
        words[count++] = word;
    }
    return regress_row_parse(row, count, words, err);
}

/* The value of the row "r WORDS -exact"; its parts must add up to it. */
static uint64_t value_of(const char *words, unsigned *unmatched, struct regress_parts *parts)
{
    struct regress_row row;
    struct err err = {""};
    char line[256];
    uint64_t value;
    int64_t sum = 0;
    snprintf(line, sizeof line, "r %s -exact", words);
    if (!parse(&row, line, &err) || !regress_row_value(&row, &results, &value, parts, unmatched, &err))
        fail_msg("%s: %s", words, err.text);
    regress_parts_join(parts);
    for (size_t i = 0; i < parts->count; i++)
        sum += parts->parts[i].amount;
    if (sum != (int64_t)value)
        fail_msg("%s: the parts add up to %lld of %llu", words, (long long)sum, (unsigned long long)value);
    regress_row_release(&row);
    return value;
}

static void values(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        uint64_t value;
    } rows[] = {
        {"misses", 17}, /* an upgrade is no miss */
        {"misses -cache l1d", 7},
        {"misses -service clone -cache l1d", 6},
        {"misses -service clone -process sh", 11},
        {"misses -data slab+*", 6},
        {"misses -data slab+* -class upgrade", 9},
        {"misses -routine copy_process -class capacity", 11},
        {"misses -mode kernel -process l?", 6},
        {"stall -routine dup_mm", 10},
        {"stall -cache l1i", 100},
        {"stall -service clone", 108},
        {"stall -mode kernel", 140},
        {"cycles", 1002}, /* of all services */
        {"cycles -service clone", 700},
        {"cycles -mode *", 1113},
        {"cycles -mode user -process sh", 80},
        {"insns -mode kernel", 602},
        {"insns -service clone -process ls", 100},
        {"wait -mode idle", 6},
        {"calls -service clone", 3},
        {"calls -service clone -process sh", 2},
        {"acquires", 17},
        {"acquires -kind spin", 11},
        {"contended -lock tasklist*", 2},
        {"waited", 30},
        {"held -lock d_alloc", 44},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regress_parts parts = {0};
        unsigned unmatched;
        const uint64_t value = value_of(rows[i].words, &unmatched, &parts);
        if (value != rows[i].value)
            fail_msg("%s: %llu instead of %llu", rows[i].words, (unsigned long long)value,
                     (unsigned long long)rows[i].value);
        assert_int_equal(unmatched, 0);
        regress_parts_release(&parts);
    }
}

static int64_t part(const struct regress_parts *parts, const char *place)
{
    for (size_t i = 0; i < parts->count; i++)
        if (strcmp(parts->parts[i].place, place) == 0)
            return parts->parts[i].amount;
    fail_msg("there is no part \"%s\"", place);
    return 0;
}

/* Cycles are execution, wait, the stall of each place, and the stall that is no miss's. */
static void parts_of_cycles(void **state)
{
    (void)state;
    struct regress_parts parts = {0};
    unsigned unmatched;
    value_of("cycles -service *", &unmatched, &parts);
    assert_int_equal(part(&parts, "clone; execution"), 592);
    assert_int_equal(part(&parts, "clone; l1d capacity; slab task_struct; copy_process"), 20);
    assert_int_equal(part(&parts, "clone; l1i capacity; (instructions); copy_process"), 70);
    assert_int_equal(part(&parts, "clone; other stall"), 8);
    assert_int_equal(part(&parts, "read; wait"), 50);
    regress_parts_release(&parts);
    value_of("stall -service *", &unmatched, &parts);
    assert_int_equal(part(&parts, "clone; l1d capacity; slab task_struct; copy_process"), 20);
    assert_int_equal(part(&parts, "clone; other stall"), 8);
    regress_parts_release(&parts);
    value_of("held -kind write", &unmatched, &parts);
    assert_int_equal(part(&parts, "tasklist_lock; write; release_task"), 90);
    regress_parts_release(&parts);
}

static void patterns_that_match_nothing(void **state)
{
    (void)state;
    struct regress_parts parts = {0};
    unsigned unmatched;
    assert_int_equal(value_of("misses -service clown -cache l1d", &unmatched, &parts), 0);
    assert_int_equal(unmatched, 1 << REGRESS_SERVICE);
    assert_int_equal(value_of("misses -service clone -class cold -cache l1d", &unmatched, &parts), 0);
    assert_int_equal(unmatched, 0); /* each matches something, together nothing */
    regress_parts_release(&parts);
}

/* What a run could have had and has not is 0: every mode, class and kind of lock that simos knows, and the caches of
 * the machine. */
static void known_words_are_zero(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        unsigned unmatched;
    } rows[] = {
        {"misses -class false_sharing", 0},
        {"misses -class *sharing", 0},
        {"misses -class flushed -mode idle", 0},
        {"misses -service clone -class true_sharing -cache l1i", 0},
        {"stall -class inclusion", 0},
        {"contended -kind semaphore", 0},
        {"held -kind mutex", 0},
        {"acquires -lock tasklist_lock -kind read", 0},
        {"misses -cache l3", 1 << REGRESS_CACHE},
        {"misses -cache l3* -class false_sharing", 1 << REGRESS_CACHE},
        {"misses -class false_sharing -data kernel+data+counters", 1 << REGRESS_DATA},
        {"contended -lock nolock -kind mutex", 1 << REGRESS_LOCK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regress_parts parts = {0};
        unsigned unmatched;
        if (value_of(rows[i].words, &unmatched, &parts) != 0 || unmatched != rows[i].unmatched)
            fail_msg("%s: unmatched 0x%x instead of 0x%x, or not 0", rows[i].words, unmatched, rows[i].unmatched);
        regress_parts_release(&parts);
    }
}

/* A class that the run does not distinguish could not have been seen. */
static void classes_of_the_run(void **state)
{
    (void)state;
    struct regress_parts parts = {0};
    unsigned unmatched;
    json_t *parameters = json_object_get(json_object_get(results.root, "parameters"), "cache");
    static const char *const modes[][3] = {
        {"off", "misses -class true_sharing", "no"},      {"replacement", "misses -class true_sharing", "no"},
        {"sharing", "misses -class true_sharing", "yes"}, {"full", "misses -class true_sharing", "yes"},
        {"replacement", "misses -class flushed", "yes"},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        json_object_set_new(parameters, "classify", json_string(modes[i][0]));
        value_of(modes[i][1], &unmatched, &parts);
        assert_int_equal(unmatched, strcmp(modes[i][2], "yes") == 0 ? 0 : 1 << REGRESS_CLASS);
    }
    json_object_set_new(parameters, "classify", json_string("full"));
    regress_parts_release(&parts);
}

static void refused_rows(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"r misses", "row \"r\" has no limit: -within PERCENT, -at-most NUMBER or -exact"},
        {"r mises -exact",
         "row \"r\": \"mises\" is no figure; valid: misses, stall, cycles, insns, wait, calls, acquires, "
         "contended, waited, held"},
        {"r misses -within x", "row \"r\": -within \"x\" is not a percentage from 0 to 1000"},
        {"r misses -within -1", "row \"r\": -within \"-1\" is not a percentage from 0 to 1000"},
        {"r misses -within", "row \"r\": -within needs a value"},
        {"r misses -at-most -3", "row \"r\": -at-most \"-3\" is not a whole number"},
        {"r misses -at-most 99999999999999999999",
         "row \"r\": -at-most \"99999999999999999999\" is not a whole number"},
        {"r misses -direction down -within 1", "row \"r\": -direction \"down\" is neither more nor both"},
        {"r misses -direction both -exact", "row \"r\": -direction needs -within"},
        {"r cycles -cache l1d -exact", "row \"r\": cycles have no cache"},
        {"r misses -lock x -exact", "row \"r\": misses have no lock"},
        {"r cycles -mode user -service USER -exact",
         "row \"r\": -mode and -service: only one of them, a service has one mode"},
        {"r insns -mode user -service USER -exact",
         "row \"r\": -mode and -service: only one of them, a service has one mode"},
        {"r wait -mode user -service USER -exact",
         "row \"r\": -mode and -service: only one of them, a service has one mode"},
        {"r stall -mode user -service USER -exact",
         "row \"r\": -mode and -service: only one of them, a service has one mode"},
        {"r misses -color red -exact",
         "row \"r\": unknown option -color; valid: -mode, -service, -process, -routine, -data, "
         "-cache, -class, -lock, -kind, -within, -direction, -at-most, -exact, -placement"},
        {"r misses -class false-sharing -at-most 0",
         "row \"r\": -class \"false-sharing\" is none of: cold, capacity, conflict, inclusion, true_sharing, "
         "false_sharing, flushed, upgrade, interference"},
        {"r misses -class coherence -at-most 0",
         "row \"r\": -class \"coherence\" is none of: cold, capacity, conflict, inclusion, true_sharing, "
         "false_sharing, flushed, upgrade, interference"},
        {"r misses -class x* -exact",
         "row \"r\": -class \"x*\" is none of: cold, capacity, conflict, inclusion, true_sharing, false_sharing, "
         "flushed, upgrade, interference"},
        {"r misses -cache l4 -exact", "row \"r\": -cache \"l4\" is none of: l1i, l1d, l2i, l2, l3i, l3"},
        {"r cycles -mode kernle -exact", "row \"r\": -mode \"kernle\" is none of: user, kernel, idle"},
        {"r held -kind spinlock -exact",
         "row \"r\": -kind \"spinlock\" is none of: spin, read, write, mutex, shared, exclusive, semaphore"},
        {"r misses -within 1 -placement linked", "row \"r\": -placement \"linked\" is not own, as-linked or both"},
        {"r misses -exact -placement as-linked", "row \"r\": -placement needs -within"},
        {"r misses red -exact", "row \"r\": \"red\" is no option"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regress_row row;
        struct err err = {""};
        assert_false(parse(&row, rows[i][0], &err));
        assert_string_equal(err.text, rows[i][1]);
        regress_row_release(&row);
    }
}

/* -placement both: a row judged by its own, with all limits, and one as linked. */
static void a_row_is_divided(void **state)
{
    (void)state;
    struct regress_row row;
    struct err err = {""};
    assert_true(parse(&row, "r misses -cache l1i -within 2 -at-most 9 -exact -placement both", &err));
    assert_int_equal(row.placement, REGRESS_BOTH);
    struct regress_row linked = regress_row_divide(&row);
    assert_string_equal(linked.name, "r, as linked");
    assert_string_equal(linked.pattern[REGRESS_CACHE], "l1i");
    assert_true(linked.has_within && linked.within == 2 && !linked.has_most && !linked.exact);
    assert_int_equal(linked.placement, REGRESS_AS_LINKED);
    assert_true(row.has_within && row.has_most && row.exact && row.placement == REGRESS_OWN);
    regress_row_release(&row);
    regress_row_release(&linked);
}

/* Statistics that lack what a row needs. */
static void statistics_without_figures(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"r misses -exact", "{" RUN "}", "the statistics have no misses by place"},
        {"r misses -exact", "{" RUN ", 'annotations': {'misses': {'columns': [], 'rows': []}}}",
         "the statistics have no misses by place"},
        {"r misses -exact", "{" RUN ", 'annotations': {'misses': {'columns': " COLUMNS ", 'rows': [[1]]}}}",
         "row 0 of the misses by place is not one"},
        {"r cycles -exact", "{" RUN ", 'annotations': {'services': {}}}", "the statistics have no services"},
        {"r held -exact", "{" RUN ", 'annotations': {'services': {}}}", "the statistics have no locks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regress_row row;
        struct regress_parts parts = {0};
        struct err err = {""};
        unsigned unmatched;
        uint64_t value;
        struct results bad;
        read_statistics(&bad, rows[i][1]);
        assert_true(parse(&row, rows[i][0], &err));
        assert_false(regress_row_value(&row, &bad, &value, &parts, &unmatched, &err));
        assert_string_equal(err.text, rows[i][2]);
        regress_row_release(&row);
        regress_parts_release(&parts);
        results_release(&bad);
    }
}

/* Each number fits, their sum does not. */
static void sums_that_do_not_fit(void **state)
{
    (void)state;
    static const char *const rows[] = {"r misses -exact", "r stall -class cold -exact", "r cycles -exact",
                                       "r stall -service a -exact", "r held -exact"};
#define HUGE "6000000000000000000"
    static const char text[] =
        "{" RUN ", 'annotations': {'misses': {'columns': " COLUMNS ", 'rows': ["
        "['user', 'a', 'b', 'c', 'd', 'l1d', 'cold', " HUGE ", " HUGE "],"
        "['user', 'a', 'b', 'c', 'd', 'l1d', 'cold', " HUGE ", " HUGE "]]},"
        "'processes': [], 'services': {"
        "'a': {'cycles': " HUGE ", 'stall': {'l1i': " HUGE ", 'l1d': " HUGE ", 'l2d': " HUGE "}},"
        "'b': {'cycles': " HUGE ", 'wait': " HUGE "}},"
        "'locks': [{'held': " HUGE "}, {'held': " HUGE "}]}}";
    struct results huge;
    read_statistics(&huge, text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regress_row row;
        struct regress_parts parts = {0};
        struct err err = {""};
        unsigned unmatched;
        uint64_t value;
        assert_true(parse(&row, rows[i], &err));
        assert_false(regress_row_value(&row, &huge, &value, &parts, &unmatched, &err));
        assert_string_equal(err.text, "row \"r\": it counts more than any run has");
        regress_parts_join(&parts);
        regress_row_release(&row);
        regress_parts_release(&parts);
    }
    results_release(&huge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(parts_of_cycles),
        cmocka_unit_test(patterns_that_match_nothing),
        cmocka_unit_test(known_words_are_zero),
        cmocka_unit_test(classes_of_the_run),
        cmocka_unit_test(refused_rows),
        cmocka_unit_test(a_row_is_divided),
        cmocka_unit_test(statistics_without_figures),
        cmocka_unit_test(sums_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
