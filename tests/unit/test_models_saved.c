/*
 * The section `models` of a checkpoint: instructions of each CPU under each model (docs/how-to/checkpoints.md). Version
 * 1, without the models' names, is still read; invalid contents are rejected.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "src/machine/machine_model.h"
#include "src/machine/machine_saved.h"

enum { CPUS = 2, MODELS = 3 };

/* The bytes of a section. */
struct record_options {
    uint8_t bytes[256];
    size_t size, at;
};

static void put(void *opaque, const void *bytes, size_t count)
{
    struct record_options *tape = opaque;
    assert_true(count <= sizeof tape->bytes - tape->size);
    memcpy(tape->bytes + tape->size, bytes, count);
    tape->size += count;
}

static bool get(void *opaque, void *bytes, size_t count)
{
    struct record_options *tape = opaque;
    if (count > tape->size - tape->at)
        return false;
    memcpy(bytes, tape->bytes + tape->at, count);
    tape->at += count;
    return true;
}

static struct machine *create(void)
{
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(params_set(options.params, "machine.memory", "16M", &err));
    assert_true(params_set(options.params, "machine.cpus", "2", &err));
    struct machine *machine = machine_create(&options, NULL, NULL, &err);
    machine_options_release(&options);
    assert_non_null(machine);
    return machine;
}

static const struct saved_section *find(const struct saved *saved)
{
    for (size_t i = 0; saved_at(saved, i); i++)
        if (strcmp(saved_at(saved, i)->name, "models") == 0)
            return saved_at(saved, i);
    return NULL;
}

/* Read TAPE as VERSION of the section into a new machine and compare its counts with COUNTS, those of CPU 0 first, in
 * the order of models (NULL: it is rejected). */
static void check_read(struct record_options *tape, uint32_t version, const uint64_t counts[MODELS][CPUS])
{
    struct machine *machine = create();
    struct err err = {""};
    struct saved *saved = machine_saved_list(machine, &err);
    const struct saved_section *section = find(saved);
    const struct saved_terms terms = {.same_machine = true, .clock_hz = machine->queue->clock_hz};
    struct saved_in in = {.get = get, .opaque = tape, .version = version};
    tape->at = 0;
    assert_int_equal(saved_read(saved, section, &in, &terms, &err), counts != NULL);
    if (counts)
        assert_int_equal(tape->at, tape->size);
    for (unsigned model = 0; counts && model < MODELS; model++)
        for (unsigned cpu = 0; cpu < CPUS; cpu++)
            assert_int_equal(machine->models->uses[model * CPUS + cpu].insns, counts[model][cpu]);
    saved_free(saved);
    machine_free(machine);
}

/* A table of no fields, then COUNT, then VALUES. */
static struct record_options version_1(uint32_t count, const uint64_t *values, unsigned number)
{
    struct record_options tape = {.size = 0};
    const uint32_t fields = 0;
    put(&tape, &fields, sizeof fields);
    put(&tape, &count, sizeof count);
    put(&tape, values, number * sizeof *values);
    return tape;
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    struct machine *machine = create();
    struct err err = {""};
    struct saved *saved = machine_saved_list(machine, &err);
    struct record_options tape = {.size = 0};
    struct saved_out out = {.put = put, .opaque = &tape};
    const uint64_t counts[MODELS][CPUS] = {{1, 2}, {3, 4}, {5, 1ull << 40}};
    assert_null(machine_cpu_model_at(MODELS));
    assert_int_equal(find(saved)->version, 2);
    for (unsigned i = 0; i < MODELS * CPUS; i++)
        machine->models->uses[i].insns = counts[i / CPUS][i % CPUS];
    saved_write(find(saved), &out);
    saved_free(saved);
    machine_free(machine);
    check_read(&tape, 2, counts);
    tape.size--;
    check_read(&tape, 2, NULL);
}

static void reads_version_1(void **state)
{
    (void)state;
    const uint64_t values[] = {10, 20, 30, 40, 50, 60, 70, 80};
    struct record_options old = version_1(4, values, 4), young = version_1(6, values, 6);
    check_read(&old, 1, (const uint64_t[MODELS][CPUS]){{10, 20}, {30, 40}, {0, 0}});
    check_read(&young, 1, (const uint64_t[MODELS][CPUS]){{10, 20}, {30, 40}, {50, 60}});
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    const uint64_t values[] = {10, 20, 30, 40, 50, 60, 70, 80};
    struct record_options odd = version_1(3, values, 3), many = version_1(8, values, 8),
                          huge = version_1(UINT32_MAX, values, 8);
    struct record_options cut = version_1(4, values, 3);
    check_read(&odd, 1, NULL);
    check_read(&many, 1, NULL);
    check_read(&huge, 1, NULL);
    check_read(&cut, 1, NULL);
    check_read(&huge, 2, NULL);
    struct record_options other = version_1(1, values, 0);
    put(&other, "\4zork", 5);
    put(&other, values, CPUS * sizeof *values);
    check_read(&other, 2, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(reads_version_1),
        cmocka_unit_test(refuses_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
