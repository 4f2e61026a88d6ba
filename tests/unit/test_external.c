/*
 * External input (src/host/external.h): delivered between instructions at one time, recorded, and replayed at the same
 * instruction; idle time is paced only while input is possible.
 */
#include "src/host/external.h"
#include "src/host/record.h"
#include "src/host/replay.h"
#include "tests/unit/machine_program.h"
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/test.h"

enum { TRACE_MAX = 64 };

/* A source that delivers bytes from a pipe or at given polls, and a log of deliveries. */
struct input {
    struct machine *machine;
    struct external_source *source;
    int pipe; /* -1: none */
    bool expecting;
    size_t number;
    unsigned polls, every; /* a byte at every EVERYth poll; 0: none */
    unsigned count;
    struct {
        cycles time;
        uint64_t insns;
        uint8_t byte;
    } trace[TRACE_MAX];
};

static void deliver(void *opaque, const void *bytes, size_t count)
{
    struct input *input = opaque;
    if (input->count == TRACE_MAX || count != 1)
        return;
    input->trace[input->count].time = input->machine->now;
    input->trace[input->count].insns = machine_insns(input->machine);
    input->trace[input->count++].byte = *(const uint8_t *)bytes;
}

static void prepare(void *opaque, struct external_waits *waits)
{
    struct input *input = opaque;
    if (input->pipe < 0)
        return;
    input->number = external_wait_for(waits, input->pipe, POLLIN);
    if (input->expecting)
        external_expect_input(waits);
}

static void take(void *opaque, const struct external_waits *waits)
{
    struct input *input = opaque;
    uint8_t byte = (uint8_t)++input->polls;
    if (input->every && input->polls % input->every == 0)
        external_deliver(input->source, &byte, 1);
    if (input->pipe >= 0 && external_revents(waits, input->number) && read(input->pipe, &byte, 1) == 1)
        external_deliver(input->source, &byte, 1);
}

static const struct external_ops ops = {.deliver = deliver, .prepare = prepare, .take = take};

/* An endless loop; a loop that waits. */
static const uint32_t busy[] = {NOP, NOP, BRANCH_BACK(2), NOP};
static const uint32_t waiting[] = {WAIT_FOR_IP2, BRANCH_BACK(1), NOP};

static struct machine *build(struct input *input, struct record *record, struct replay *replay, unsigned cpus)
{
    struct machine_options options;
    struct err err = {""};
    char number[8];
    machine_options_init(&options);
    snprintf(number, sizeof number, "%u", cpus);
    assert_true(params_set(options.params, "machine.cpus", number, &err));
    assert_true(params_set(options.params, "machine.memory", "16M", &err));
    options.record = record;
    options.replay = replay;
    struct machine *machine = machine_create(&options, NULL, NULL, &err);
    machine_options_release(&options);
    if (machine) {
        input->machine = machine;
        input->source = external_add(machine->external, "test", &ops, input);
    }
    return machine;
}

static void run_busy(struct machine *machine, cycles time)
{
    const struct machine_limits limits = {.time = time, .insns = UINT64_MAX};
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        start_program(machine, cpu, busy, sizeof busy / sizeof *busy);
    machine_run(machine, &limits);
}

static void input_comes_at_polls(void **state)
{
    (void)state;
    struct input input = {.pipe = -1, .every = 1};
    struct machine *machine = build(&input, NULL, NULL, 1);
    run_busy(machine, 10 * MACHINE_POLL_CYCLES);
    assert_int_equal(input.count, 11);
    for (unsigned i = 1; i < 10; i++)
        assert_in_range(input.trace[i].time, i * (cycles)MACHINE_POLL_CYCLES, i * (cycles)MACHINE_POLL_CYCLES + 200);
    machine_free(machine);
}

/* Recorded input is replayed at the same time and instruction count, without polling the source. */
static void a_replay_gives_the_same_at_the_same_instruction(void **state)
{
    (void)state;
    for (unsigned cpus = 1; cpus <= 3; cpus++) {
        char path[] = "/tmp/simos-test-XXXXXX";
        struct err err = {""};
        struct input first = {.pipe = -1, .every = 3}, second = {.pipe = -1, .every = 1};
        close(mkstemp(path));
        struct record *record = record_create(path, &err);
        struct machine *machine = build(&first, record, NULL, cpus);
        run_busy(machine, 20 * MACHINE_POLL_CYCLES);
        external_stop(machine->external, 2);
        machine_free(machine);
        assert_true(record_close(record, &err));
        assert_int_equal(first.count, 7);

        struct replay *replay = replay_open(path, &err);
        machine = build(&second, NULL, replay, cpus);
        assert_non_null(machine);
        assert_true(external_replaying(machine->external));
        run_busy(machine, 20 * MACHINE_POLL_CYCLES);
        assert_int_equal(machine->failure.text[0], 0);
        assert_int_equal(second.count, first.count);
        assert_memory_equal(second.trace, first.trace, sizeof first.trace);
        assert_int_equal(second.polls, 0);
        machine_free(machine);
        replay_free(replay);
        unlink(path);
    }
}

/* A machine of one CPU after 20 polls of a busy loop, recording to PATH (from mkstemp()). */
static struct machine *record_busy(struct input *input, char *path, struct record **record)
{
    struct err err = {""};
    close(mkstemp(path));
    *record = record_create(path, &err);
    struct machine *machine = build(input, *record, NULL, 1);
    run_busy(machine, 20 * MACHINE_POLL_CYCLES);
    return machine;
}

static void a_machine_that_goes_another_way_is_noticed(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-test-XXXXXX";
    struct err err = {""};
    struct input first = {.pipe = -1, .every = 3}, second = {.pipe = -1};
    struct record *record;
    struct machine *machine = record_busy(&first, path, &record);
    machine_free(machine);
    assert_true(record_close(record, &err));

    struct replay *replay = replay_open(path, &err);
    machine = build(&second, NULL, replay, 1);
    const struct machine_limits limits = {.time = 20 * MACHINE_POLL_CYCLES, .insns = UINT64_MAX};
    start_program(machine, 0, waiting, sizeof waiting / sizeof *waiting);
    assert_int_equal(machine_run(machine, &limits), MACHINE_STOP_FAILED);
    assert_non_null(strstr(machine->failure.text, "diverges"));
    machine_free(machine);
    replay_free(replay);

    /* the replay refuses a machine with two CPUs, and then a second machine */
    replay = replay_open(path, &err);
    assert_null(build(&second, NULL, replay, 2));
    assert_null(build(&second, NULL, replay, 1));
    replay_free(replay);
    unlink(path);
}

/* Record a run with the input FIRST, and replay with SECOND what the record has before the run ends, after a note of
 * how far the machine has come if IS_NOTED. The replay ends where the record breaks off: the time of that; RECORDED is
 * the one that the run had come to. */
static cycles replay_broken(struct input *first, struct input *second, bool is_noted, cycles *recorded)
{
    char path[] = "/tmp/simos-test-XXXXXX";
    struct err err = {""};
    struct record *record;
    struct machine *machine = record_busy(first, path, &record);
    *recorded = machine->now;
    if (is_noted)
        external_note_progress(machine->external);
    struct replay *replay = replay_open(path, &err); /* opened while the recording has no end */
    machine_free(machine);
    assert_true(record_close(record, &err));
    machine = build(second, NULL, replay, 1);
    run_busy(machine, 40 * MACHINE_POLL_CYCLES);
    assert_non_null(strstr(machine->failure.text, "is truncated"));
    const cycles end = machine->now;
    machine_free(machine);
    replay_free(replay);
    unlink(path);
    return end;
}

/* The truncated recording of a killed run is replayed to its end, followed by a message. */
static void a_broken_record_ends_the_replay_where_it_ends(void **state)
{
    (void)state;
    struct input first = {.pipe = -1, .every = 3}, second = {.pipe = -1};
    cycles recorded;
    const cycles end = replay_broken(&first, &second, false, &recorded);
    assert_int_equal(second.count, first.count);
    assert_int_equal(end, first.trace[first.count - 1].time);
}

/* ... or where it was last noted how far the machine has come. */
static void a_broken_record_is_replayed_as_far_as_is_noted(void **state)
{
    (void)state;
    struct input first = {.pipe = -1, .every = 4}, second = {.pipe = -1};
    cycles recorded;
    const cycles end = replay_broken(&first, &second, true, &recorded);
    assert_true(recorded > first.trace[first.count - 1].time);
    assert_in_range(end, recorded, recorded + 200);
}

static double host_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void count_sleep(void *opaque)
{
    ++*(unsigned *)opaque;
}

/* 0.2 s of an idle machine: immediately, or in real time while input is possible; a byte ends the wait. */
static void idle_time_is_paced_while_something_may_come(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct input input = {.pipe = ends[0]};
    struct machine *machine = build(&input, NULL, NULL, 1);
    struct machine_limits limits = {.time = machine->queue->clock_hz / 5, .insns = UINT64_MAX};
    start_program(machine, 0, waiting, sizeof waiting / sizeof *waiting);
    unsigned sleeps = 0;
    machine->host = &(const struct machine_host){.sleep = count_sleep};
    machine->host_opaque = &sleeps;
    assert_int_equal(machine_run(machine, &limits), MACHINE_STOP_TIME);
    assert_int_equal(sleeps, 0);

    input.expecting = true;
    limits.time *= 2;
    double before = host_seconds();
    assert_int_equal(machine_run(machine, &limits), MACHINE_STOP_TIME);
    assert_true(host_seconds() - before > 0.15);
    assert_int_equal(machine->now, limits.time);

    assert_int_equal(write(ends[1], "k", 1), 1);
    limits.time *= 2;
    assert_int_equal(machine_run(machine, &limits), MACHINE_STOP_TIME);
    assert_int_equal(input.count, 1);
    assert_int_equal(input.trace[0].byte, 'k');
    machine_free(machine);
    close(ends[0]);
    close(ends[1]);
}

static void met(void *opaque)
{
    struct input *input = opaque;
    external_deliver(input->source, "b", 1);
}

static void reached(void *opaque)
{
    struct input *input = opaque;
    input->machine->barrier.time += 1000000;
    external_at_barrier(input->machine->external, met, input);
}

static void what_comes_at_barriers_is_played_at_them(void **state)
{
    (void)state;
    char path[] = "/tmp/simos-test-XXXXXX";
    struct err err = {""};
    struct input inputs[2] = {{.pipe = -1}, {.pipe = -1}};
    struct replay *replay = NULL;
    close(mkstemp(path));
    struct record *record = record_create(path, &err);
    for (int i = 0; i < 2; i++) {
        struct machine *machine = build(&inputs[i], i ? NULL : record, replay, 2);
        machine->barrier = (struct machine_barrier){.time = 1000000, .reached = reached, .opaque = &inputs[i]};
        run_busy(machine, 5500000);
        assert_int_equal(inputs[i].count, 5);
        assert_int_equal(machine->failure.text[0], 0);
        machine_free(machine);
        if (i == 0) {
            assert_true(record_close(record, &err));
            replay = replay_open(path, &err);
        }
    }
    assert_memory_equal(inputs[0].trace, inputs[1].trace, sizeof inputs[0].trace);
    replay_free(replay);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_comes_at_polls),
        cmocka_unit_test(a_replay_gives_the_same_at_the_same_instruction),
        cmocka_unit_test(a_machine_that_goes_another_way_is_noticed),
        cmocka_unit_test(a_broken_record_ends_the_replay_where_it_ends),
        cmocka_unit_test(a_broken_record_is_replayed_as_far_as_is_noted),
        cmocka_unit_test(idle_time_is_paced_while_something_may_come),
        cmocka_unit_test(what_comes_at_barriers_is_played_at_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
