/*
 * Locks (SOSP'95 section 2.1.1: the synchronization time of the system and of each spin lock) and automata declared
 * by scripts. Code sequences are those of the stock kernel.
 */
#include "annotations/automata/automaton.h"
#include "annotations/services/lock_code.h"
#include "annotations/services/service_locks.h"
#include "tests/unit/services_fixture.h"

enum {
    TAKE = 0x80002000, /* functions of four instructions, the third is jr $ra */
    WAIT = 0x80002100,
    TRY = 0x80002200,
    GIVE = 0x80002300,
    TEXT = 0x80002400, /* code with an inline release */
    MUTEX_TAKE = 0x80002500,
    MUTEX_WAIT = 0x80002600,
    MUTEX_GIVE = 0x80002700,
    SHARED_TRY = 0x80002800,
    SHARED_GIVE = 0x80002900,
    BARRIER = 0x80002a00,      /* a function that is a barrier */
    CALL_BARRIER = 0x80002b00, /* an inline release with calls of it */
    EXIT = 8,
    CALLER = 0x80003000,
    LOCK = 0x80700000,
    INSN_NOP = 0,
    INSN_SYNC = 0xf,
    INSN_JR_RA = 0x03e00008,
};

static uint32_t jump_to(vaddr target)
{
    return 2u << 26 | (target & 0x0fffffff) >> 2;
}

static uint32_t call_of(vaddr target)
{
    return 3u << 26 | (target & 0x0fffffff) >> 2;
}

static uint32_t store_zero(unsigned base, unsigned offset)
{
    return 0x28u << 26 | base << 21 | offset;
}

/* The functions of lock_code.h on words. */
static const struct isa_decoder *decoder;

static const struct isa_decoded *decoded(const uint32_t *words, unsigned count)
{
    static struct isa_decoded code[LOCK_RELEASE_INSNS];
    for (unsigned i = 0; i < count; i++)
        code[i] = isa_decode_word(decoder, words[i]);
    return code;
}

static bool is_exit(uint32_t word, vaddr address, vaddr first, vaddr end, vaddr *target)
{
    return lock_code_is_exit(decoded(&word, 1), address, first, end, target);
}

static bool find_release(const uint32_t *words, unsigned count, vaddr address, struct lock_release *release)
{
    return lock_code_find_release(decoded(words, count), count, address, release);
}

static bool find_shared_release(const uint32_t *words, unsigned count, vaddr address, struct lock_release *release,
                                bool *writer)
{
    return lock_code_find_shared_release(decoded(words, count), count, address, release, writer);
}

/* Exits of a function: jr $ra, jr.hb $ra, and jumps to other functions; not jumps within it. */
static void test_leaves(void **state)
{
    decoder = ((struct fixture *)*state)->decoder;
    vaddr target;
    assert_true(is_exit(INSN_JR_RA, 0x80002008, 0x80002000, 0x80002010, &target));
    assert_int_equal(target, 0);
    assert_true(is_exit(INSN_JR_RA | 0x400, 0x80002008, 0x80002000, 0x80002010, &target));
    assert_true(is_exit(jump_to(0x80114e60), 0x80002008, 0x80002000, 0x80002010, &target));
    assert_int_equal(target, 0x80114e60);
    assert_false(is_exit(jump_to(0x80002004), 0x80002008, 0x80002000, 0x80002010, &target));
    assert_false(is_exit(0x00400008 /* jr $v0 */, 0x80002008, 0x80002000, 0x80002010, &target));
}

/* A release is two barriers and `sb $zero`; code between them must not change the address or branch. */
static void test_releases(void **state)
{
    decoder = ((struct fixture *)*state)->decoder;
    struct lock_release release;
    const uint32_t plain[] = {INSN_SYNC, INSN_SYNC, store_zero(16, 0xfffc)};
    assert_true(find_release(plain, 3, TEXT, &release));
    assert_int_equal(release.begin, TEXT);
    assert_int_equal(release.end, TEXT + 12);
    assert_int_equal(release.base, 16);
    assert_int_equal(release.offset, -4);
    const uint32_t one_barrier[] = {INSN_SYNC, store_zero(16, 0), INSN_NOP};
    assert_false(find_release(one_barrier, 3, TEXT, &release));
    const uint32_t changed[] = {INSN_SYNC, INSN_SYNC, 0x26100004 /* addiu $s0, $s0, 4 */, store_zero(16, 0)};
    assert_true(find_release(changed, 4, TEXT, &release));
    assert_int_equal(release.begin, TEXT + 12);
    assert_int_equal(release.end, 0);
    const uint32_t delayed[] = {INSN_SYNC, INSN_SYNC, INSN_JR_RA, store_zero(4, 0)};
    assert_true(find_release(delayed, 4, TEXT, &release));
    assert_int_equal(release.begin, TEXT + 8);
    assert_int_equal(release.end, 0);
    assert_false(find_release(plain, 2, TEXT, &release));
}

/* A reader releases by subtracting 512 (_QR_BIAS of asm-generic/qrwlock.h), a writer by a barrier and `sb $zero`. */
static void test_shared_releases(void **state)
{
    decoder = ((struct fixture *)*state)->decoder;
    struct lock_release release;
    bool writer;
    uint32_t reader[] = {0xc2040c20 /* ll $a0, 3104($s0) */, 0x2483fe00 /* addiu $v1, $a0, -512 */,
                         0xe2030c20 /* sc $v1, 3104($s0) */};
    assert_true(find_shared_release(reader, 3, TEXT, &release, &writer));
    assert_false(writer);
    assert_int_equal(release.begin, TEXT);
    assert_int_equal(release.end, 0);
    assert_int_equal(release.base, 16);
    assert_int_equal(release.offset, 3104);
    assert_false(find_shared_release(reader, 2, TEXT, &release, &writer));
    reader[1] = 0x24830200; /* adds 512, as an acquisition does */
    assert_false(find_shared_release(reader, 3, TEXT, &release, &writer));
    reader[1] = 0x2483fe00;
    reader[2] = 0xe2230c20; /* stores to another address than it loaded from */
    assert_false(find_shared_release(reader, 3, TEXT, &release, &writer));
    const uint32_t write[] = {INSN_SYNC, store_zero(20, 3104)};
    assert_true(find_shared_release(write, 2, TEXT, &release, &writer));
    assert_true(writer);
    assert_int_equal(release.base, 20);
    /* __raw_write_unlock_irq.constprop.0: the address is computed behind the barrier */
    const uint32_t computed[] = {INSN_SYNC, 0x3c0280dc /* lui $v0, 0x80dc */, store_zero(2, 28800)};
    assert_true(find_shared_release(computed, 3, TEXT, &release, &writer));
    assert_true(writer);
    assert_int_equal(release.begin, TEXT + 8);
    assert_int_equal(release.end, 0);
    assert_int_equal(release.base, 2);
    assert_int_equal(release.offset, 28800);
    assert_false(find_shared_release(computed, 2, TEXT, &release, &writer));
    const uint32_t delayed[] = {INSN_SYNC, 0x3c0280dc, INSN_JR_RA, store_zero(2, 28800)};
    assert_true(find_shared_release(delayed, 4, TEXT, &release, &writer));
    assert_int_equal(release.begin, TEXT + 8);
    const uint32_t left[] = {INSN_SYNC, INSN_JR_RA, INSN_NOP, store_zero(2, 28800)};
    assert_false(find_shared_release(left, 4, TEXT, &release, &writer));
    const uint32_t again[] = {INSN_SYNC, INSN_NOP, INSN_SYNC, store_zero(2, 28800)};
    assert_false(find_shared_release(again, 4, TEXT, &release, &writer));
    const uint32_t other[] = {INSN_SYNC, INSN_NOP, store_zero(20, 0) | 4u << 16 /* of $a0 */};
    assert_false(find_shared_release(other, 3, TEXT, &release, &writer));
}

static void put_function(struct world *w, vaddr address, uint32_t exit)
{
    const uint32_t code[] = {INSN_NOP, INSN_NOP, exit, INSN_NOP};
    for (unsigned i = 0; i < 4; i++)
        put(w, address + 4 * i, code[i]);
}

static void add_lock_rule(struct world *w, enum lock_kind kind, enum lock_action action, vaddr address, uint32_t exit)
{
    put_function(w, address, exit);
    assert_true(services_add_lock_rule(w->services, &(struct lock_rule){kind, action, address, address + 16}));
}

static int set_up_locks(void **state)
{
    set_up(state);
    struct world *w = *state;
    add_lock_rule(w, LOCK_SPIN, LOCK_SLOW_PATH, WAIT, INSN_JR_RA);
    add_lock_rule(w, LOCK_SPIN, LOCK_ACQUIRE, TAKE, INSN_JR_RA);
    put(w, TAKE + 4, jump_to(WAIT)); /* no exit: it waits */
    add_lock_rule(w, LOCK_SPIN, LOCK_TRY, TRY, INSN_JR_RA);
    add_lock_rule(w, LOCK_SPIN, LOCK_RELEASE, GIVE, INSN_JR_RA);
    add_lock_rule(w, LOCK_MUTEX, LOCK_SLOW_PATH, MUTEX_WAIT, INSN_JR_RA);
    add_lock_rule(w, LOCK_MUTEX, LOCK_ACQUIRE, MUTEX_TAKE, INSN_JR_RA);
    add_lock_rule(w, LOCK_MUTEX, LOCK_RELEASE, MUTEX_GIVE, INSN_JR_RA);
    add_lock_rule(w, LOCK_SHARED, LOCK_TRY, SHARED_TRY, INSN_JR_RA);
    add_lock_rule(w, LOCK_SHARED, LOCK_RELEASE, SHARED_GIVE, INSN_JR_RA);
    put(w, TEXT, INSN_SYNC);
    put(w, TEXT + 4, INSN_SYNC);
    put(w, TEXT + 8, store_zero(16, 0));
    assert_int_equal(services_add_lock_releases(w->services, TEXT, TEXT + 64), 1);
    services_set_image_end(w->services, LOCK + 0x1000);
    begin_user(w);
    w->f->core->s.gpr[REG_V0] = 4003;
    enter(w->f->core, EXC_SYS);
    allow_nesting(w->f->core);
    w->f->core->s.gpr[REG_A0] = LOCK;
    w->f->core->s.gpr[REG_RA] = CALLER;
    return 0;
}

/* Member NAME of the first lock in the results, which must be of KIND. */
static unsigned long long lock_figure(struct world *w, const char *kind, const char *name)
{
    char *text, key[64];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct json_writer json = json_writer_to(out);
    locks_write_json(w->services, &json);
    fclose(out);
    snprintf(key, sizeof key, "\"kind\": \"%s\"", kind);
    const char *at = strstr(text, key);
    assert_non_null(at);
    snprintf(key, sizeof key, "\"%s\": ", name);
    at = strstr(at, key);
    assert_non_null(at);
    unsigned long long value = strtoull(at + strlen(key), NULL, 10);
    free(text);
    return value;
}

/* Acquire, wait and hold; the time is charged to the service and its share in locks. */
static void test_spin(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    execute(core, 1);
    pass(core, TAKE);
    execute(core, 10);
    pass(core, TAKE + EXIT);
    execute(core, 100);
    core->s.gpr[16] = LOCK;
    pass(core, TEXT);
    execute(core, 3);
    pass(core, TEXT + 12);
    execute(core, 1000);
    pass(core, TAKE);
    execute(core, 5);
    pass(core, WAIT);
    execute(core, 50);
    pass(core, WAIT + EXIT);
    pass(core, TAKE + EXIT); /* the acquisition has ended already: no effect */
    execute(core, 7);
    pass(core, GIVE);
    execute(core, 2);
    pass(core, GIVE + EXIT);
    execute(core, 20);
    EXPECT(w, {"read", "insns", 1 + 10 + 100 + 3 + 1000 + 5 + 50 + 7 + 2 + 20}, {"read", "acquires", 2},
           {"read", "contended", 1}, {"read", "sync", 2 * (10 + 3 + 5 + 50 + 2)});
    assert_int_equal(lock_figure(w, "spin", "acquires"), 2);
    assert_int_equal(lock_figure(w, "spin", "contended"), 1);
    assert_int_equal(lock_figure(w, "spin", "wait"), 2 * 50);
    assert_int_equal(lock_figure(w, "spin", "releases"), 2);
    assert_int_equal(lock_figure(w, "spin", "held"), 2 * (100 + 7));
    assert_int_equal(lock_figure(w, "spin", "held_longest"), 2 * 100);
}

/* A barrier of a release may be a call of a function that is nothing else; a call of another function is none. */
static void test_barrier_called(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    const uint32_t barrier[] = {INSN_SYNC, INSN_JR_RA, INSN_NOP}, other[] = {INSN_SYNC, INSN_NOP, INSN_JR_RA};
    vaddr target;
    const uint32_t call = call_of(BARRIER), jump = jump_to(BARRIER);
    decoder = w->f->decoder;
    assert_true(lock_code_is_barrier(decoded(barrier, 3)));
    assert_false(lock_code_is_barrier(decoded(other, 3)));
    assert_true(lock_code_is_call(decoded(&call, 1), CALL_BARRIER, &target));
    assert_int_equal(target, BARRIER);
    assert_false(lock_code_is_call(decoded(&jump, 1), CALL_BARRIER, &target));
    put(w, CALL_BARRIER, call_of(BARRIER));
    put(w, CALL_BARRIER + 8, call_of(BARRIER));
    put(w, CALL_BARRIER + 16, store_zero(16, 0));
    put_function(w, BARRIER, INSN_JR_RA);
    assert_int_equal(services_add_lock_releases(w->services, CALL_BARRIER, CALL_BARRIER + 64), 0);
    for (unsigned i = 0; i < 3; i++)
        put(w, BARRIER + 4 * i, barrier[i]);
    assert_int_equal(services_add_lock_releases(w->services, CALL_BARRIER, CALL_BARRIER + 64), 1);
    pass(core, TAKE);
    pass(core, TAKE + EXIT);
    execute(core, 100);
    core->s.gpr[16] = LOCK;
    pass(core, CALL_BARRIER);
    pass(core, CALL_BARRIER + 20);
    assert_int_equal(lock_figure(w, "spin", "releases"), 1);
    assert_int_equal(lock_figure(w, "spin", "held"), 2 * 100);
}

/* A failed attempt acquires nothing; a release of a lock that is not held is ignored. */
static void test_not_taken(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    pass(core, TRY);
    core->s.gpr[REG_V0] = 0;
    pass(core, TRY + EXIT);
    core->s.gpr[16] = LOCK;
    pass(core, TEXT);
    execute(core, 8);
    pass(core, TEXT + 12);
    EXPECT(w, {"read", "acquires", 0}, {"read", "sync", 0});
    pass(core, TRY);
    core->s.gpr[REG_V0] = 1;
    pass(core, TRY + EXIT);
    EXPECT(w, {"read", "acquires", 1});
}

/* An interrupt during a wait has its own time and its own locks. */
static void test_interrupted(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    pass(core, TAKE);
    pass(core, WAIT);
    execute(core, 10);
    core->s.cp0[CP0_STATUS] |= STATUS_IE | 0x8000;
    core->s.cp0[CP0_CAUSE] |= 0x8000;
    interrupt_enter(core, core->s.pc, false);
    execute(core, 100);
    core->s.gpr[REG_A0] = LOCK + 64;
    pass(core, TAKE);
    execute(core, 1);
    pass(core, TAKE + EXIT);
    pass(core, GIVE);
    execute(core, 2);
    pass(core, GIVE + EXIT);
    go_back(core, false);
    execute(core, 20);
    pass(core, WAIT + EXIT);
    EXPECT(w, {"OTHER INT", "insns", 103}, {"OTHER INT", "sync", 2 * 3}, {"OTHER INT", "contended", 0},
           {"read", "sync", 2 * 30}, {"read", "contended", 1});
}

/* A mutex belongs to a process: others run while it waits. */
static void test_mutex(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    pass(core, MUTEX_TAKE);
    pass(core, MUTEX_WAIT);
    execute(core, 5);
    put(w, TASK_A + OF_STATE, BLOCKED);
    core->s.gpr[REG_A1] = TASK_B;
    pass(core, SWITCH);
    execute(core, 100);
    core->s.gpr[REG_A0] = LOCK + 4; /* another lock of another process */
    pass(core, MUTEX_TAKE);
    execute(core, 10);
    pass(core, MUTEX_GIVE);
    core->s.gpr[REG_A1] = TASK_A;
    pass(core, SWITCH);
    pass(core, MUTEX_WAIT + EXIT);
    execute(core, 30);
    core->s.gpr[REG_A0] = LOCK;
    pass(core, MUTEX_GIVE);
    assert_int_equal(lock_figure(w, "mutex", "wait"), 2 * 115);
    assert_int_equal(lock_figure(w, "mutex", "held"), 2 * 30);
    EXPECT(w, {"read", "acquires", 0});
}

/* Two readers hold a lock at once, each for its own time; the longest holder is known. */
static void test_readers(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    core->s.gpr[REG_V0] = 0;
    pass(core, SHARED_TRY);
    pass(core, SHARED_TRY + EXIT); /* the attempt failed */
    core->s.gpr[REG_V0] = 1;
    pass(core, SHARED_TRY);
    pass(core, SHARED_TRY + EXIT);
    execute(core, 10);
    core->s.gpr[REG_A1] = TASK_B;
    pass(core, SWITCH);
    core->s.gpr[REG_RA] = CALLER + 0x100;
    pass(core, SHARED_TRY);
    pass(core, SHARED_TRY + EXIT);
    execute(core, 100);
    pass(core, SHARED_GIVE);
    core->s.gpr[REG_A1] = TASK_A;
    pass(core, SWITCH);
    execute(core, 1);
    pass(core, SHARED_GIVE);
    pass(core, SHARED_GIVE); /* releases a lock that is not held: no effect */
    assert_int_equal(lock_figure(w, "shared", "acquires"), 2);
    assert_int_equal(lock_figure(w, "shared", "releases"), 2);
    assert_int_equal(lock_figure(w, "shared", "held"), 2 * (111 + 100));
    assert_int_equal(lock_figure(w, "shared", "held_longest"), 2 * 111);
    assert_int_equal(lock_figure(w, "shared", "pid"), 100);
    assert_int_equal(lock_figure(w, "shared", "longest"), 2 * 111);
}

/* Automata */

static struct automata *add_automaton(struct world *w, enum automaton_per per, struct automaton_transition *transitions,
                                      unsigned count)
{
    struct err err = {""};
    struct automata *automata = automata_create(&w->machine, w->events, w->returns);
    const struct automaton_plan plan = {.name = "a",
                                        .per = per,
                                        .states = 2,
                                        .counts = 1,
                                        .state = {"outside", "inside"},
                                        .count = {"entries"},
                                        .transitions = count,
                                        .transition = transitions};
    assert_true(automata_add(automata, &plan, w->services, &err));
    assert_false(automata_add(automata, &plan, w->services, &err));
    return automata;
}

static void check_automaton(struct automata *automata, const char *state, const char *figure, uint64_t expected)
{
    uint64_t value = 0;
    assert_true(automata_figure(automata, "a", state, figure, &value, NULL));
    assert_int_equal(value, expected);
}

/* Per processor: a stack of states, to which all cycles are charged. */
static void test_stack(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    struct automaton_transition transitions[] = {
        {.event = WHEN_EXCEPTION, .key = EXC_INT, .from = AUTOMATON_ANY, .to = 1, .move = MOVE_PUSH, .count = 0},
        {.event = WHEN_ERET,
         .key = UINT32_MAX,
         .from = 1,
         .to = AUTOMATON_ANY,
         .move = MOVE_POP,
         .count = AUTOMATON_ANY}};
    struct automata *automata = add_automaton(w, PER_CPU, transitions, 2);
    execute(core, 10);
    for (unsigned depth = 0; depth < 2; depth++) {
        core->s.cp0[CP0_STATUS] |= STATUS_IE | 0x8000;
        core->s.cp0[CP0_CAUSE] |= 0x8000;
        interrupt_enter(core, core->s.pc, false);
        allow_nesting(core);
        execute(core, 100);
    }
    go_back(core, false);
    execute(core, 5);
    go_back(core, false);
    execute(core, 1);
    check_automaton(automata, "entries", NULL, 2);
    check_automaton(automata, "inside", "insns", 205);
    check_automaton(automata, "inside", "time", 2 * 205);
    check_automaton(automata, "inside", "entered", 3); /* the return to the outer period counts, too */
    check_automaton(automata, "outside", "insns", 11);
    automata_free(automata);
}

/* Per process: its state follows it across processors; time passes while it is not running; processes are
 * independent. */
static void test_process(void **state)
{
    struct world *w = *state;
    struct core *core = w->f->core;
    struct automaton_transition transitions[] = {
        {.event = WHEN_PC, .key = SOFT, .from = 0, .to = 1, .count = 0},
        {.event = WHEN_PC, .key = WAKE, .from = 1, .to = 0, .count = AUTOMATON_ANY, .of_other = true, .reg = REG_A1}};
    struct automata *automata = add_automaton(w, PER_PROCESS, transitions, 2);
    execute(core, 10);
    core->s.gpr[REG_SP] = THREAD_A + 0x1f00;
    pass(core, SOFT);
    execute(core, 20);
    core->s.gpr[REG_A1] = TASK_B;
    pass(core, SWITCH);
    execute(core, 40);
    core->s.gpr[REG_A1] = TASK_A;
    pass(core, WAKE);
    pass(core, WAKE); /* the process is in no period: no effect */
    core->s.gpr[REG_A1] = TASK_A;
    pass(core, SWITCH);
    execute(core, 80);
    check_automaton(automata, "entries", NULL, 1);
    check_automaton(automata, "inside", "insns", 20);
    check_automaton(automata, "inside", "time", 2 * 60);
    check_automaton(automata, "outside", "insns", 10 + 40 + 80);
    check_automaton(automata, "outside", "entered", 1);
    automata_reset(automata);
    check_automaton(automata, "outside", "insns", 0);
    automata_free(automata);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_leaves),
        TEST(test_releases),
        TEST(test_shared_releases),
        cmocka_unit_test_setup_teardown(test_readers, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_spin, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_barrier_called, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_not_taken, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_interrupted, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_mutex, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_stack, set_up_locks, tear_down),
        cmocka_unit_test_setup_teardown(test_process, set_up_locks, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
