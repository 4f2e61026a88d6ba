/*
 * Branch predictors (cpu/predict/): predictions worked out by hand, and random streams of branches, predicted
 * speculatively, executed in any order and squashed, on which every prediction must be that of an independent model.
 */
#include <stdio.h>
#include "tests/unit/test.h"
#include "cpu/predict/predictor.h"
#include "src/base/splitmix.h"
#include "tests/unit/reference_predictors.h"
#include "tests/unit/tape.h"

static struct params *params_with(const char *const *assignments)
{
    struct params *params = params_create();
    struct err err = {""};
    predictor_define_params(params);
    for (; *assignments != NULL; assignments++)
        if (!params_set_assignment(params, *assignments, &err))
            fail_msg("%s", err.text);
    return params;
}

/* By hand */

/* Run the branches at PC with OUTCOMES ("TTN") one after the other, each executed before the next is predicted. The
 * predictions must be EXPECTED. */
static void check_predictions(const char *const *assignments, vaddr pc, const char *outcomes, const char *expected)
{
    struct params *params = params_with(assignments);
    struct predictor *predictor = predictor_create(params);
    char predicted[64] = "";
    for (unsigned i = 0; outcomes[i] != 0; i++) {
        const bool taken = outcomes[i] == 'T';
        const uint64_t history = predictor->history;
        const bool guess = predictor_predict(predictor, pc);
        predicted[i] = guess ? 'T' : 'N';
        predictor_train(predictor, pc, history, taken);
        if (guess != taken) {
            predictor_recover(predictor, history);
            predictor_extend(predictor, pc, taken);
        }
    }
    assert_string_equal(predicted, expected);
    predictor_free(predictor);
    params_free(params);
}

#define CHECK(pc, outcomes, expected, ...)                                                                             \
    check_predictions((const char *const[]){__VA_ARGS__, NULL}, pc, outcomes, expected)

/* The counter goes 1 2 1 2 with alternating outcomes; up to 3 and down with a loop; from 0 it takes two. */
static void bimodal(void **state)
{
    (void)state;
    CHECK(0x100, "TNTNTN", "NTNTNT", "mxs.branch_predictor=bimodal", "mxs.predictor=4");
    CHECK(0x100, "TTTTNTTTTN", "NTTTTTTTTT", "mxs.branch_predictor=bimodal", "mxs.predictor=1");
    CHECK(0x100, "NNNTTT", "NNNNNT", "mxs.branch_predictor=bimodal", "mxs.predictor=16");
}

/* Two outcomes select one of four counters, all 1. Alternating: 00 T (counter 0: 2), 01 N (counter 1: 0), 10 T (counter
 * 2: 2), 01 N, 10 T ... : wrong twice. Three of four: after 111 it is always N. With pc 12 the index is XORed with 3.
 */
static void gshare(void **state)
{
    (void)state;
    CHECK(0, "TNTNTNTN", "NNNNTNTN", "mxs.branch_predictor=gshare", "mxs.gshare.counters=4", "mxs.gshare.history=2");
    CHECK(12, "TNTNTNTN", "NNNNTNTN", "mxs.branch_predictor=gshare", "mxs.gshare.counters=4", "mxs.gshare.history=2");
    CHECK(0, "TNTNTN", "NTNTNT", "mxs.branch_predictor=gshare", "mxs.gshare.counters=4", "mxs.gshare.history=0");
    /* history 000 001 011 111 110 101 011 111 110 ... */
    CHECK(0, "TTTNTTTNTTTN", "NNNNNNTNTTTN", "mxs.branch_predictor=gshare", "mxs.gshare.counters=8",
          "mxs.gshare.history=3");
}

/* Always taken, with two local outcomes and one global one. Local counters are 3 (not taken) at first, global ones and
 * choices 1. Branches 1 and 2 select local counters 00 and 01, 3 selects 11 and is wrong too, but the global counter
 * of outcome 1 is 2 by then: its choice becomes 2. Branch 4: the global prediction, taken. */
static void tournament(void **state)
{
    (void)state;
    CHECK(0x40, "TTTTT", "NNNTT", "mxs.branch_predictor=tournament", "mxs.tournament.local_history=2",
          "mxs.tournament.global_history=1");
    /* Alternating, with one local outcome: local counters after outcome 0: 3 4 5, after 1: 3 2 1. The local prediction
     * is right from the third taken branch on: the first finds 3, the second 4. The global one is as in gshare. */
    CHECK(0x40, "TNTNTN", "NNTNTN", "mxs.branch_predictor=tournament", "mxs.tournament.local_history=1",
          "mxs.tournament.global_history=2");
}

/*
 * Two tables of two entries, histories 1 and 2, tags of 2 bits, one counter (1) without tag; pc 0. With outcomes a (the
 * last) and b: indices a and a ^ b; both tags are 3 if a, otherwise 0. All entries begin with tag 0, counter 3 (not
 * taken, weak), useful 0; use_alternate is 8. A weak provider does not count from 8 on.
 *
 *     outcome  ab  provider         alternate  predicted
 *  1  T        00  2[0]: 3, weak    1[0]: N    N          2[0]: 4
 *  2  N        10  none                        N          base 0
 *  3  T        01  2[1]: 3, weak    1[0]: N    N          2[1]: 4
 *  4  N        10  none                        N
 *  5  T        01  2[1]: 4, weak    1[0]: N    N          2[1]: 5, useful 1; use_alternate 7
 *  6  N        10  none                        N
 *  7  T        01  2[1]: 5          1[0]: N    T          2[1]: 6, useful 2
 *  8  N        10  none                        N
 *  9  N        01  2[1]: 6          1[0]: N    T          2[1]: 5, useful 1
 * 10  N        00  2[0]: 4, weak    1[0]: N    T          2[0]: 3; use_alternate 8
 * 11  T        00  2[0]: 3, weak    1[0]: N    N          2[0]: 4
 * 12  T        10  none                        N          base 1; 2[1] is useful, so 1[1]: tag 3, 4
 * 13  T        11  1[1]: 4, weak    base: N    N          1[1]: 5, useful 1; use_alternate 7; 2[0]: tag 3, 4
 * 14  T        11  2[0]: 4, weak    1[1]: T    T
 */
static void tage(void **state)
{
    (void)state;
    CHECK(0, "TNTNTNTNNNTTTT", "NNNNNNTNTTNNNT", "mxs.branch_predictor=tage", "mxs.tage.tables=2", "mxs.tage.entries=2",
          "mxs.tage.tag_bits=2", "mxs.tage.base=1", "mxs.tage.min_history=1", "mxs.tage.max_history=2");
}

/* A loop of 40 iterations has a branch that only a history of more than 40 outcomes predicts. */
static void tage_sees_far(void **state)
{
    (void)state;
    static const char *const rows[] = {"tournament", "tage"};
    unsigned wrong[2] = {0, 0};
    for (unsigned row = 0; row < 2; row++) {
        char name[64];
        snprintf(name, sizeof name, "mxs.branch_predictor=%s", rows[row]);
        struct params *params = params_with((const char *const[]){name, NULL});
        struct predictor *predictor = predictor_create(params);
        for (unsigned i = 0; i < 40 * 500; i++) {
            const bool taken = i % 40 != 39;
            const uint64_t history = predictor->history;
            const bool guess = predictor_predict(predictor, 0x1000);
            predictor_train(predictor, 0x1000, history, taken);
            wrong[row] += guess != taken && i >= 40 * 400;
            predictor_recover(predictor, history);
            predictor_extend(predictor, 0x1000, taken);
        }
        predictor_free(predictor);
        params_free(params);
    }
    assert_int_equal(wrong[0], 100); /* once in each loop */
    assert_int_equal(wrong[1], 0);
}

/* Random streams */

/* A branch that was predicted and has not been executed. */
struct flight {
    vaddr pc;
    uint64_t history;
    unsigned before; /* number of branches before it */
    bool predicted, taken, done;
};

struct test {
    const struct reference_row *row;
    struct params *params;
    struct predictor *predictor;
    struct reference *reference;
    struct path path;
    struct flight flight[PREDICTOR_IN_FLIGHT_MAX];
    unsigned flights;
    uint64_t random;
    uint64_t checked, wrong;
};

/* One value in NAME's range: small tables collide, and every width is drawn. */
static void draw(struct params *params, const struct param_def *def, uint64_t *random)
{
    char text[64];
    struct err err = {""};
    uint64_t value =
        def->min + splitmix_below(random, (uint32_t)(def->max - def->min < 40 ? def->max - def->min : 40) + 1);
    if (def->power_of_two)
        value = UINT64_C(1) << splitmix_below(random, 9);
    if (strcmp(def->name, "mxs.tage.max_history") == 0 && splitmix_below(random, 4) == 0)
        value = 1 + splitmix_below(random, 1024);
    if (strcmp(def->name, "mxs.tage.reset") == 0 && splitmix_below(random, 2))
        value = 1 + splitmix_below(random, 2000);
    if (strcmp(def->name, "mxs.tournament.global_history") == 0) /* the reference model has 2^16 counters */
        value = 1 + splitmix_below(random, 16);
    if (value < def->min)
        value = 2;
    snprintf(text, sizeof text, "%llu", (unsigned long long)(value < def->max ? value : def->max));
    if (!params_set(params, def->name, text, &err))
        fail_msg("%s", err.text);
}

/* The outcome of the branch at PC: some are regular, some follow other branches, some are random. */
static bool outcome(struct test *test, vaddr pc)
{
    const struct path *path = &test->path;
    const unsigned kind = (pc >> 3) % 5;
    if (kind == 0 || splitmix_below(&test->random, 20) == 0)
        return splitmix_below(&test->random, 2);
    if (kind == 1)
        return path_taken(path, 0) ^ path_taken(path, 2);
    if (kind == 2)
        return path->count % (3 + (pc >> 5) % 7) != 0;
    if (kind == 3)
        return path_taken(path, (pc >> 4) % 60);
    return splitmix_below(&test->random, 8) != 0;
}

static void append(struct path *path, vaddr pc, bool taken)
{
    path->pc[path->count] = pc;
    path->taken[path->count++] = taken;
}

static void fetch(struct test *test)
{
    struct flight *f = &test->flight[test->flights++];
    const vaddr pc = 0x80001000 + 4 * splitmix_below(&test->random, splitmix_below(&test->random, 2) ? 12 : 300);
    *f = (struct flight){.pc = pc, .history = test->predictor->history, .before = test->path.count};
    f->taken = outcome(test, pc);
    f->predicted = predictor_predict(test->predictor, pc);
    if (f->predicted != test->row->predicts(test->reference, &test->path, pc))
        fail_msg("%s: branch %u at 0x%x is predicted %s", test->row->name, test->path.count, pc,
                 f->predicted ? "taken" : "not taken");
    test->checked++;
    append(&test->path, pc, f->predicted);
}

/* Squash the branches from flight FROM on. */
static void squash(struct test *test, unsigned from)
{
    if (from == test->flights)
        return;
    predictor_recover(test->predictor, test->flight[from].history);
    test->path.count = test->flight[from].before;
    test->flights = from;
}

/* The branch of flight AT executes. */
static void execute(struct test *test, unsigned at)
{
    struct flight *f = &test->flight[at];
    static struct path before;
    if (f->done)
        return;
    f->done = true;
    before = test->path;
    before.count = f->before;
    predictor_train(test->predictor, f->pc, f->history, f->taken);
    test->row->learns(test->reference, &before, f->pc, f->taken);
    if (f->predicted == f->taken)
        return;
    test->wrong++;
    squash(test, at + 1);
    predictor_recover(test->predictor, f->history);
    test->path.count = f->before;
    predictor_extend(test->predictor, f->pc, f->taken);
    append(&test->path, f->pc, f->taken);
}

/* Branches that are done leave, the oldest first. */
static void graduate(struct test *test)
{
    unsigned count = 0;
    while (count < test->flights && test->flight[count].done)
        count++;
    memmove(test->flight, test->flight + count, (test->flights - count) * sizeof *test->flight);
    test->flights -= count;
}

/* Go on with a predictor that was loaded from what this one saved. */
static void reload(struct test *test)
{
    struct record_options tape = {.size = 0}, again = {.size = 0};
    struct saved_out out = {.put = tape_put, .opaque = &tape}, second = {.put = tape_put, .opaque = &again};
    struct saved_in in = {.get = tape_get, .opaque = &tape};
    struct predictor *loaded = predictor_create(test->params);
    struct err err = {""};
    predictor_save(test->predictor, test->predictor->history, &out);
    assert_true(predictor_load(loaded, &in, &err));
    assert_int_equal(tape.at, tape.size);
    predictor_save(loaded, loaded->history, &second);
    assert_int_equal(tape.size, again.size);
    assert_memory_equal(tape.bytes, again.bytes, tape.size);
    predictor_free(test->predictor);
    test->predictor = loaded;
    tape_release(&tape);
    tape_release(&again);
}

/* A random machine with the predictor of ROW, and BRANCHES branches. */
static void run_one(struct test *test, const struct reference_row *row, uint64_t seed, unsigned branches)
{
    char name[64];
    const struct param_def *def;
    snprintf(name, sizeof name, "mxs.branch_predictor=%s", row->name);
    test->row = row;
    test->random = seed;
    test->params = params_with((const char *const[]){name, NULL});
    for (size_t i = 0; (def = params_at(test->params, i)) != NULL; i++)
        if (def->type == PARAM_INT && splitmix_below(&test->random, 3) != 0)
            draw(test->params, def, &test->random);
    test->predictor = predictor_create(test->params);
    reference_begin(test->reference, test->params);
    test->path.count = test->flights = 0;
    const unsigned ahead = 1 + splitmix_below(&test->random, splitmix_below(&test->random, 4) ? 20 : 510);
    while (test->path.count < branches) {
        if (test->flights < ahead && splitmix_below(&test->random, 3) != 0)
            fetch(test);
        else if (test->flights > 0)
            execute(test, splitmix_below(&test->random, splitmix_below(&test->random, 3) ? 1 : test->flights));
        if (splitmix_below(&test->random, 300) == 0)
            squash(test, splitmix_below(&test->random, test->flights + 1));
        if (splitmix_below(&test->random, 2000) == 0)
            reload(test);
        graduate(test);
    }
    predictor_free(test->predictor);
    params_free(test->params);
}

/* Every predictor that a machine can choose has a reference model, and predicts as it does. */
static void random_streams(void **state)
{
    (void)state;
    enum { MACHINES = 40, BRANCHES = 3000 };
    struct test *test = checked_memory(calloc(1, sizeof *test));
    struct params *params = params_with((const char *const[]){NULL});
    const char *choices = params_find(params, "mxs.branch_predictor")->choices;
    test->reference = checked_memory(calloc(1, sizeof *test->reference));
    for (size_t length; *choices != 0; choices += length + (choices[length] == '|')) {
        char name[40];
        length = strcspn(choices, "|");
        snprintf(name, sizeof name, "%.*s", (int)length, choices);
        const struct reference_row *row = reference_find(name);
        if (row == NULL)
            fail_msg("tests/unit/reference_predictors.h has no model of %s", name);
        test->checked = test->wrong = 0;
        for (unsigned machine = 0; machine < MACHINES; machine++)
            run_one(test, row, machine, BRANCHES);
        assert_true(test->checked > MACHINES * BRANCHES && test->wrong > 1000);
    }
    params_free(params);
    free(test->reference);
    free(test);
}

/* A damaged file is refused, and any history that it has is harmless. */
static void hostile_files(void **state)
{
    (void)state;
    for (unsigned row = 0; row < sizeof reference_rows / sizeof *reference_rows; row++) {
        char name[64];
        snprintf(name, sizeof name, "mxs.branch_predictor=%s", reference_rows[row].name);
        struct params *params = params_with((const char *const[]){name, NULL});
        struct predictor *predictor = predictor_create(params);
        struct record_options tape = {.size = 0};
        struct saved_out out = {.put = tape_put, .opaque = &tape};
        struct err err = {""};
        predictor_save(predictor, UINT64_MAX - 3, &out);
        for (size_t at = 0; at < tape.size; at += 1 + tape.size / 500) {
            struct saved_in in = {.get = tape_get, .opaque = &tape};
            tape.at = 0;
            tape.bytes[at] ^= 0x5a;
            predictor_load(predictor, &in, &err);
            for (unsigned i = 0; i < 20; i++) {
                const uint64_t history = predictor->history;
                predictor_train(predictor, 0x4000 + 12 * i, history,
                                predictor_predict(predictor, 0x4000 + 12 * i) ^ (i & 1));
                predictor_train(predictor, 0x4000 + 12 * i, history * 0x9e3779b97f4a7c15, i & 2);
            }
            tape.bytes[at] ^= 0x5a;
        }
        struct saved_in in = {.get = tape_get, .opaque = &tape};
        tape.at = 1;
        assert_false(predictor_load(predictor, &in, &err));
        predictor_free(predictor);
        params_free(params);
        tape_release(&tape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bimodal),       cmocka_unit_test(gshare),
                                       cmocka_unit_test(tournament),    cmocka_unit_test(tage),
                                       cmocka_unit_test(tage_sees_far), cmocka_unit_test(random_streams),
                                       cmocka_unit_test(hostile_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
