/*
 * Execution over time (SOSP'95 figures 4.1 and 5.1): intervals have the requested length, their sums are those of the
 * run, and combining rows loses no cycle.
 */
#include "src/observe/over_time.h"

#include "tests/unit/machine_program.h"
#include <jansson.h>
// clang-format off
#include "tests/unit/test.h"
// clang-format on
#include <stdlib.h>

static const uint32_t program[] = {ADDIU(8, 8, 1), NOP, BRANCH_BACK(2), NOP};

static struct machine *begin(void)
{
    struct machine *machine = MACHINE_OF("machine.memory=16M", "cache.model=none");
    start_program(machine, 0, program, sizeof program / sizeof program[0]);
    return machine;
}

/* Run to TIME, ending intervals when they expire. */
static void run_to(struct machine *machine, struct over_time *over_time, cycles time)
{
    while (machine_now(machine) < time) {
        cycles next = over_time_next(over_time);
        struct machine_limits limits = {.time = next < time ? next : time, .insns = UINT64_MAX};
        assert_int_equal(machine_run(machine, &limits), MACHINE_STOP_TIME);
        over_time_sample(over_time, NULL);
    }
}

static json_t *value_of(const struct over_time *over_time)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct json_writer json = json_writer_to(out);
    over_time_write_json(over_time, &json);
    fclose(out);
    json_t *value = json_loads(text, 0, NULL);
    assert_non_null(value);
    free(text);
    return value;
}

static uint64_t number(const json_t *object, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(object, name));
}

static uint64_t sum_of(const json_t *value, const char *figure)
{
    static const char *const modes[] = {"user", "kernel", "idle"};
    uint64_t sum = 0;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(value, "rows"), i, row) for (unsigned mode = 0; mode < 3; mode++) sum +=
        number(json_object_get(row, modes[mode]), figure);
    return sum;
}

/* Three intervals and a part of a fourth. */
static void test_intervals(void **state)
{
    (void)state;
    struct machine *machine = begin();
    struct over_time *over_time = over_time_create(machine, 1000);
    run_to(machine, over_time, 3500);
    over_time_end(over_time, NULL);
    json_t *value = value_of(over_time), *rows = json_object_get(value, "rows");
    assert_int_equal(json_array_size(rows), 4);
    assert_int_equal(number(value, "interval"), 1000);
    for (unsigned i = 0; i < 4; i++)
        assert_in_range(number(json_array_get(rows, i), "end"), i < 3 ? 1000 * (i + 1) : 3500,
                        (i < 3 ? 1000 * (i + 1) : 3500) + 200); /* a quantum is not shortened */
    assert_int_equal(sum_of(value, "cycles"), machine_now(machine));
    assert_int_equal(sum_of(value, "insns"), machine_insns(machine));
    assert_null(json_object_get(json_array_get(rows, 0), "groups")); /* services are not distinguished */
    json_decref(value);
    over_time_free(over_time);
    machine_free(machine);
}

/* A measured part that begins later: no row contains earlier cycles. */
static void test_reset(void **state)
{
    (void)state;
    struct machine *machine = begin();
    struct over_time *over_time = over_time_create(machine, 1000);
    run_to(machine, over_time, 2500);
    const cycles begun = machine_now(machine);
    over_time_reset(over_time, NULL);
    assert_int_equal(over_time_next(over_time), begun + 1000);
    run_to(machine, over_time, begun + 1500);
    over_time_end(over_time, NULL);
    json_t *value = value_of(over_time);
    assert_int_equal(number(value, "begin"), begun);
    assert_int_equal(json_array_size(json_object_get(value, "rows")), 2);
    assert_int_equal(sum_of(value, "cycles"), machine_now(machine) - begun);
    json_decref(value);
    over_time_free(over_time);
    machine_free(machine);
}

/* More intervals than rows: the interval doubles. */
static void test_halved(void **state)
{
    (void)state;
    struct machine *machine = begin();
    const unsigned intervals = OVER_TIME_ROWS + OVER_TIME_ROWS / 2;
    struct over_time *over_time = over_time_create(machine, 500);
    run_to(machine, over_time, (cycles)intervals * 500);
    over_time_end(over_time, NULL);
    json_t *value = value_of(over_time);
    assert_int_equal(number(value, "interval"), 1000);
    assert_in_range(json_array_size(json_object_get(value, "rows")), intervals / 2 - 8, intervals / 2 + 1);
    assert_int_equal(sum_of(value, "cycles"), machine_now(machine));
    assert_int_equal(sum_of(value, "insns"), machine_insns(machine));
    json_decref(value);
    over_time_free(over_time);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_halved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
