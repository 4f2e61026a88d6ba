/*
 * Detection of function returns (annotations/accounts/returns.h) by stack pointer and return address (o32), including
 * tail calls, longjmp and the end of a process.
 */
#include "annotations/accounts/returns.h"
#include "tests/unit/core_fixture.h"

enum { CALLER = 0x80002008, OTHER_CALLER = 0x80002208, STACK = 0x80700000 };

struct world {
    struct fixture *f;
    struct machine_view machine;
    struct returns *returns;
    uint32_t stack; /* of user mode */
    char log[64];
};

static uint32_t stack_of(void *opaque, struct core *core)
{
    (void)core;
    return ((struct world *)opaque)->stack;
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    w->f = fixture_create_sized(32);
    w->machine = (struct machine_view){.cpus = FIXTURE_CPUS, .cores = w->f->cores, .mem = w->f->mem};
    w->returns = returns_create(&w->machine, stack_of, w);
    w->stack = 1;
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    returns_free(w->returns);
    void *fixture = w->f;
    free(w);
    return fixture_teardown(&fixture);
}

/* A function whose returns are recorded by its letter; lower case: left without a return. */
struct function {
    struct world *world;
    char letter;
};

static void back(void *opaque, struct core *core, bool left)
{
    struct function *function = opaque;
    size_t length = strlen(function->world->log);
    (void)core;
    function->world->log[length] = (char)(left ? function->letter | 0x20 : function->letter);
}

static void call(struct function *function, struct core *core, vaddr ra, vaddr sp)
{
    core->s.pc = ra >> 31 ? 0x80001000 : 0x00401000;
    core->s.gpr[REG_RA] = ra;
    core->s.gpr[REG_SP] = sp;
    returns_watch_call(function->world->returns, core, back, function);
}

static void come_to(struct core *core, vaddr pc, vaddr sp)
{
    core->s.pc = pc;
    core->s.gpr[REG_SP] = sp;
    assert_false(core_hook_run(core, pc));
}

static void test_return(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'};
    call(&a, w->f->core, CALLER, STACK);
    assert_true(core_hook_present(w->f->cores[2], CALLER));
    come_to(w->f->core, CALLER, STACK - 64); /* another call from there, further down */
    assert_string_equal(w->log, "");
    come_to(w->f->cores[1], CALLER, STACK); /* on another processor */
    assert_string_equal(w->log, "A");
    come_to(w->f->core, CALLER, STACK);
    assert_string_equal(w->log, "A");
}

/* A return address is hooked once, in whatever order the addresses come. */
static void test_hooks(void **state)
{
    static const vaddr order[] = {0x80003000, 0x80002000, 0x80005000, 0x80004000, 0x80002800};
    struct world *w = *state;
    struct function a = {w, 'A'};
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < 5; i++)
            call(&a, w->f->core, order[i], STACK - round * 64 - i * 8);
    assert_int_equal(w->f->core->pc_hook_count, 5);
}

static void test_recursion(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'}, b = {w, 'B'}, c = {w, 'C'};
    call(&a, w->f->core, CALLER, STACK);
    call(&b, w->f->core, OTHER_CALLER, STACK - 32);
    call(&c, w->f->core, OTHER_CALLER, STACK - 64);
    come_to(w->f->core, OTHER_CALLER, STACK - 64);
    assert_string_equal(w->log, "C");
    come_to(w->f->core, OTHER_CALLER, STACK - 32);
    come_to(w->f->core, CALLER, STACK);
    assert_string_equal(w->log, "CBA");
}

/* A ends with a jump to B: both return to A's caller. */
static void test_tail_call(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'}, b = {w, 'B'};
    call(&a, w->f->core, CALLER, STACK);
    call(&b, w->f->core, CALLER, STACK);
    come_to(w->f->core, CALLER, STACK);
    assert_string_equal(w->log, "BA");
}

/* B and C are left by a longjmp to A's caller: detected when A returns, or when a function above is called. */
static void test_longjmp(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'}, b = {w, 'B'}, c = {w, 'C'}, d = {w, 'D'};
    call(&a, w->f->core, CALLER, STACK);
    call(&b, w->f->core, OTHER_CALLER, STACK - 32);
    call(&c, w->f->core, OTHER_CALLER + 8, STACK - 64);
    come_to(w->f->core, CALLER, STACK);
    assert_string_equal(w->log, "cbA");
    call(&b, w->f->core, OTHER_CALLER, STACK - 32);
    call(&d, w->f->core, CALLER, STACK - 16);
    assert_string_equal(w->log, "cbAb");
    /* the same depth, another caller: the earlier call cannot return any more */
    call(&a, w->f->core, OTHER_CALLER, STACK - 16);
    assert_string_equal(w->log, "cbAbd");
}

/* Stacks are independent: the kernel's by address, a program's by process. */
static void test_stacks(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'}, b = {w, 'B'};
    call(&a, w->f->core, CALLER, STACK);
    call(&b, w->f->core, CALLER, STACK + 0x4000);
    assert_string_equal(w->log, "");
    come_to(w->f->core, CALLER, STACK + 0x4000);
    assert_string_equal(w->log, "B");
    struct function u = {w, 'U'}, v = {w, 'V'};
    call(&u, w->f->core, 0x00400100, 0x7fff0000);
    w->stack = 2;
    call(&v, w->f->core, 0x00400100, 0x7fff0000);
    come_to(w->f->core, 0x00400100, 0x7fff0000);
    assert_string_equal(w->log, "BV");
    w->stack = 1;
    come_to(w->f->core, 0x00400100, 0x7fff0000);
    assert_string_equal(w->log, "BVU");
}

/* A process ends: all calls on its kernel and user stacks are left. */
static void test_abandon(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'}, b = {w, 'B'}, u = {w, 'U'};
    call(&u, w->f->core, 0x00400100, 0x7fff0000);
    call(&a, w->f->core, CALLER, STACK);
    call(&b, w->f->core, CALLER, STACK + 0x4000);
    returns_discard_stack(w->returns, w->f->core, STACK - 128, 1);
    assert_string_equal(w->log, "au");
    come_to(w->f->core, CALLER, STACK + 0x4000);
    assert_string_equal(w->log, "auB");
}

static void test_forget(void **state)
{
    struct world *w = *state;
    struct function a = {w, 'A'}, b = {w, 'B'};
    call(&a, w->f->core, CALLER, STACK);
    call(&b, w->f->core, CALLER, STACK);
    returns_cancel(w->returns, back, &b);
    come_to(w->f->core, CALLER, STACK);
    assert_string_equal(w->log, "A");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_return, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hooks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_recursion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tail_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_longjmp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abandon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forget, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
