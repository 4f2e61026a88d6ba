/*
 * The scheduler: limits, quanta, waits, power, hooks; the accounts are checked after each test.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "cache/memsys.h"
#include "src/machine/machine_end.h"
#include "tests/unit/machine_program.h"

enum { T0 = 8, T1 = 9 };

/* Endless count in $t0. */
static const uint32_t counting[] = {ADDIU(T0, T0, 1), BRANCH_BACK(1), NOP};

/* Endless non-atomic increments of a word shared by all CPUs: the result depends on the interleaving. Word and code are
 * in different cache lines. */
enum { RACE_LINE = 0x1000, RACE_WORD = 0x00300000 + RACE_LINE };
static const uint32_t racing[] = {
    LUI(T0, 0x8030), LW(T1, RACE_LINE, T0), ADDIU(T1, T1, 1), NOP, NOP, SW(T1, RACE_LINE, T0), BRANCH_BACK(5), NOP,
};

static struct machine *racers(unsigned cpus)
{
    char count[32];
    snprintf(count, sizeof count, "machine.cpus=%u", cpus);
    struct machine *machine = MACHINE_OF(count, "machine.memory=16M");
    for (unsigned i = 0; i < cpus; i++)
        start_program(machine, i, racing, sizeof racing / sizeof *racing);
    return machine;
}

static char *statistics(const struct machine *machine)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    stats_write_json(machine->stats, out);
    fclose(out);
    return text;
}

static void check_accounts(const struct machine *machine)
{
    struct err err = {""};
    if (!machine_check_accounts(machine, &err))
        fail_msg("%s", err.text);
}

static void instruction_limit_is_exact(void **state)
{
    (void)state;
    for (unsigned cpus = 1; cpus <= 3; cpus++) {
        struct machine *machine = racers(cpus);
        for (uint64_t insns = 1; insns < 100000; insns = insns * 7 + 1) {
            assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
            assert_int_equal(machine_insns(machine), insns);
            check_accounts(machine);
        }
        machine_free(machine);
    }
}

static void time_limit_is_kept(void **state)
{
    (void)state;
    for (unsigned cpus = 1; cpus <= 3; cpus++) {
        struct machine *machine = racers(cpus);
        /* the longest instruction, which misses in both caches, and with several CPUs the rest of a quantum */
        const cycles late = 202 + (cpus > 1 ? machine->quantum : 0);
        for (cycles time = 100; time < 1000000; time *= 3) {
            assert_int_equal(machine_run(machine, &(struct machine_limits){time, UINT64_MAX}), MACHINE_STOP_TIME);
            for (unsigned i = 0; i < cpus; i++)
                assert_in_range(machine->cores[i]->s.cycle, time, time + late);
            check_accounts(machine);
        }
        machine_free(machine);
    }
}

static void a_run_in_pieces_is_the_same_run(void **state)
{
    (void)state;
    const struct machine_limits end = {1000000, UINT64_MAX};
    struct machine *whole = racers(3), *pieces = racers(3);
    machine_run(whole, &end);
    for (cycles time = 0; time < end.time / 2; time += 777)
        machine_run(pieces, &(struct machine_limits){time, UINT64_MAX});
    /* These limits are in the middle of a quantum. */
    for (unsigned step = 1; pieces->now < end.time - 10000; step++)
        machine_step(pieces, step % 3, step % 91);
    machine_run(pieces, &end);
    char *a = statistics(whole), *b = statistics(pieces);
    assert_string_equal(a, b);
    assert_memory_equal(physmem_host(whole->mem, RACE_WORD), physmem_host(pieces->mem, RACE_WORD), 4);
    free(a);
    free(b);
    machine_free(whole);
    machine_free(pieces);
}

/* A barrier every STEP cycles: how often it was reached, and how late. */
struct fence {
    struct machine *machine;
    cycles step, latest;
    unsigned reached, pauses;
    bool pause; /* end the run at every one, once */
    bool paused;
};

static void fence_reached(void *opaque)
{
    struct fence *fence = opaque;
    struct machine *machine = fence->machine;
    cycles late = machine->now - machine->barrier.time;
    assert_true(machine->now >= machine->barrier.time);
    assert_int_equal(machine->queue->now, machine->now);
    fence->latest = late > fence->latest ? late : fence->latest;
    fence->paused = fence->pause && !fence->paused;
    if (fence->paused) {
        fence->pauses++;
        machine_end(machine, MACHINE_STOP_BARRIER);
        return;
    }
    fence->reached++;
    machine->barrier.time += fence->step;
}

static void set_fence(struct fence *fence, struct machine *machine, cycles step, bool pause)
{
    *fence = (struct fence){.machine = machine, .step = step, .pause = pause};
    machine->barrier = (struct machine_barrier){step, fence_reached, fence};
}

/* src/machine/machine.h: barriers do not change the simulation, whether the run continues or is ended and resumed. */
static void barriers_are_not_seen_by_the_guest(void **state)
{
    (void)state;
    enum { END = 300000, STEP = 1777 };
    const struct machine_limits end = {END, UINT64_MAX};
    for (unsigned cpus = 1; cpus <= 3; cpus++) {
        struct machine *plain = racers(cpus), *fenced = racers(cpus), *paused = racers(cpus);
        struct fence fence, pausing;
        assert_int_equal(machine_run(plain, &end), MACHINE_STOP_TIME);
        set_fence(&fence, fenced, STEP, false);
        assert_int_equal(machine_run(fenced, &end), MACHINE_STOP_TIME);
        set_fence(&pausing, paused, STEP, true);
        enum machine_stop reason;
        while ((reason = machine_run(paused, &end)) == MACHINE_STOP_BARRIER)
            continue;
        assert_int_equal(reason, MACHINE_STOP_TIME);
        assert_int_equal(fence.reached, END / STEP);
        assert_int_equal(pausing.reached, END / STEP);
        assert_int_equal(pausing.pauses, END / STEP);
        /* the longest instruction, which misses in both caches, and with several CPUs the rest of a quantum */
        assert_in_range(fence.latest, 0, 202 + (cpus > 1 ? plain->quantum : 0));
        char *a = statistics(plain), *b = statistics(fenced), *c = statistics(paused);
        assert_string_equal(a, b);
        assert_string_equal(a, c);
        free(a);
        free(b);
        free(c);
        machine_free(plain);
        machine_free(fenced);
        machine_free(paused);
    }
}

/* A machine that waits forever still reaches its barriers on time, and reports that it is asleep after its timers have
 * wrapped. Without a barrier its run ends. */
static void a_machine_asleep_meets_its_barriers(void **state)
{
    (void)state;
    static const uint32_t waiting[] = {WAIT_FOR_IP2, NOP};
    struct machine *machine = MACHINE_OF("machine.memory=16M");
    struct fence fence;
    const cycles second = machine->queue->clock_hz;
    start_program(machine, 0, waiting, 4);
    set_fence(&fence, machine, second, false);
    assert_int_equal(machine_run(machine, &(struct machine_limits){10 * second, UINT64_MAX}), MACHINE_STOP_TIME);
    assert_int_equal(fence.reached, 10);
    assert_int_equal(fence.latest, 0);
    assert_false(machine_is_idle_forever(machine));
    assert_int_equal(machine_run(machine, &(struct machine_limits){200 * second, UINT64_MAX}), MACHINE_STOP_TIME);
    assert_int_equal(fence.reached, 200);
    assert_true(machine_is_idle_forever(machine));
    machine->barrier.time = CYCLES_NEVER;
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_DEADLOCK);
    check_accounts(machine);
    machine_free(machine);
}

static void cpus_take_turns_within_the_quantum(void **state)
{
    (void)state;
    struct machine *machine = racers(4);
    for (uint64_t insns = 1000; insns < 50000; insns += 997) {
        machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns});
        cycles low = CYCLES_NEVER, high = 0;
        for (unsigned i = 0; i < 4; i++) {
            cycles time = machine->cores[i]->s.cycle;
            low = time < low ? time : low;
            high = time > high ? time : high;
        }
        assert_true(high - low <= machine->quantum + 202);
    }
    machine_free(machine);
}

static void two_machines_in_one_process_do_not_meet(void **state)
{
    (void)state;
    struct machine *a = racers(2), *b = racers(2), *alone = racers(2);
    for (cycles time = 10000; time <= 100000; time += 10000) {
        machine_run(a, &(struct machine_limits){time, UINT64_MAX});
        machine_run(b, &(struct machine_limits){time, UINT64_MAX});
    }
    machine_run(alone, &(struct machine_limits){100000, UINT64_MAX});
    char *x = statistics(a), *y = statistics(b), *z = statistics(alone);
    assert_string_equal(x, y);
    assert_string_equal(x, z);
    free(x);
    free(y);
    free(z);
    machine_free(a);
    machine_free(b);
    machine_free(alone);
}

static void a_wait_that_nothing_ends_ends_the_run(void **state)
{
    (void)state;
    static const uint32_t waiting[] = {WAIT_FOR_IP2, NOP};
    /* also with a clock slower than the interrupt controller's counter, whose last tick is then a time in cycles */
    struct machine *slow = MACHINE_OF("machine.memory=16M", "cpu.clock=20M");
    start_program(slow, 0, waiting, 4);
    assert_int_equal(machine_run(slow, &MACHINE_NO_LIMITS), MACHINE_STOP_DEADLOCK);
    machine_free(slow);
    struct machine *machine = MACHINE_OF("machine.memory=16M");
    start_program(machine, 0, waiting, 4);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_DEADLOCK);
    assert_non_null(strstr(machine->failure.text, "CPU 0 waits at 0x8020000c for an interrupt"));
    check_accounts(machine);
    /* A limit before the deadlock ends the run as usual. */
    machine_power_on(machine, 0, PROGRAM_PC);
    cycles end = machine->now + 12345678;
    assert_int_equal(machine_run(machine, &(struct machine_limits){end, UINT64_MAX}), MACHINE_STOP_TIME);
    assert_int_equal(machine->cores[0]->s.cycle, end);
    check_accounts(machine);
    machine_free(machine);
}

static void nobody_has_power(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.memory=16M");
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_DEADLOCK);
    assert_int_equal(machine_step(machine, 0, 1), MACHINE_STOP_DEADLOCK);
    machine_free(machine);
}

/* Time in `wait` is idle, to the cycle: Count and Compare wake the CPU at a computable time. */
static void a_timer_ends_a_wait_at_its_moment(void **state)
{
    (void)state;
    enum { TICKS = 5000, STATUS_IM7 = 1 << 15 };
    static const uint32_t sleeping[] = {
        ORI(T0, 0, TICKS),
        MTC0(T0, 11), /* Compare */
        ORI(T0, 0, STATUS_IM7),
        MTC0(T0, 12), /* Status: IP7, interrupts off: waking is all it does */
        WAIT,
        ADDIU(T1, 0, 1),
        BRANCH_BACK(0),
        NOP,
    };
    struct machine *machine = MACHINE_OF("machine.memory=16M", "cache.model=none");
    start_program(machine, 0, sleeping, sizeof sleeping / sizeof *sleeping);
    const struct core *core = machine->cores[0];
    cycles wakes = TICKS * (machine->queue->clock_hz / BOARD_COUNT_HZ);
    machine_run(machine, &(struct machine_limits){wakes - 1, UINT64_MAX});
    assert_true(core->s.waiting);
    assert_int_equal(core->s.gpr[T1], 0);
    assert_int_equal(core->s.cycle, wakes - 1);
    machine_run(machine, &(struct machine_limits){wakes + 1, UINT64_MAX});
    assert_false(core->s.waiting);
    assert_int_equal(core->s.gpr[T1], 1);
    assert_int_equal(core->mode_buckets[MODE_IDLE].wait, wakes - 5);
    check_accounts(machine);
    machine_free(machine);
}

static void a_cpu_without_power_has_no_cycles(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.cpus=2", "machine.memory=16M", "cache.model=none");
    start_program(machine, 0, counting, 3);
    machine_run(machine, &(struct machine_limits){100000, UINT64_MAX});
    machine_power_on(machine, 1, PROGRAM_PC);
    machine_run(machine, &(struct machine_limits){150000, UINT64_MAX});
    const struct core *late = machine->cores[1];
    assert_int_equal(late->s.cycle, 150000);
    assert_int_equal(late->s.insns, 50000);
    assert_int_equal(late->mode_buckets[MODE_KERNEL].cycles, 50000);
    machine_power_off(machine, 1);
    machine_run(machine, &(struct machine_limits){200000, UINT64_MAX});
    assert_int_equal(late->s.insns, 50000);
    check_accounts(machine);
    machine_free(machine);
}

static bool stop_here(void *opaque, struct core *core)
{
    return machine_stop_at_hook(opaque, core);
}

static void a_hook_stops_before_its_instruction_and_lets_go(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.memory=16M");
    start_program(machine, 0, counting, 3);
    struct core *core = machine->cores[0];
    core_hook_add(core, PROGRAM_PC, stop_here, machine);
    for (unsigned round = 0; round < 5; round++) {
        assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_HOOK);
        assert_int_equal(machine->stopped_cpu, 0);
        assert_int_equal(core->s.pc, PROGRAM_PC);
        assert_int_equal(core->s.gpr[T0], round);
        assert_int_equal(core->s.insns, 3 * round);
    }
    core_hook_remove(core, PROGRAM_PC, stop_here, machine);
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, 1000}), MACHINE_STOP_INSNS);
    check_accounts(machine);
    machine_free(machine);
}

static void steps_are_instructions_of_one_cpu(void **state)
{
    (void)state;
    struct machine *machine = racers(2);
    struct core *core = machine->cores[1];
    for (uint64_t step = 1; step < 2000; step = step * 3 + 1) {
        uint64_t before = core->s.insns;
        assert_int_equal(machine_step(machine, 1, step), MACHINE_STOP_INSNS);
        assert_int_equal(core->s.insns, before + step);
        check_accounts(machine);
    }
    machine_free(machine);
}

/* The host */

struct host_record {
    struct machine *machine;
    unsigned polls, stop_after;
    uint8_t byte;
    unsigned uart;
};

static void count_polls(void *opaque)
{
    struct host_record *record = opaque;
    if (++record->polls == record->stop_after)
        machine_request_stop(record->machine);
}

static void take_byte(void *opaque, unsigned uart, uint8_t byte)
{
    struct host_record *record = opaque;
    record->uart = uart;
    record->byte = byte;
}

static void the_host_is_polled_and_can_stop_the_run(void **state)
{
    (void)state;
    static const struct machine_host host = {.poll = count_polls, .uart_output = take_byte};
    static const uint32_t writing[] = {
        LUI(T0, 0xb800), ORI(T1, 0, 'x'), SW(T1, 0x1000, T0), ADDIU(T1, 0, 0), BRANCH_BACK(0), NOP,
    };
    struct host_record record = {.stop_after = 3};
    struct machine *machine = machine_of((const char *const[]){"machine.memory=16M"}, 1, &host, &record);
    record.machine = machine;
    start_program(machine, 0, writing, sizeof writing / sizeof *writing);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_REQUEST);
    assert_int_equal(record.polls, 3);
    assert_in_range(machine->now, MACHINE_POLL_CYCLES, 3 * MACHINE_POLL_CYCLES);
    assert_int_equal(record.uart, 1);
    assert_int_equal(record.byte, 'x');
    machine_free(machine);
}

static void devices_end_the_run(void **state)
{
    (void)state;
    static const uint32_t exiting[] = {
        LUI(T0, 0xb801), ORI(T1, 0, 0x107), SW(T1, 0x14, T0), BRANCH_BACK(0), NOP,
    };
    static const uint32_t rebooting[] = {
        LUI(T0, 0xb802), ORI(T1, 0, 0x42), SW(T1, 0, T0), BRANCH_BACK(0), NOP,
    };
    struct machine *machine = MACHINE_OF("machine.memory=16M");
    start_program(machine, 0, exiting, 5);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_EXIT);
    assert_int_equal(machine->exit_status, 7);
    assert_int_equal(machine->cores[0]->s.insns, 3);
    check_accounts(machine);
    machine_free(machine);
    machine = MACHINE_OF("machine.memory=16M");
    start_program(machine, 0, rebooting, 5);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_REBOOT);
    machine_free(machine);
}

/* At the first poll a mark is reached, at which the run pauses, for a checkpoint, and a script ends it with status 7.
 */
static void mark_and_end(void *opaque)
{
    machine_pause_at(opaque, MACHINE_EVENT_MARK, "go");
    machine_request_exit(opaque, 7);
    machine_request_exit(opaque, 8);
    machine_request_stop(opaque);
}

static void an_end_at_the_mark_of_a_pause_follows_it(void **state)
{
    (void)state;
    static const struct machine_host host = {.poll = mark_and_end};
    static const struct machine_event event = {.kind = MACHINE_EVENT_MARK, .mark = "go"};
    struct machine *machine = racers(1);
    machine->host = &host;
    machine->host_opaque = machine;
    machine_pause_when(machine, &event);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_PAUSE);
    const uint64_t insns = machine_insns(machine);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_EXIT);
    assert_int_equal(machine_insns(machine), insns);
    assert_int_equal(machine->exit_status, 7);
    machine_free(machine);
}

static void memory_is_where_the_board_says(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.memory=2G");
    assert_true(physmem_is_ram(machine->mem, 0, BOARD_LOW_RAM_MAX));
    assert_false(physmem_page_is_ram(machine->mem, BOARD_LOW_RAM_MAX));
    assert_true(physmem_is_ram(machine->mem, BOARD_HIGH_RAM_BASE, BOARD_MAX_RAM - BOARD_LOW_RAM_MAX));
    machine_free(machine);
}

static void expect_refusal(const char *assignment, const char *culprit)
{
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    assert_true(params_set_assignment(options.params, assignment, &err));
    assert_null(machine_create(&options, NULL, NULL, &err));
    assert_non_null(strstr(err.text, culprit));
    machine_options_release(&options);
}

static void what_cannot_be_built_is_named(void **state)
{
    (void)state;
    expect_refusal("machine.memory=16777217", "machine.memory");
    expect_refusal("machine.disk3=/nonexistent/disk.img,ro", "/nonexistent/disk.img");
    expect_refusal("cache.l2.line=8", "cache.l1i.line");
}

/* Instructions that a device overwrites leave the caches where these see them, and the device writes once. */
static void devices_change_code_where_the_caches_see_it(void **state)
{
    static const struct {
        const char *map;
        paddr seen;
    } cases[] = {
        {"cache.layout=code 0x200000 0x300000 4096\ncode 0x300000 0x200000 4096", 0x300000},
        {"cache.layout=data 0x200000 0x300000 4096\ndata 0x300000 0x200000 4096", PROGRAM_BASE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const uint8_t page[PAGE_SIZE];
        double writes = -1;
        struct machine *machine = MACHINE_OF("machine.memory=16M", cases[i].map);
        start_program(machine, 0, counting, sizeof counting / sizeof *counting);
        machine_run(machine, &(struct machine_limits){CYCLES_NEVER, 100});
        assert_true(memsys_look(machine->memsys, 0, MEMSYS_L1I, cases[i].seen).valid);
        assert_true(physmem_dma_write(machine->mem, PROGRAM_BASE, page, sizeof page));
        assert_false(memsys_look(machine->memsys, 0, MEMSYS_L1I, cases[i].seen).valid);
        assert_true(stats_value(machine->stats, "memory.dma_writes", &writes));
        assert_int_equal(writes, 1);
        machine_free(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruction_limit_is_exact),
        cmocka_unit_test(time_limit_is_kept),
        cmocka_unit_test(a_run_in_pieces_is_the_same_run),
        cmocka_unit_test(barriers_are_not_seen_by_the_guest),
        cmocka_unit_test(a_machine_asleep_meets_its_barriers),
        cmocka_unit_test(cpus_take_turns_within_the_quantum),
        cmocka_unit_test(two_machines_in_one_process_do_not_meet),
        cmocka_unit_test(a_wait_that_nothing_ends_ends_the_run),
        cmocka_unit_test(nobody_has_power),
        cmocka_unit_test(a_timer_ends_a_wait_at_its_moment),
        cmocka_unit_test(a_cpu_without_power_has_no_cycles),
        cmocka_unit_test(a_hook_stops_before_its_instruction_and_lets_go),
        cmocka_unit_test(steps_are_instructions_of_one_cpu),
        cmocka_unit_test(the_host_is_polled_and_can_stop_the_run),
        cmocka_unit_test(devices_end_the_run),
        cmocka_unit_test(an_end_at_the_mark_of_a_pause_follows_it),
        cmocka_unit_test(memory_is_where_the_board_says),
        cmocka_unit_test(what_cannot_be_built_is_named),
        cmocka_unit_test(devices_change_code_where_the_caches_see_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
