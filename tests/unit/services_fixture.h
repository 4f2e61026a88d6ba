/*
 * A small machine for tests of service accounting: two processes, kernel functions with rules, exception entry and
 * return.
 */
#ifndef SIMOS_TESTS_UNIT_SERVICES_FIXTURE_H
#define SIMOS_TESTS_UNIT_SERVICES_FIXTURE_H

#include "annotations/services/services.h"
#include "annotations/services/service_names.h"
#include "annotations/services/service_rules.h"
#include "tests/unit/core_fixture.h"

enum {
    THREAD_A = 0x80400000, /* kernel stacks of 8 KB, with thread_info at the bottom */
    THREAD_B = 0x80402000,
    TASK_A = 0x80500000,
    TASK_B = 0x80501000,
    OF_TASK = 0, /* in thread_info; the others in task_struct */
    OF_STATE = 0,
    OF_PID = 8,
    OF_COMM = 16,
    OF_MM = 32,
    SWITCH = 0x80001000, /* kernel functions */
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
    struct machine_view machine;
    struct events *events;
    struct returns *returns;
    struct services *services;
};

static inline uint32_t no_stack(void *opaque, struct core *core)
{
    (void)opaque;
    (void)core;
    return 1;
}

static inline void put(struct world *w, vaddr address, uint32_t value)
{
    core_debug_write(w->f->core, address, &value, sizeof value);
}

static inline void put_task(struct world *w, vaddr thread, vaddr task, uint32_t pid, const char *name, bool daemon)
{
    put(w, thread + OF_TASK, task);
    put(w, task + OF_PID, pid);
    put(w, task + OF_MM, daemon ? 0 : 0x80600000);
    core_debug_write(w->f->core, task + OF_COMM, name, (uint32_t)strlen(name) + 1);
}

static inline void add_rule(struct world *w, enum service_rule_kind kind, vaddr address, const char *service)
{
    struct service_rule rule = {.kind = kind, .address = address, .rank = 1, .reg = REG_A1};
    if (service)
        rule.service = services_find(w->services, service);
    if (kind == RULE_RECLASSIFY)
        rule.class = address == IRQ ? SERVICE_IS_INTERRUPT : SERVICE_IS_FAULT;
    if (address == COPY)
        rule.rank = 2;
    services_add_rule(w->services, &rule);
}

static inline int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    w->f = fixture_create_sized(32);
    w->machine =
        (struct machine_view){.cpus = FIXTURE_CPUS, .cores = w->f->cores, .mem = w->f->mem, .clock_hz = 200000000};
    w->events = events_create(&w->machine);
    w->returns = returns_create(&w->machine, no_stack, w);
    put_task(w, THREAD_A, TASK_A, 100, "alpha", false);
    put_task(w, THREAD_B, TASK_B, 200, "beta", false);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        w->f->cores[i]->s.gpr[REG_GP] = 0;
    w->f->core->s.gpr[REG_GP] = THREAD_A;
    w->services = services_create(&w->machine, w->events, w->returns);
    services_set_layout(w->services, &(struct service_layout){.task_of_thread = OF_TASK,
                                                              .state = OF_STATE,
                                                              .dead = DEAD,
                                                              .pid = OF_PID,
                                                              .tgid = OF_PID,
                                                              .comm = OF_COMM,
                                                              .mm = OF_MM});
    services_name_call(w->services, 4003, "read");
    add_rule(w, RULE_SWITCH, SWITCH, NULL);
    add_rule(w, RULE_RECLASSIFY, FAULT, "FIRST");
    add_rule(w, RULE_RECLASSIFY, COPY, "COPY");
    add_rule(w, RULE_RECLASSIFY, IRQ, "CLOCK");
    add_rule(w, RULE_ENTER, SOFT, "SOFT");
    add_rule(w, RULE_WOKEN, WAKE, NULL);
    *state = w;
    return 0;
}

static inline int tear_down(void **state)
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

/* Execute COUNT instructions, each with one cycle of data stall. */
static inline void execute(struct core *core, uint64_t count)
{
    core->s.cycle += 2 * count;
    core->s.insns += count;
    core->bucket->stall[STALL_L1D] += count;
    core->bucket->miss[MISS_L1D_READ] += count;
}

static inline void enter(struct core *core, enum exception_code code)
{
    core_raise(core, code);
    exception_enter(core, core->s.pc, false);
}

/* System call NUMBER. */
static inline void enter_call(struct core *core, uint32_t number)
{
    core->s.gpr[REG_V0] = number;
    enter(core, EXC_SYS);
}

static inline void refill(struct core *core, vaddr address)
{
    core_raise_address(core, EXC_TLBL, address, true);
    exception_enter(core, core->s.pc, false);
}

/* Clear EXL, as a kernel's handler does after saving its state. */
static inline void allow_nesting(struct core *core)
{
    cp0_write(core, CP0_STATUS, STATUS_CU0);
}

static inline void go_back(struct core *core, bool to_user)
{
    cp0_write(core, CP0_STATUS, STATUS_EXL | (to_user ? STATUS_UM : STATUS_CU0));
    assert_int_equal(sem_eret(core, &core->s.pc), 0);
    assert_true(core->user_mode == to_user);
}

static inline void begin_user(struct world *w)
{
    enter(w->f->core, EXC_BP);
    go_back(w->f->core, true);
    w->f->core->s.pc = 0x00400000;
}

static inline void pass(struct core *core, vaddr pc)
{
    vaddr before = core->s.pc;
    core->s.pc = pc;
    assert_false(core_hook_run(core, pc));
    core->s.pc = before;
}

/* The expected value of one figure of a service. */
struct expected {
    const char *service, *figure;
    uint64_t value;
};

/* Check all EXPECTED values, up to a row without a service. */
static inline void expect(struct world *w, const struct expected *expected)
{
    for (; expected->service; expected++) {
        uint64_t value = 0;
        if (!services_figure(w->services, expected->service, expected->figure, NULL, &value))
            fail_msg("no figure %s of %s", expected->figure, expected->service);
        if (value != expected->value)
            fail_msg("%s of %s: %llu, not %llu", expected->figure, expected->service, (unsigned long long)value,
                     (unsigned long long)expected->value);
    }
}
#define EXPECT(w, ...) expect(w, (const struct expected[]){__VA_ARGS__, {NULL, NULL, 0}})

#endif
