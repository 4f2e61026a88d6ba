/*
 * The accounting of services (SOSP'95 section 2.1.1): a pushdown automaton of exceptions for each process, rules that
 * say what a frame turns out to be, and sums that agree with the modes' to the last cycle.
 */
#include "annotations/services.h"
#include "tests/unit/core_fixture.h"

enum {
    THREAD_A = 0x80400000, /* kernel stacks of 8 KB, a thread_info at the bottom of each */
    THREAD_B = 0x80402000,
    TASK_A = 0x80500000,
    TASK_B = 0x80501000,
    OF_TASK = 0, /* in thread_info */
    OF_STATE = 0,
    OF_PID = 8,
    OF_COMM = 16,
    OF_MM = 32,
    SWITCH = 0x80001000, /* the kernel's functions */
    FAULT = 0x80001100,
    COPY = 0x80001200,
    IRQ = 0x80001300,
    SOFT = 0x80001400,
    SOFT_CALLER = 0x80001500,
    WAKE = 0x80001600,
    BLOCKED = 1,
    DEAD = 0x80,
};

struct world {
    struct fixture *f;
    struct subject subject;
    struct events *events;
    struct returns *returns;
    struct services *services;
};

static uint32_t no_stack(void *opaque, struct core *core)
{
    (void)opaque;
    (void)core;
    return 1;
}

static void put(struct world *w, vaddr address, uint32_t value)
{
    core_debug_write(w->f->core, address, &value, sizeof value);
}

static void put_task(struct world *w, vaddr thread, vaddr task, uint32_t pid, const char *name, bool daemon)
{
    put(w, thread + OF_TASK, task);
    put(w, task + OF_PID, pid);
    put(w, task + OF_MM, daemon ? 0 : 0x80600000);
    core_debug_write(w->f->core, task + OF_COMM, name, (uint32_t)strlen(name) + 1);
}

static void add_rule(struct world *w, enum service_rule_kind kind, vaddr address, const char *service)
{
    struct service_rule rule = {.kind = kind, .address = address, .rank = 1, .reg = REG_A1};
    if (service)
        rule.service = services_find(w->services, service);
    if (kind == RULE_BECOME)
        rule.class = address == IRQ ? SERVICE_IS_INTERRUPT : SERVICE_IS_FAULT;
    if (address == COPY)
        rule.rank = 2;
    services_add_rule(w->services, &rule);
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    w->f = fixture_create_sized(32);
    w->subject = (struct subject){.cpus = FIXTURE_CPUS, .cores = w->f->cores, .mem = w->f->mem, .clock_hz = 200000000};
    w->events = events_create(&w->subject);
    w->returns = returns_create(&w->subject, no_stack, w);
    put_task(w, THREAD_A, TASK_A, 100, "alpha", false);
    put_task(w, THREAD_B, TASK_B, 200, "beta", false);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        w->f->cores[i]->s.gpr[REG_GP] = 0;
    w->f->core->s.gpr[REG_GP] = THREAD_A;
    w->services = services_create(&w->subject, w->events, w->returns);
    services_set_layout(w->services, &(struct service_layout){.task_of_thread = OF_TASK,
                                                              .state = OF_STATE,
                                                              .dead = DEAD,
                                                              .pid = OF_PID,
                                                              .tgid = OF_PID,
                                                              .comm = OF_COMM,
                                                              .mm = OF_MM});
    services_name_call(w->services, 4003, "read");
    add_rule(w, RULE_SWITCH, SWITCH, NULL);
    add_rule(w, RULE_BECOME, FAULT, "FIRST");
    add_rule(w, RULE_BECOME, COPY, "COPY");
    add_rule(w, RULE_BECOME, IRQ, "CLOCK");
    add_rule(w, RULE_ENTER, SOFT, "SOFT");
    add_rule(w, RULE_WOKEN, WAKE, NULL);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    struct err err = {""};
    if (!services_check(w->services, &err))
        fail_msg("%s", err.text);
    services_free(w->services);
    returns_free(w->returns);
    events_free(w->events);
    void *fixture = w->f;
    free(w);
    return fixture_teardown(&fixture);
}

/* The core executes COUNT instructions, with a stall for data each of a cycle. */
static void execute(struct core *core, uint64_t count)
{
    core->s.cycle += 2 * count;
    core->s.insns += count;
    core->bucket->stall[STALL_L1D] += count;
    core->bucket->miss[MISS_L1D_READ] += count;
}

static void enter(struct core *core, enum exception_code code)
{
    core_raise(core, code);
    exception_enter(core, core->s.pc, false);
}

static void refill(struct core *core, vaddr address)
{
    core_raise_address(core, EXC_TLBL, address, true);
    exception_enter(core, core->s.pc, false);
}

/* As a kernel's handler does it when it has saved everything. */
static void allow_nesting(struct core *core)
{
    cp0_write(core, CP0_STATUS, STATUS_CU0);
}

static void go_back(struct core *core, bool to_user)
{
    cp0_write(core, CP0_STATUS, STATUS_EXL | (to_user ? STATUS_UM : STATUS_CU0));
    assert_int_equal(sem_eret(core, &core->s.pc), 0);
    assert_true(core->user_mode == to_user);
}

static void begin_user(struct world *w)
{
    enter(w->f->core, EXC_BP);
    go_back(w->f->core, true);
    w->f->core->s.pc = 0x00400000;
}

static void pass(struct core *core, vaddr pc)
{
    vaddr before = core->s.pc;
    core->s.pc = pc;
    assert_false(core_hook_run(core, pc));
    core->s.pc = before;
}

static uint64_t figure(struct world *w, const char *service, const char *name)
{
    uint64_t value = 12345;
    assert_true(services_figure(w->services, service, name, &value));
    return value;
}

static void test_calls(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    execute(core, 10);
    core->s.gpr[REG_V0] = 4003;
    enter(core, EXC_SYS);
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
    assert_int_equal(figure(w, "USER", "insns"), 11);
    assert_int_equal(figure(w, "read", "calls"), 2);
    assert_int_equal(figure(w, "read", "insns"), 150);
    assert_int_equal(figure(w, "read", "cycles"), 300);
    assert_int_equal(figure(w, "read", "latency"), 300);
}

/* Refills on top of a call, an interrupt on top of a fault on top of it. */
static void test_nesting(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    core->s.gpr[REG_V0] = 4003;
    enter(core, EXC_SYS);
    allow_nesting(core);
    execute(core, 10);
    refill(core, 0x00500000);
    execute(core, 5);
    go_back(core, false);
    refill(core, 0xc0000000);
    execute(core, 6);
    go_back(core, false);
    enter(core, EXC_TLBS); /* not a refill: a fault */
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
    pass(core, COPY); /* what comes later has a higher rank: the whole fault is that */
    pass(core, FAULT);
    execute(core, 1);
    go_back(core, false);
    execute(core, 2);
    go_back(core, true);
    assert_int_equal(figure(w, "read", "insns"), 12);
    assert_int_equal(figure(w, "read", "latency"), 2 * (10 + 5 + 6 + 7 + 8 + 23 + 1 + 2));
    assert_int_equal(figure(w, "UTLB", "insns"), 5);
    assert_int_equal(figure(w, "KTLB", "insns"), 6);
    assert_int_equal(figure(w, "COPY", "insns"), 16);
    assert_int_equal(figure(w, "COPY", "calls"), 1);
    assert_int_equal(figure(w, "FIRST", "calls"), 0);
    assert_int_equal(figure(w, "CLOCK", "insns"), 23);
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
    assert_int_equal(figure(w, "CLOCK", "calls"), 2);
    assert_int_equal(figure(w, "CLOCK", "insns"), 27);
    assert_int_equal(figure(w, "OTHER INT", "calls"), 0);
}

/* An exception within the refill handler: one way back, two services. */
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
    assert_int_equal(figure(w, "UTLB", "insns"), 3);
    assert_int_equal(figure(w, "DBL FAULT", "insns"), 30);
    assert_string_equal(services_current(w->services, core), "USER");
}

/* A function that is a service, and an exception that leaves it. */
static void test_functions(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    core->s.gpr[REG_V0] = 4003;
    enter(core, EXC_SYS);
    core->s.gpr[REG_SP] = THREAD_A + 0x1f00;
    core->s.gpr[REG_RA] = SOFT_CALLER;
    execute(core, 1);
    pass(core, SOFT);
    execute(core, 2);
    pass(core, SOFT_CALLER);
    execute(core, 4);
    pass(core, SOFT);
    execute(core, 8);
    go_back(core, true); /* not by its return */
    execute(core, 16);
    assert_int_equal(figure(w, "read", "insns"), 5);
    assert_int_equal(figure(w, "SOFT", "insns"), 10);
    assert_int_equal(figure(w, "SOFT", "calls"), 2);
    assert_int_equal(figure(w, "USER", "insns"), 16);
}

/* Frames go and come with their process, from one processor to another; latency is blocked and descheduled time too. */
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
    assert_int_equal(figure(w, "FIRST", "insns"), 30);
    assert_int_equal(figure(w, "FIRST", "latency"), 2 * (10 + 100 + 7 + 5 + 20));
    assert_int_equal(figure(w, "FIRST", "blocked"), 200);
    assert_int_equal(figure(w, "FIRST", "descheduled"), 24);
    assert_int_equal(figure(w, "NEW TASK", "insns"), 107);
}

/* A process that ends takes its frames with it; what they have got stays. */
static void test_end(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    core->s.gpr[REG_V0] = 4001;
    enter(core, EXC_SYS);
    execute(core, 10);
    enter(core, EXC_TLBL); /* nested without EXL: not as a handler would be, but it may come to that */
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
    assert_int_equal(figure(w, "DAEMONS", "insns"), 3);
    assert_int_equal(figure(w, "system call 4001", "calls"), 1);
    assert_int_equal(figure(w, "system call 4001", "insns"), 10);
    assert_int_equal(figure(w, "PFAULT", "insns"), 5);
}

/* The idle loop and waits, whichever bucket they are in. */
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
    assert_int_equal(figure(w, "IDLE", "insns"), 20);
    assert_int_equal(figure(w, "IDLE", "cycles"), 1040);
    assert_int_equal(figure(w, "OTHER INT", "insns"), 8);
    assert_int_equal(figure(w, "END IDLE", "insns"), 32);
    core_add_wait(core, 500); /* outside the loop */
    assert_int_equal(figure(w, "IDLE", "cycles"), 1540);
}

/* Figures that begin later: what was before is forgotten, what is under way goes on. */
static void test_begin_again(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    begin_user(w);
    execute(core, 10);
    core->s.gpr[REG_V0] = 4003;
    enter(core, EXC_SYS);
    allow_nesting(core);
    execute(core, 20);
    enter(core, EXC_TLBL);
    execute(core, 30);
    services_begin_again(w->services);
    execute(core, 40);
    pass(core, FAULT);
    go_back(core, false);
    execute(core, 50);
    go_back(core, true);
    execute(core, 60);
    assert_int_equal(figure(w, "USER", "insns"), 60);
    assert_int_equal(figure(w, "FIRST", "insns"), 40);
    assert_int_equal(figure(w, "read", "insns"), 50);
    assert_int_equal(figure(w, "read", "latency"), 180);
}

/* More exceptions than a kernel stack has room for: nothing is lost, only not told apart. */
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
        cmocka_unit_test_setup_teardown(test_begin_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
