/*
 * Services by process, and run queues: sums over processes equal those of the services, sums over services those of
 * the modes (SOSP'95 section 2.1.1: each process has an automaton of its own; table 5.4: descheduled time).
 */
#include "annotations/services/services_state.h"
#include "annotations/services/service_rules.h"
#include "annotations/services/service_queues.h"
#include "annotations/services/services.h"
#include "tests/unit/services_fixture.h"

enum { BORN = 0x80001700, MOVE = 0x80001800, MANY = ENDED_MAX + 40, OF_STACK = 40, OF_CPU = 12 };

static uint64_t figure(struct world *w, const char *service, const char *what, const char *process)
{
    uint64_t value = 0;
    assert_true(services_figure(w->services, service, what, process, &value));
    return value;
}

static void switch_to(struct core *core, vaddr task)
{
    core->s.gpr[REG_A1] = task;
    pass(core, SWITCH);
}

/* Set the processor of a process as the kernel does. */
static void put_cpu(struct world *w, vaddr task, vaddr thread, uint32_t cpu)
{
    put(w, task + OF_STACK, thread);
    put(w, thread + OF_CPU, cpu);
}

static int set_up_queues(void **state)
{
    set_up(state);
    struct world *w = *state;
    services_set_layout(w->services, &(struct service_layout){.task_of_thread = OF_TASK,
                                                              .state = OF_STATE,
                                                              .dead = DEAD,
                                                              .pid = OF_PID,
                                                              .tgid = OF_PID,
                                                              .comm = OF_COMM,
                                                              .mm = OF_MM,
                                                              .stack = OF_STACK,
                                                              .cpu = OF_CPU});
    put_cpu(w, TASK_A, THREAD_A, 0);
    put_cpu(w, TASK_B, THREAD_B, 0);
    add_rule(w, RULE_CREATED, BORN, NULL);
    services_add_rule(w->services, &(struct service_rule){.kind = RULE_MOVED, .address = MOVE, .reg = REG_A0});
    return 0;
}

/* Calls of one service by two processes, and cycles charged between them. */
static void test_processes(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    execute(core, 10);
    enter_call(core, 4003);
    execute(core, 100);
    switch_to(core, TASK_B);
    execute(core, 7);
    go_back(core, true);
    execute(core, 3);
    enter_call(core, 4003);
    execute(core, 20);
    go_back(core, true);
    enter(core, EXC_INT);
    execute(core, 1);
    switch_to(core, TASK_A);
    execute(core, 50);
    go_back(core, true);
    assert_int_equal(figure(w, "read", "insns", "alpha"), 150);
    assert_int_equal(figure(w, "read", "insns", "100"), 150);
    assert_int_equal(figure(w, "read", "insns", "beta"), 20);
    assert_int_equal(figure(w, "read", "insns", NULL), 170);
    assert_int_equal(figure(w, "read", "calls", "alpha"), 1);
    assert_int_equal(figure(w, "read", "misses", "beta"), 20);
    assert_int_equal(figure(w, "read", "stall", "beta"), 20);
    assert_int_equal(figure(w, "USER", "insns", "alpha"), 10);
    assert_int_equal(figure(w, "USER", "insns", "beta"), 3);
    assert_int_equal(figure(w, "OTHER INT", "insns", "beta"), 1);
    assert_int_equal(figure(w, "read", "insns", "nobody"), 0);
    uint64_t value;
    assert_false(services_figure(w->services, "read", "sync", "alpha", &value));
}

/* A fault that is classified on another processor than it began on is charged to its process. */
static void test_migrated_fault(void **state)
{
    struct world *w = *state;
    struct core *first = w->f->core, *second = w->f->cores[1];
    begin_user(w);
    enter(first, EXC_TLBL);
    execute(first, 10);
    switch_to(first, TASK_B);
    execute(first, 4);
    second->s.cycle = second->charged_cycle = first->s.cycle;
    switch_to(second, TASK_A);
    execute(second, 20);
    assert_int_equal(figure(w, "PFAULT", "insns", "alpha"), 30); /* it has not ended */
    pass(second, FAULT);
    go_back(second, true);
    assert_int_equal(figure(w, "FIRST", "insns", "alpha"), 30);
    assert_int_equal(figure(w, "FIRST", "insns", "beta"), 0);
    assert_int_equal(figure(w, "PFAULT", "insns", "alpha"), 0);
}

/* Of ended processes, those with most time are kept; the others are combined by name without loss. */
static void test_pools(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    enter(core, EXC_INT);
    for (uint32_t i = 0; i < MANY; i++) {
        put(w, TASK_B + OF_STATE, 0);
        put_task(w, THREAD_B, TASK_B, 1000 + i, i % 2 ? "odd" : "even", false);
        core->s.gpr[REG_A1] = TASK_B;
        pass(core, BORN);
        switch_to(core, TASK_B);
        execute(core, 5 + (i == 3 ? 100 : 0));
        put(w, TASK_B + OF_STATE, DEAD);
        switch_to(core, TASK_A);
        execute(core, 1);
    }
    assert_int_equal(w->services->ended, ENDED_MAX);
    assert_int_equal(w->services->pools, 2);
    assert_int_equal(figure(w, "NEW TASK", "insns", "even"), 5 * MANY / 2);
    assert_int_equal(figure(w, "NEW TASK", "insns", "odd"), 5 * MANY / 2 + 100);
    assert_int_equal(figure(w, "NEW TASK", "insns", "1003"), 105); /* it had the most time, and is kept */
    assert_int_equal(figure(w, "NEW TASK", "insns", "1001"), 0);
    assert_int_equal(figure(w, "NEW TASK", "dispatches", NULL), MANY);
}

/* A runnable process that loses the processor waits in its queue; a woken process waits where the kernel put it. */
static void test_queues(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    const struct run_queue *queue = &w->services->percpu[0].queue;
    begin_user(w);
    enter_call(core, 4003);
    switch_to(core, TASK_B); /* alpha is runnable */
    assert_int_equal(queue->length, 1);
    execute(core, 50);
    put(w, TASK_B + OF_STATE, BLOCKED);
    switch_to(core, TASK_A);
    assert_int_equal(queue->length, 0);
    execute(core, 30);
    core->s.gpr[REG_A1] = TASK_B;
    pass(core, WAKE);
    assert_int_equal(queue->length, 1);
    pass(core, WAKE); /* the process is in the queue already: no effect */
    assert_int_equal(queue->length, 1);
    put(w, TASK_B + OF_STATE, 0);
    execute(core, 40);
    switch_to(core, TASK_B);
    execute(core, 1);
    EXPECT(w, {"read", "queued", 100}, {"read", "dispatches", 1}, {"NEW TASK", "queued", 80},
           {"NEW TASK", "dispatches", 1});
    assert_int_equal(figure(w, "read", "queued", "alpha"), 100);
    assert_int_equal(queue->waited, 180);
    assert_int_equal(services_queued(w->services, 0), 180 + 2);
    assert_int_equal(queue->at[1], 182);
    assert_int_equal(queue->entered, 3);
    assert_int_equal(queue->longest, 1);
    assert_int_equal(w->services->preempted, 2);
}

/* A process that migrates waits in the new processor's queue from then on. */
static void test_moves(void **state)
{
    struct world *w = *state;
    struct core *first = w->f->core, *second = w->f->cores[1];
    begin_user(w);
    enter(first, EXC_INT);
    switch_to(first, TASK_B);
    execute(first, 10);
    first->s.gpr[REG_A0] = TASK_A;
    first->s.gpr[REG_A1] = 1;
    pass(first, MOVE);
    put_cpu(w, TASK_A, THREAD_A, 1);
    pass(first, MOVE); /* it is on this processor already: no effect */
    first->s.gpr[REG_A1] = 77;
    pass(first, MOVE); /* there is no such processor: no effect */
    execute(first, 5);
    second->s.cycle = second->charged_cycle = first->s.cycle;
    switch_to(second, TASK_A);
    EXPECT(w, {"USER", "queued", 30}, {"USER", "dispatches", 1});
    assert_int_equal(w->services->percpu[0].queue.waited, 20);
    assert_int_equal(w->services->percpu[1].queue.waited, 10);
    assert_int_equal(w->services->percpu[1].queue.moved, 1);
    assert_int_equal(w->services->migrated, 2); /* like the kernel: both calls for an existing processor count */
}

/* Reset of statistics: a waiting process stays in the queue, its time counts from the reset. */
static void test_reset(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    enter(core, EXC_INT);
    switch_to(core, TASK_B);
    execute(core, 10);
    services_reset(w->services);
    execute(core, 5);
    switch_to(core, TASK_A);
    EXPECT(w, {"USER", "queued", 10}, {"NEW TASK", "insns", 5});
    assert_int_equal(figure(w, "NEW TASK", "insns", "beta"), 5);
    assert_int_equal(w->services->percpu[0].queue.waited, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_processes, set_up_queues, tear_down),
        cmocka_unit_test_setup_teardown(test_migrated_fault, set_up_queues, tear_down),
        cmocka_unit_test_setup_teardown(test_pools, set_up_queues, tear_down),
        cmocka_unit_test_setup_teardown(test_queues, set_up_queues, tear_down),
        cmocka_unit_test_setup_teardown(test_moves, set_up_queues, tear_down),
        cmocka_unit_test_setup_teardown(test_reset, set_up_queues, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
