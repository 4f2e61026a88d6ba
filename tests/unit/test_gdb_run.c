/*
 * Which CPUs run, and how far, with the packets c, s, C, S and vCont of src/gdb ("Packets" and "vCont packet" in the
 * appendix "Remote Protocol" of the GDB manual), and what held CPUs miss (src/machine/machine_hold.h).
 */
#include "tests/unit/gdb_client.h"

enum { CPUS = 3, SOME = 1 /* 1 or more instructions */, ONE, NONE, MAY /* NONE or SOME */ };

/* Each from the same state: three CPUs loop, thread 2 has stopped last, and there is a breakpoint at the branch, which
 * all reach in four instructions at most. Which one reaches it first depends on the model. */
static const struct {
    const char *select, *packet, *reply; /* reply "": an error; "T05thread:": of any thread */
    int executed[CPUS];
} rows[] = {
    /* without Hc: all run, and the one that has stopped makes the step */
    {NULL, "c", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "C05", "T05thread:", {MAY, MAY, MAY}},
    {"Hc-1", "c", "T05thread:", {MAY, MAY, MAY}},
    {"Hc0", "c", "T05thread:", {MAY, MAY, MAY}},
    /* with Hc: only that one */
    {"Hc1", "c", "T05thread:1;", {SOME, NONE, NONE}},
    {"Hc2", "c", "T05thread:2;", {NONE, SOME, NONE}},
    {"Hc3", "C05", "T05thread:3;", {NONE, NONE, SOME}},
    {"Hc1", "s", "T05thread:1;", {ONE, NONE, NONE}},
    {"Hc2", "s", "T05thread:2;", {NONE, ONE, NONE}},
    {"Hc3", "S05", "T05thread:3;", {NONE, NONE, ONE}},
    {"Hc3", "s80200000", "T05thread:3;", {NONE, NONE, ONE}},
    {"Hc3", "S05;80200000", "T05thread:3;", {NONE, NONE, ONE}},
    {"Hc3", "c80200000", "T05thread:3;", {NONE, NONE, SOME}},
    {"Hc3", "C05;80200000", "T05thread:3;", {NONE, NONE, SOME}},
    /* vCont: the first action that names a thread, or names none; without one the thread is held. Hc is ignored. */
    {"Hc3", "vCont;c", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;C05", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;c:-1", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;c:0", "T05thread:2;", {NONE, SOME, NONE}},
    {NULL, "vCont;c:1", "T05thread:1;", {SOME, NONE, NONE}},
    {NULL, "vCont;c:2", "T05thread:2;", {NONE, SOME, NONE}},
    {NULL, "vCont;C05:3", "T05thread:3;", {NONE, NONE, SOME}},
    {NULL, "vCont;c:3;c:2", "T05thread:", {NONE, MAY, MAY}},
    {NULL, "vCont;s:1", "T05thread:1;", {ONE, NONE, NONE}},
    {NULL, "vCont;s:2", "T05thread:2;", {NONE, ONE, NONE}},
    {NULL, "vCont;s:3", "T05thread:3;", {NONE, NONE, ONE}},
    {NULL, "vCont;S05:1", "T05thread:1;", {ONE, NONE, NONE}},
    {NULL, "vCont;S05:3", "T05thread:3;", {NONE, NONE, ONE}},
    {NULL, "vCont;s", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;S05", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;s:2;s:3", "T05thread:", {NONE, MAY, MAY}},
    {NULL, "vCont;s:1;c", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;c:1;s", "T05thread:", {MAY, MAY, MAY}},
    {NULL, "vCont;s:1;c:1", "T05thread:1;", {ONE, NONE, NONE}},
    {NULL, "vCont;c:2;s:2;s:1;c:1;c:2", "T05thread:", {MAY, MAY, NONE}},
    /* nothing runs */
    {NULL, "vCont", "", {NONE, NONE, NONE}},
    {NULL, "vCont;", "", {NONE, NONE, NONE}},
    {NULL, "vCont;t", "", {NONE, NONE, NONE}},
    {NULL, "vCont;t:1", "", {NONE, NONE, NONE}},
    {NULL, "vCont;r80200000,80200010:1", "", {NONE, NONE, NONE}},
    {NULL, "vCont;c:4", "", {NONE, NONE, NONE}},
    {NULL, "vCont;c:1;s:4", "", {NONE, NONE, NONE}},
    {NULL, "vCont;c:", "", {NONE, NONE, NONE}},
    {NULL, "vCont;c:1x", "", {NONE, NONE, NONE}},
    {NULL, "vCont;cs", "", {NONE, NONE, NONE}},
    {NULL, "vCont;C", "", {NONE, NONE, NONE}},
    {NULL, "vCont;C:1", "", {NONE, NONE, NONE}},
    {NULL, "vCont;S100:1", "", {NONE, NONE, NONE}},
    {NULL, "vContX", "", {NONE, NONE, NONE}},
    {NULL, "cx", "", {NONE, NONE, NONE}},
    {NULL, "c80200002", "", {NONE, NONE, NONE}},
    {NULL, "s180200000", "", {NONE, NONE, NONE}},
    {NULL, "C", "", {NONE, NONE, NONE}},
    {NULL, "S;80200000", "", {NONE, NONE, NONE}},
    {NULL, "S05;", "", {NONE, NONE, NONE}},
};

static void check_executed(const char *packet, unsigned cpu, int expected, uint64_t insns)
{
    const bool good = expected == NONE  ? insns == 0
                      : expected == ONE ? insns == 1
                                        : (insns >= 1 || expected == MAY) && insns <= 4;
    if (!good)
        print_error("%s: CPU %u has executed %llu instructions\n", packet, cpu, (unsigned long long)insns);
    assert_true(good);
}

static void the_resumed_run_and_no_others(const char *model)
{
    struct client c;
    client_begin(&c, model, CPUS, CPUS);
    for (unsigned thread = CPUS; thread > 0; thread = thread == 3 ? 1 : thread == 1 ? 2 : 0) /* 2 is the last */
        assert_string_equal(ASK(&c, "vCont;s:%x", thread),
                            ((char *[]){"", "T05thread:1;", "T05thread:2;", "T05thread:3;"})[thread]);
    expect(&c, "Z0,80200010,4", "OK");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cpu before[CPUS];
        /* every CPU is put at the beginning of the loop; thread 2 has stopped last */
        for (unsigned cpu = 0; cpu < CPUS; cpu++) {
            ASK(&c, "Hg%x", cpu + 1);
            expect(&c, "P25=04002080", "OK");
        }
        expect(&c, "vCont;s:2", "T05thread:2;");
        expect(&c, rows[i].select ? rows[i].select : "Hc-1", "OK");
        for (unsigned cpu = 0; cpu < CPUS; cpu++)
            before[cpu] = c.machine->cores[cpu]->s;
        const char *reply = ask(&c, rows[i].packet);
        const char *expected = *rows[i].reply ? rows[i].reply : "E01";
        if (strncmp(reply, expected, strlen(expected)) != 0)
            print_error("%s, %s: %s\n", model, rows[i].packet, reply);
        assert_int_equal(strncmp(reply, expected, strlen(expected)), 0);
        if (*rows[i].reply) { /* the thread that has stopped is one that has run */
            const unsigned long stopped = strtoul(strchr(reply, ':') + 1, NULL, 16) - 1;
            assert_true(c.machine->cores[stopped]->s.insns > before[stopped].insns);
            assert_int_equal(rows[i].executed[stopped] == NONE, 0);
        } else {
            expect(&c, "?", "T05thread:2;");
            expect(&c, "p25", "08002080"); /* an error changes nothing */
        }
        for (unsigned cpu = 0; cpu < CPUS; cpu++) {
            const struct cpu *s = &c.machine->cores[cpu]->s;
            check_executed(rows[i].packet, cpu, rows[i].executed[cpu], s->insns - before[cpu].insns);
            if (rows[i].executed[cpu] == NONE)
                assert_memory_equal(s->gpr, before[cpu].gpr, sizeof s->gpr);
        }
    }
    client_end(&c);
}

static void on_mipsy(void **state)
{
    (void)state;
    the_resumed_run_and_no_others("mipsy");
}

static void on_embra(void **state)
{
    (void)state;
    the_resumed_run_and_no_others("embra");
}

static void on_mxs(void **state)
{
    (void)state;
    the_resumed_run_and_no_others("mxs");
}

/* Stopping, stepping over breakpoints and going on does not change the run: the CPUs are held for less than a quantum.
 */
static void steps_over_breakpoints_do_not_change_the_run(void **state)
{
    struct client c, undisturbed;
    uint64_t insns;
    (void)state;
    client_begin(&c, "mipsy", 2, 2);
    expect(&c, "Z0,80200008,4", "OK");
    for (unsigned i = 0; i < 40; i++) {
        char stop[32];
        snprintf(stop, sizeof stop, "%s", ask(&c, "vCont;c"));
        expect(&c, "z0,80200008,4", "OK");
        const unsigned long thread = strtoul(strchr(stop, ':') + 1, NULL, 16);
        assert_string_equal(ASK(&c, "vCont;s:%lx", thread), stop);
        expect(&c, "Z0,80200008,4", "OK");
    }
    insns = machine_insns(c.machine);
    client_begin(&undisturbed, "mipsy", 2, 2);
    machine_run(undisturbed.machine, &(struct machine_limits){CYCLES_NEVER, insns});
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        const struct cpu *a = &c.machine->cores[cpu]->s, *b = &undisturbed.machine->cores[cpu]->s;
        assert_int_equal(a->insns, b->insns);
        assert_int_equal(a->cycle, b->cycle);
        assert_int_equal(a->pc, b->pc);
        assert_int_equal(c.machine->off_time[cpu], 0);
    }
    client_end(&undisturbed);
    client_end(&c);
}

/* A CPU that is held for long continues at the present time, and was off meanwhile. */
static void a_long_hold(const char *model)
{
    struct client c;
    client_begin(&c, model, 2, 2);
    const struct core *one = c.machine->cores[0], *two = c.machine->cores[1];
    for (int i = 0; i < 3; i++)
        ask(&c, "vCont;s:2");
    const uint64_t insns = two->s.insns, off = c.machine->off_time[0];
    client_send(&c, "vCont;c:1", 9);
    usleep(20000);
    client_send_bytes(&c, "\003", 1);
    assert_string_equal(client_receive(&c), "T02thread:1;");
    assert_true(one->s.insns > 1000);
    assert_int_equal(two->s.insns, insns);
    assert_true(c.machine->off_time[1] > 0);
    assert_int_equal(c.machine->off_time[0], off);
    assert_int_equal(two->s.cycle, c.machine->now);
    for (int i = 0; i < 10; i++)
        expect(&c, "vCont;s:2", "T05thread:2;");
    assert_int_equal(two->s.insns, insns + 10);
    expect(&c, "Z0,80200008,4", "OK");
    expect(&c, "vCont;c:2", "T05thread:2;");
    client_end(&c); /* checks the accounts */
}

static void long_holds(void **state)
{
    (void)state;
    a_long_hold("mipsy");
    a_long_hold("embra");
    a_long_hold("mxs");
}

/* If only held CPUs could continue, the run stops without a signal, and is no deadlock. */
static void only_held_cpus_could_continue(void **state)
{
    static const uint32_t waits[] = {WAIT};
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 1); /* the second is off */
    const uint64_t before = machine_insns(c.machine);
    expect(&c, "vCont;c:2", "T00thread:2;");
    expect(&c, "vCont;s:2", "T00thread:2;");
    expect(&c, "Hc2", "OK");
    expect(&c, "s", "T00thread:2;");
    expect(&c, "c", "T00thread:2;");
    assert_int_equal(machine_insns(c.machine), before);
    expect(&c, "vCont;s:1", "T05thread:1;");
    client_end(&c);

    client_begin(&c, "mipsy", 2, 2); /* the second waits with all interrupts masked */
    memcpy(physmem_host(c.machine->mem, PROGRAM_BASE + 0x1000), waits, sizeof waits);
    expect(&c, "Hg2", "OK");
    expect(&c, "P25=00102080", "OK");
    expect(&c, "vCont;s:2", "T05thread:2;");
    assert_true(c.machine->cores[1]->s.waiting);
    expect(&c, "vCont;c:2", "T00thread:2;");
    expect(&c, "vCont;s:2", "T00thread:2;");
    expect(&c, "vCont;s:1", "T05thread:1;");
    client_end(&c);
}

/* CPUs that wait for interrupts which cannot occur end the run, as without a debugger. */
static void waiting_for_ever_ends_the_run(void **state)
{
    static const uint32_t waits[] = {WAIT_FOR_IP2};
    struct client c;
    (void)state;
    client_begin(&c, "mipsy", 2, 1);
    memcpy(physmem_host(c.machine->mem, PROGRAM_BASE), waits, sizeof waits);
    client_send(&c, "c", 1);
    assert_int_equal(client_session_end(&c), MACHINE_STOP_DEADLOCK);
    close(c.fd);
    c.fd = -1;
    client_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_mipsy),
        cmocka_unit_test(on_embra),
        cmocka_unit_test(on_mxs),
        cmocka_unit_test(steps_over_breakpoints_do_not_change_the_run),
        cmocka_unit_test(long_holds),
        cmocka_unit_test(only_held_cpus_could_continue),
        cmocka_unit_test(waiting_for_ever_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
