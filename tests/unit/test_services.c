/*
 * Accounting of services (SOSP'95 section 2.1.1): a pushdown automaton of exceptions for each process, rules that
 * classify frames, and sums that equal the modes' to the cycle.
 */
#include "tests/unit/services_fixture.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_frames.h"
#include "annotations/services/services.h"

static void test_calls(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    execute(core, 10);
    enter_call(core, 4003);
    execute(core, 100);
    go_back(core, true);
    execute(core, 1);
    core->s.gpr[REG_V0] = 4000; /* syscall(4003) */
    core->s.gpr[REG_A0] = 4003;
    enter(core, EXC_SYS);
    execute(core, 50);
    assert_string_equal(services_current(w->services, core), "read");
    assert_string_equal(services_current_process(w->services, core).name, "alpha");
    go_back(core, true);
    EXPECT(w, {"USER", "insns", 11}, {"read", "calls", 2}, {"read", "insns", 150}, {"read", "cycles", 300},
           {"read", "latency", 300});
}

/* Refills during a call, an interrupt during a fault during it. */
static void test_nesting(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    enter_call(core, 4003);
    allow_nesting(core);
    execute(core, 10);
    refill(core, 0x00500000);
    execute(core, 5);
    go_back(core, false);
    refill(core, 0xc0000000);
    execute(core, 6);
    go_back(core, false);
    enter(core, EXC_TLBS); /* a TLB exception that is not a refill: a page fault */
    allow_nesting(core);
    execute(core, 7);
    pass(core, FAULT);
    execute(core, 8);
    core->s.cp0[CP0_STATUS] |= STATUS_IE | 0x8000;
    core->s.cp0[CP0_CAUSE] |= 0x8000;
    interrupt_enter(core, core->s.pc, false);
    allow_nesting(core);
    execute(core, 20);
    pass(core, IRQ);
    execute(core, 3);
    go_back(core, false);
    pass(core, COPY); /* a later rule of higher rank classifies the whole fault */
    pass(core, FAULT);
    execute(core, 1);
    go_back(core, false);
    execute(core, 2);
    go_back(core, true);
    EXPECT(w, {"read", "insns", 12}, {"read", "latency", 2 * (10 + 5 + 6 + 7 + 8 + 23 + 1 + 2)}, {"UTLB", "insns", 5},
           {"KTLB", "insns", 6}, {"COPY", "insns", 16}, {"COPY", "calls", 1}, {"FIRST", "calls", 0},
           {"CLOCK", "insns", 23});
}

/* Two sources in one exception are two interrupts. */
static void test_interrupts(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    core->s.cp0[CP0_STATUS] |= STATUS_IE | 0x8000;
    core->s.cp0[CP0_CAUSE] |= 0x8000;
    interrupt_enter(core, core->s.pc, false);
    execute(core, 20);
    assert_string_equal(services_current(w->services, core), "OTHER INT");
    pass(core, IRQ);
    execute(core, 3);
    pass(core, IRQ);
    execute(core, 4);
    go_back(core, true);
    EXPECT(w, {"CLOCK", "calls", 2}, {"CLOCK", "insns", 27}, {"OTHER INT", "calls", 0});
}

/* An exception in the refill handler: one return, two services. */
static void test_double_fault(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    refill(core, 0x00500000);
    execute(core, 3);
    core_raise_address(core, EXC_TLBL, 0xc0000000, true);
    exception_enter(core, 0x80000008, false);
    execute(core, 30);
    go_back(core, true);
    EXPECT(w, {"UTLB", "insns", 3}, {"DBL FAULT", "insns", 30});
    assert_string_equal(services_current(w->services, core), "USER");
}

/* A function that is a service, and an exception that leaves it. */
static void test_functions(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    enter_call(core, 4003);
    core->s.gpr[REG_SP] = THREAD_A + 0x1f00;
    core->s.gpr[REG_RA] = SOFT_CALLER;
    execute(core, 1);
    pass(core, SOFT);
    execute(core, 2);
    pass(core, SOFT_CALLER);
    execute(core, 4);
    pass(core, SOFT);
    execute(core, 8);
    go_back(core, true); /* not left by a return */
    execute(core, 16);
    EXPECT(w, {"read", "insns", 5}, {"SOFT", "insns", 10}, {"SOFT", "calls", 2}, {"USER", "insns", 16});
}

/* Frames follow their process across processors; latency includes blocked and descheduled time. */
static void test_processes(void **state)
{
    struct world *w = *state;
    struct core *first = w->f->core, *second = w->f->cores[1];
    begin_user(w);
    enter(first, EXC_TLBL);
    execute(first, 10);
    put(w, TASK_A + OF_STATE, BLOCKED);
    first->s.gpr[REG_A1] = TASK_B;
    pass(first, SWITCH);
    execute(first, 100);
    assert_string_equal(services_current(w->services, first), "NEW TASK");
    assert_string_equal(services_current_process(w->services, first).name, "beta");
    first->s.gpr[REG_A1] = TASK_A;
    pass(first, WAKE);
    execute(first, 7);
    go_back(first, true);
    execute(first, 5);
    second->s.cycle = second->charged_cycle = first->s.cycle;
    second->s.gpr[REG_A1] = TASK_A;
    pass(second, SWITCH);
    execute(second, 20);
    pass(second, FAULT);
    assert_string_equal(services_current(w->services, second), "FIRST");
    go_back(second, true);
    EXPECT(w, {"FIRST", "insns", 30}, {"FIRST", "latency", 2 * (10 + 100 + 7 + 5 + 20)}, {"FIRST", "blocked", 200},
           {"FIRST", "descheduled", 24}, {"NEW TASK", "insns", 107});
}

/* The frames of an ended process are removed; their accounts stay. */
static void test_end(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    enter_call(core, 4001);
    execute(core, 10);
    enter(core, EXC_TLBL); /* nested although the handler has not cleared EXL: unusual, but possible */
    allow_nesting(core);
    enter(core, EXC_TLBL);
    execute(core, 5);
    put(w, TASK_A + OF_STATE, DEAD);
    core->s.gpr[REG_A1] = TASK_B;
    pass(core, SWITCH);
    put_task(w, THREAD_A, TASK_A, 300, "gamma", true);
    put(w, TASK_A + OF_STATE, 0);
    core->s.gpr[REG_A1] = TASK_A;
    pass(core, SWITCH);
    assert_int_equal(services_current_process(w->services, core).pid, 300);
    execute(core, 3);
    EXPECT(w, {"DAEMONS", "insns", 3}, {"system call 4001", "calls", 1}, {"system call 4001", "insns", 10},
           {"PFAULT", "insns", 5});
}

/* Idle loop and waits, whatever the current bucket. */
static void test_idle(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    execute(core, 2);
    core_idle_begin(core);
    execute(core, 4);
    core_add_wait(core, 1000);
    core->s.cp0[CP0_STATUS] |= STATUS_IE | 0x8000;
    core->s.cp0[CP0_CAUSE] |= 0x8000;
    interrupt_enter(core, core->s.pc, false);
    execute(core, 8);
    go_back(core, false);
    execute(core, 16);
    core_idle_end(core);
    execute(core, 32);
    EXPECT(w, {"IDLE", "insns", 20}, {"IDLE", "cycles", 1040}, {"OTHER INT", "insns", 8}, {"END IDLE", "insns", 32});
    core_add_wait(core, 500); /* a wait outside the idle loop is idle time too */
    EXPECT(w, {"IDLE", "cycles", 1540});
}

/* Reset of statistics: earlier counts are discarded, current frames continue. */
static void test_reset(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    execute(core, 10);
    enter_call(core, 4003);
    allow_nesting(core);
    execute(core, 20);
    enter(core, EXC_TLBL);
    execute(core, 30);
    services_reset(w->services);
    execute(core, 40);
    pass(core, FAULT);
    go_back(core, false);
    execute(core, 50);
    go_back(core, true);
    execute(core, 60);
    EXPECT(w, {"USER", "insns", 60}, {"FIRST", "insns", 40}, {"read", "insns", 50}, {"read", "latency", 180});
}

/* More nested exceptions than the automaton's stack holds: no cycles are lost, only not distinguished. */
static void test_depth(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    for (unsigned i = 0; i < 100; i++) {
        enter(core, EXC_TLBL);
        allow_nesting(core);
        execute(core, 1);
        pass(core, FAULT);
        core->s.gpr[REG_SP] = THREAD_A + 0x1000;
        pass(core, SOFT);
    }
    for (unsigned i = 0; i < 99; i++)
        go_back(core, false);
    go_back(core, true);
    assert_string_equal(services_current(w->services, core), "USER");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_interrupts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_double_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_processes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_idle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reset, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
