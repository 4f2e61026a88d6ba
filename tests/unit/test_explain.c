/* Explanations of a difference (src/explain/explain.h): parts that add up to it, and what takes no time (whatif.free).
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "annotations/services/service_whatif.h"
#include "src/base/splitmix.h"
#include "src/explain/explain.h"
#include "src/explain/explain_output.h"

enum { TEXT = 1 << 16 };

/* The JSON of FORMAT. The caller frees the reference. */
__attribute__((format(printf, 1, 2))) static json_t *json_of(const char *format, ...)
{
    char *text = malloc(TEXT);
    struct err err = {""};
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, TEXT, format, values);
    va_end(values);
    assert_in_range(length, 1, TEXT - 1);
    json_t *root = json_file_parse("statistics file", "run", text, (size_t)length, &err);
    if (!root)
        fail_msg("%s", err.text);
    free(text);
    return root;
}

/* Statistics of a run at CLOCK that took SUM cycles, with cycles by place ROWS. The caller frees the reference. */
static json_t *run_of(const char *clock, const char *rows, int64_t sum)
{
    static const char format[] =
        "{\"machine\": {\"name\": \"m\", \"model\": \"mipsy\", \"time\": 1}, \"parameters\": {\"cpu\": {\"clock\": "
        "\"%s\"}}, \"cpu0\": {\"cycles\": %lld, \"mode\": {\"user\": {\"cycles\": %lld, \"insns\": 0, \"execute\": "
        "%lld, "
        "\"wait\": 0, \"stall\": {}, \"miss\": {}}, \"kernel\": %s, \"idle\": %s}}, \"annotations\": {\"services\": "
        "{\"S\": {\"cycles\": %lld, \"insns\": 0}}, \"cycles\": {\"columns\": [\"mode\", \"routine\", \"cause\", "
        "\"data\", "
        "\"class\", \"count\", \"cycles\"], \"rows\": [%s]}}}";
    static const char none[] =
        "{\"cycles\": 0, \"insns\": 0, \"execute\": 0, \"wait\": 0, \"stall\": {}, \"miss\": {}}";
    const long long cycles = (long long)sum;
    return json_of(format, clock, cycles, cycles, cycles, none, none, cycles, rows);
}

static struct explanation *explain(json_t *a, json_t *b, struct err *err)
{
    *err = (struct err){""};
    struct explanation *e = explanation_create((const char *const[]){"a.json", "b.json"}, (json_t *const[]){a, b}, err);
    json_decref(a);
    json_decref(b);
    return e;
}

static const struct explain_leaf *leaf_of(const struct explanation *e, const char *routine, const char *cause)
{
    for (size_t i = 0; i < e->leaf_count; i++)
        if (strcmp(e->leaves[i].name.routine, routine) == 0 && strcmp(e->leaves[i].name.cause, cause) == 0)
            return &e->leaves[i];
    fail_msg("no leaf %s %s", routine, cause);
    return NULL;
}

static void check_leaf(const struct explain_leaf *leaf, int64_t difference, int64_t by_count, int64_t by_cost)
{
    assert_true(leaf->difference == difference);
    assert_true(leaf->by_count == by_count);
    assert_true(leaf->by_cost == by_cost);
}

static void a_leaf_has_a_part_by_count_and_one_by_cost(void **state)
{
    (void)state;
    struct err err;
    struct explanation *e = explain(
        run_of(
            "200MHz",
            "[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", 3, 100], [\"user\", \"g\", \"execute\", \"\", \"\", 7, 7],"
            "[\"kernel\", \"old\", \"l2i\", \"\", \"cold\", 2, 50], [\"idle\", \"(wait)\", \"wait\", \"\", \"\", 0, 9]",
            166),
        run_of(
            "200MHz",
            "[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", 5, 130], [\"user\", \"g\", \"execute\", \"\", \"\", 4, 8],"
            "[\"kernel\", \"new\", \"l2i\", \"\", \"cold\", 1, 60], [\"idle\", \"(wait)\", \"wait\", \"\", \"\", 0, 4]",
            202),
        &err);
    assert_non_null(e);
    assert_int_equal(e->level, LEAVES_BY_PLACE);
    assert_true(e->difference == 36);
    check_leaf(leaf_of(e, "f", "l1d"), 30, 66, -36); /* 100 * 2 / 3, rounded towards 0 */
    check_leaf(leaf_of(e, "g", "execute"), 1, -3, 4);
    check_leaf(leaf_of(e, "old", "l2i"), -50, -50, 0);
    check_leaf(leaf_of(e, "new", "l2i"), 60, 60, 0);
    check_leaf(leaf_of(e, "(wait)", "wait"), -5, 0, -5);
    assert_true(explanation_is_exact(e));
    explanation_free(e);
}

static void clocks_that_differ_have_common_ticks(void **state)
{
    (void)state;
    struct err err;
    struct explanation *e = explain(run_of("200MHz", "[\"user\", \"g\", \"execute\", \"\", \"\", 10, 10]", 10),
                                    run_of("500MHz", "[\"user\", \"g\", \"execute\", \"\", \"\", 10, 20]", 20), &err);
    assert_non_null(e);
    assert_int_equal(e->ticks_per_cycle[0], 5);
    assert_int_equal(e->ticks_per_cycle[1], 2);
    assert_true(e->ticks_per_second == 1e9);
    check_leaf(leaf_of(e, "g", "execute"), -10, 0, -10);
    explanation_free(e);
}

/* Rows of a random run into TEXT; returns their sum. */
static int64_t random_rows(uint64_t *seed, char *text)
{
    static const char *const causes[] = {"execute", "l1d", "l2d", "l2i", "wait", "mispredicted"};
    int64_t sum = 0;
    size_t used = 0;
    const unsigned rows = splitmix_next(seed) % 100;
    text[0] = '\0';
    for (unsigned i = 0; i < rows; i++) {
        const int64_t spent = (int64_t)(splitmix_next(seed) >> (20 + splitmix_next(seed) % 40));
        sum += spent;
        used += (size_t)sprintf(text + used, "%s[\"kernel\", \"r%u\", \"%s\", \"d%u\", \"c%u\", %u, %lld]",
                                i ? ", " : "", (unsigned)(splitmix_next(seed) % 5), causes[splitmix_next(seed) % 6],
                                (unsigned)(splitmix_next(seed) % 3), (unsigned)(splitmix_next(seed) % 2),
                                (unsigned)(splitmix_next(seed) % 1000), (long long)spent);
    }
    return sum;
}

static void random_pairs_leave_nothing_over(void **state)
{
    (void)state;
    static const char *const clocks[] = {"200MHz", "500MHz", "33MHz", "1.23456789GHz", "16666667Hz"};
    uint64_t seed = 46;
    char *rows[2] = {malloc(TEXT), malloc(TEXT)};
    for (unsigned pair = 0; pair < 1000; pair++) {
        struct err err;
        int64_t sums[2];
        for (unsigned side = 0; side < 2; side++)
            sums[side] = random_rows(&seed, rows[side]);
        struct explanation *e = explain(run_of(clocks[splitmix_next(&seed) % 5], rows[0], sums[0]),
                                        run_of(clocks[splitmix_next(&seed) % 5], rows[1], sums[1]), &err);
        if (!e)
            fail_msg("%s", err.text);
        ticks leaves = 0, causes = 0;
        int64_t cycles = 0;
        for (size_t i = 0; i < e->leaf_count; i++) {
            assert_true(e->leaves[i].by_count + e->leaves[i].by_cost == e->leaves[i].difference);
            leaves += e->leaves[i].difference;
            cycles += e->leaves[i].cycles[1] - e->leaves[i].cycles[0];
        }
        for (size_t i = 0; i < e->cause_count; i++)
            causes += e->causes[i].difference;
        const ticks whole =
            (ticks)sums[1] * (ticks)e->ticks_per_cycle[1] - (ticks)sums[0] * (ticks)e->ticks_per_cycle[0];
        assert_true(leaves == whole && causes == whole && e->difference == whole);
        assert_true(cycles == sums[1] - sums[0]);
        explanation_free(e);
    }
    free(rows[0]);
    free(rows[1]);
}

static void damaged_files_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *says;
        int64_t sum;
    } damaged[] = {
        {"[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", 3, 100]",
         "b.json: annotations.cycles: the rows add up to 100 of 99 cycles", 99},
        {"[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", 3]", "b.json: row 0 of annotations.cycles", 0},
        {"[\"kernel\", \"f\", \"l1d\", 7, \"cold\", 3, 100]", "b.json: row 0 of annotations.cycles", 100},
        {"[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", -3, 100]", "b.json: row 0 of annotations.cycles", 100},
        {"[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", 3, 1.5]", "b.json: row 0 of annotations.cycles", 1},
        {"17", "b.json: row 0 of annotations.cycles", 0},
        {"[\"kernel\", \"f\", \"l1d\", \"d\", \"cold\", 3, 9000000000000000000]",
         "b.json: more cycles than any run has", 9000000000000000000},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct err err;
        assert_null(explain(run_of("200MHz", "", 0), run_of("200MHz", damaged[i].rows, damaged[i].sum), &err));
        if (strncmp(err.text, damaged[i].says, strlen(damaged[i].says)) != 0)
            fail_msg("%s", err.text);
    }
}

/* Is B, a run whose PART is VALUE, refused with SAYS? PART is a dotted path; VALUE is JSON, NULL: the part is not
 * there. */
static void check_refused(const char *part, const char *value, const char *says)
{
    struct err err;
    char path[64], *rest = path, *name = NULL;
    json_t *b = run_of("200MHz", "[\"user\", \"g\", \"execute\", \"\", \"\", 7, 100]", 100), *place = b;
    snprintf(path, sizeof path, "%s", part);
    while ((name = strsep(&rest, ".")) && rest)
        assert_non_null(place = json_object_get(place, name));
    json_t *holder = json_of("{\"value\": %s}", value ? value : "0");
    if (value)
        json_object_set(place, name, json_object_get(holder, "value"));
    else
        json_object_del(place, name);
    json_decref(holder);
    struct explanation *e = explain(run_of("200MHz", "", 0), b, &err);
    if (says ? e != NULL || strcmp(err.text, says) != 0 : !e)
        fail_msg("%s: %s: \"%s\"", part, value ? value : "absent", err.text);
    explanation_free(e);
}

static void accounts_that_do_not_add_up_are_refused(void **state)
{
    (void)state;
    static const char parts_of_user[] = "b.json: cpu0.mode.user: execution, stalls, interlocks and wait add up to ";
    static const struct {
        const char *part, *value, *says;
    } rows[] = {
        {"cpu0.mode.user.stall", "{\"l1d\": 5}", "105 of 100 cycles"},
        {"cpu0.mode.user.interlock", "{\"integer\": 1}", "101 of 100 cycles"},
        {"cpu0.mode.user.wait", "1", "101 of 100 cycles"},
        {"cpu0.mode.user.execute", "99", "99 of 100 cycles"},
        {"cpu0.mode.user.cycles", "5", "100 of 5 cycles"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char says[160];
        snprintf(says, sizeof says, "%s%s", parts_of_user, rows[i].says);
        check_refused(rows[i].part, rows[i].value, says);
    }
    check_refused("cpu0.mode.user.pipeline", "{\"units\": 101}",
                  "b.json: cpu0.mode.user: pipeline stalls add up to 101 of 100 cycles");
    check_refused("cpu0.cycles", "5", "b.json: cpu0: the modes, `off` and `before` add up to 100 of 5 cycles");
    check_refused("cpu0.off", "1", "b.json: cpu0: the modes, `off` and `before` add up to 101 of 100 cycles");
    check_refused("cpu0.cycles", NULL, "b.json: cpu0: not an account of cycles");
    check_refused("cpu0.before", "{\"cycles\": -1}", "b.json: cpu0: not an account of cycles");
    check_refused("annotations.services.S.cycles", "99",
                  "b.json: annotations.services: the services add up to 99 of 100 cycles");
    check_refused("cpu0.mode.user.pipeline", "{\"units\": 100}", NULL);
    /* a run that continues a checkpoint: annotations begin there */
    check_refused("annotations.begun", "40", "b.json: annotations.services: the services add up to 100 of 60 cycles");
}

static void damaged_parts_are_not_taken_as_absent(void **state)
{
    (void)state;
    static const char *const others[] = {"[]", "7", "null"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check_refused("annotations", others[i], "b.json: annotations is no object");
        check_refused("annotations.cycles", others[i], "b.json: annotations.cycles is no object");
        check_refused("annotations.services", others[i], "b.json: annotations.services is no object");
        check_refused("annotations.services.S", others[i], "b.json: annotations.services.S is no object");
        check_refused("cpu0", others[i], "b.json: not the statistics of a run: cpu0 is no object");
        check_refused("annotations.cycles.columns", others[i],
                      "b.json: annotations.cycles.columns are not those of cycles by place");
    }
    check_refused("annotations.cycles.columns", NULL,
                  "b.json: annotations.cycles.columns are not those of cycles by place");
    check_refused("annotations.cycles.rows", NULL, "b.json: annotations.cycles.rows is no list");
    check_refused("annotations.cycles.rows", "{}", "b.json: annotations.cycles.rows is no list");
    check_refused("cpu0", NULL, "b.json: not the statistics of a run: there is no cpu0");
    check_refused("machine.time", NULL, "b.json: not the statistics of a run: there is no machine.time");
    check_refused("machine.time", "-1", "b.json: not the statistics of a run: machine.time is no count of cycles");
    check_refused("annotations", NULL, NULL);
    check_refused("annotations.cycles", NULL, NULL);
}

static void what_if_names_what_the_cause_is(void **state)
{
    (void)state;
    struct err err;
    char text[256];
    struct leaf_name free_name;
    struct explanation *e = explain(
        run_of("200MHz", "[\"user\", \"g\", \"execute\", \"\", \"\", 10, 10]", 10),
        run_of("200MHz",
               "[\"user\", \"g\", \"execute\", \"\", \"\", 10, 210], [\"kernel\", \"f\", \"l2d\", \"data, page|1\", "
               "\"conflict\", 3, 1000], [\"kernel\", \"slow\", \"execute\", \"lock big\", \"\", 3, 500], [\"kernel\", "
               "\"slow\", \"l1d\", \"lock big\", \"\", 3, 400], [\"user\", \"g\", \"l1i\", \"\", \"cold\", 1, 7]",
               2117),
        &err);
    assert_non_null(e);
    assert_true(explanation_whatif(e, 0, text, sizeof text, &free_name));
    assert_string_equal(text, "miss:f|data\\, page\\|1|conflict|l2d");
    assert_int_equal(explanation_cycles(e, 1, &free_name), 1000);
    assert_true(explanation_whatif(e, 1, text, sizeof text, &free_name));
    assert_string_equal(text, "lock:big");
    assert_int_equal(explanation_cycles(e, 1, &free_name), 900);
    assert_true(explanation_whatif(e, 3, text, sizeof text, &free_name));
    assert_string_equal(text, "routine:g");
    assert_int_equal(explanation_cycles(e, 1, &free_name), 217);
    assert_false(explanation_whatif(e, 0, text, 8, &free_name)); /* no room */
    explanation_free(e);
}

static void leaves_can_be_left_out(void **state)
{
    (void)state;
    struct err err;
    struct explanation *e = explain(
        run_of("200MHz", "[\"user\", \"f\", \"execute\", \"\", \"\", 10, 10]", 10),
        run_of("200MHz",
               "[\"user\", \"f\", \"execute\", \"\", \"\", 12, 12], [\"user\", \"g\", \"l1d\", \"x\", \"cold\", "
               "3, 1000], [\"user\", \"g\", \"l2d\", \"x\", \"cold\", 1, 70]",
               1082),
        &err);
    assert_non_null(e);
    explanation_leave_out(e, &(struct leaf_name){.routine = "g", .cause = "l1d"});
    assert_true(e->difference == 72);
    assert_int_equal(e->cycles[1] - e->cycles[0], 72);
    assert_true(explanation_is_exact(e));
    assert_int_equal(e->leaf_count, 2);
    assert_string_equal(e->causes[0].name.cause, "l2d");
    explanation_leave_out(e, &(struct leaf_name){.data = "x"});
    assert_true(e->difference == 2);
    explanation_leave_out(e, &(struct leaf_name){.cause = "execute"});
    assert_true(e->difference == 0 && e->leaf_count == 0 && e->cause_count == 0);
    explanation_free(e);
}

/* Statistics of COMMAND that ended with STATUS after USER and KERNEL instructions. */
static json_t *work_of(const char *command, int status, unsigned user, unsigned kernel)
{
    json_t *root = run_of("200MHz", "[\"user\", \"f\", \"execute\", \"\", \"\", 10, 10]", 10);
    json_t *modes = json_object_get(json_object_get(root, "cpu0"), "mode"), *machine = json_object_get(root, "machine");
    json_object_set_new(machine, "command", json_string(command));
    json_object_set_new(machine, "exit_status", json_integer(status));
    json_object_set_new(json_object_get(modes, "user"), "insns", json_integer(user));
    json_object_set_new(json_object_get(modes, "kernel"), "insns", json_integer(kernel));
    return root;
}

static void runs_that_did_other_work_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        int status;
        unsigned user, kernel;
        const char *said;
    } rows[] = {
        {"ls", 0, 1000, 500, ""},
        {"ls", 0, 1010, 5000, ""}, /* spinning and refills are the kernel's */
        {"ls", 0, 990, 500, ""},
        {"ls", 0, 2000, 500, "programs executed 1000 and 2000 instructions"},
        {"ls", 0, 0, 500, "programs executed 1000 and 0 instructions"},
        {"ls", 1, 1000, 500, "their commands ended with status 0 and 1"},
        {"df", 0, 1000, 500, "their commands differ"},
    };
    struct err err;
    char said[160];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct explanation *e = explain(work_of("ls", 0, 1000, 500),
                                        work_of(rows[i].command, rows[i].status, rows[i].user, rows[i].kernel), &err);
        assert_non_null(e);
        *said = 0;
        assert_int_equal(explanation_same_work(e, said, sizeof said), rows[i].said[0] == 0);
        assert_string_equal(said, rows[i].said);
        explanation_free(e);
    }
    struct explanation *e = explain(work_of("", 0, 0, 3000000), work_of("", 0, 0, 6000000), &err);
    assert_false(explanation_same_work(e, said, sizeof said));
    assert_string_equal(said, "the kernels executed 3000000 and 6000000 instructions");
    explanation_free(e);
}

static void what_is_free_is_parsed_by_its_names(void **state)
{
    (void)state;
    struct err err = {""};
    struct whatif *whatif =
        whatif_parse("miss:f|data\\, page\\|1|conflict|l2d,routine:a\\*,tlb,lock:big,miss:*||*,miss:g", &err);
    assert_non_null(whatif);
    assert_int_equal(whatif->count, 6);
    assert_int_equal(whatif_matches(whatif, WHATIF_MISS, WHATIF_OF_ROUTINE, "f"), 1 | 16);
    assert_int_equal(whatif_matches(whatif, WHATIF_MISS, WHATIF_OF_DATA, "data, page|1"), 1 | 32);
    assert_int_equal(whatif_matches(whatif, WHATIF_MISS, WHATIF_OF_DATA, ""), 16 | 32);
    assert_int_equal(whatif_matches(whatif, WHATIF_MISS, WHATIF_OF_CAUSE, "l2d"), 1 | 16 | 32);
    assert_int_equal(whatif_matches(whatif, WHATIF_ROUTINE, WHATIF_OF_ROUTINE, "a*"), 2);
    assert_int_equal(whatif_matches(whatif, WHATIF_LOCK, WHATIF_OF_ROUTINE, "big"), 8);
    assert_true(whatif_has(whatif, WHATIF_TLB));
    whatif_free(whatif);
    static const char *const refused[] = {"",     "x",        "miss", "tlb:x", "routine:", "lock:*", "miss:a|b|c|d|e",
                                          "tlb,", "misses:a", "lock", ",tlb",  "TLB"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        err = (struct err){""};
        if (whatif_parse(refused[i], &err) || strncmp(err.text, "whatif.free: ", 13) != 0)
            fail_msg("%s: %s", refused[i], err.text);
    }
}

/* Two kernels have their functions in other places: the text says how to tell what that does. */
static void kernels_that_differ_are_told(void **state)
{
    (void)state;
    static const char *const kernels[] = {"old/vmlinux", "new/vmlinux"};
    struct err err;
    for (unsigned other = 0; other < 2; other++) {
        json_t *run[2];
        for (unsigned side = 0; side < 2; side++) {
            run[side] = run_of("200MHz", "[\"user\", \"f\", \"execute\", \"\", \"\", 1, 1]", 1);
            json_t *kernel = json_pack("{s: s}", "kernel", kernels[side & other]);
            json_object_set_new(json_object_get(run[side], "parameters"), "guest", kernel);
        }
        struct explanation *e = explain(run[0], run[1], &err);
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(e);
        explanation_print(e, out);
        fclose(out);
        assert_int_equal(strstr(text, "the kernels differ: --placement tells ") != NULL, other);
        free(text);
        explanation_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_leaf_has_a_part_by_count_and_one_by_cost),
        cmocka_unit_test(clocks_that_differ_have_common_ticks),
        cmocka_unit_test(random_pairs_leave_nothing_over),
        cmocka_unit_test(damaged_files_are_refused_by_name),
        cmocka_unit_test(accounts_that_do_not_add_up_are_refused),
        cmocka_unit_test(damaged_parts_are_not_taken_as_absent),
        cmocka_unit_test(what_if_names_what_the_cause_is),
        cmocka_unit_test(leaves_can_be_left_out),
        cmocka_unit_test(runs_that_did_other_work_are_told),
        cmocka_unit_test(kernels_that_differ_are_told),
        cmocka_unit_test(what_is_free_is_parsed_by_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
