/*
 * Replacing the CPU model changes nothing but the model, at any instruction boundary, and exactly where requested.
 * All pairs of models are tested, including equal ones.
 */
#include <stdlib.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "cache/memsys.h"
#include "src/machine/machine_model.h"
#include "tests/unit/machine_program.h"

enum { T0 = 8, T1 = 9, T2 = 10 };

/* The in-order model at INDEX, NULL at the end; models that this host does not support are skipped. mxs has other
 * timing. */
static const char *model_at(size_t index)
{
    const char *name;
    for (size_t i = 0; (name = machine_cpu_model_at(i)); i++) {
        const struct cpu_model_ops *model = machine_model_find(name);
        if ((!model->supported || model->supported()) && model != &mxs_model && index-- == 0)
            return name;
    }
    return NULL;
}

/* Prints the pair for failure messages. Always true. */
static bool show_pair(const char *a, const char *b)
{
    print_message("%s, %s\n", a, b);
    return true;
}

/* FOR_PAIRS(a, b): iterates over all ordered pairs of models. */
#define FOR_MODELS(name)                                                                                               \
    for (size_t name##_index = 0; model_at(name##_index); name##_index++)                                              \
        for (const char *name = model_at(name##_index); name; name = NULL)
#define FOR_PAIRS(a, b)                                                                                                \
    FOR_MODELS(a)                                                                                                      \
    FOR_MODELS(b)                                                                                                      \
    if (show_pair(a, b))

/* A machine of 16 MB with MODEL, the NULL-terminated assignments and switches. */
static struct machine *machine_with(const char *model, const char *const *assignments, const char *const *switches,
                                    const struct machine_host *host, void *opaque)
{
    struct machine_options options;
    struct err err = {""};
    machine_options_init(&options);
    bool done = params_set(options.params, "machine.memory", "16M", &err) &&
                params_set(options.params, "cpu.model", model, &err);
    for (; done && assignments && *assignments; assignments++)
        done = params_set_assignment(options.params, *assignments, &err);
    for (; done && switches && *switches; switches++)
        done = machine_options_add_switch(&options, *switches, &err);
    struct machine *machine = done ? machine_create(&options, host, opaque, &err) : NULL;
    if (!machine)
        fail_msg("%s", err.text);
    machine_options_release(&options);
    return machine;
}

static void set_model(struct machine *machine, const char *name)
{
    struct err err = {""};
    if (!machine_set_cpu_model(machine, name, &err))
        fail_msg("%s", err.text);
    if (!machine->current)
        assert_string_equal(machine_cpu_model(machine), name);
}

static enum machine_stop run_to(struct machine *machine, uint64_t insns)
{
    return machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns});
}

static uint64_t value(const struct machine *machine, const char *name)
{
    double number;
    if (!stats_value(machine->stats, name, &number))
        fail_msg("no statistic %s", name);
    return (uint64_t)number;
}

static uint64_t insns_under(const struct machine *machine, unsigned cpu, const char *model)
{
    char name[64];
    snprintf(name, sizeof name, "cpu%u.models.%s.insns", cpu, model);
    return value(machine, name);
}

static void check_same(const struct machine *a, const struct machine *b)
{
    const char *name;
    double x, y;
    struct err err = {""};
    for (size_t i = 0; (name = stats_name_at(a->stats, i)); i++) {
        assert_true(stats_value(a->stats, name, &x) && stats_value(b->stats, name, &y));
        if (!machine_statistic_is_of_models(name) && !stats_text_value(a->stats, name) &&
            !(x == y || (x != x && y != y)))
            fail_msg("%s: %.0f and %.0f", name, x, y);
    }
    for (unsigned i = 0; i < a->cpus; i++) {
        const struct cpu *s = &a->cores[i]->s, *t = &b->cores[i]->s;
        assert_int_equal(s->pc, t->pc);
        assert_int_equal(s->in_delay_slot, t->in_delay_slot);
        assert_int_equal(s->hi, t->hi);
        assert_int_equal(s->lo, t->lo);
        assert_memory_equal(s->gpr, t->gpr, sizeof s->gpr);
        assert_memory_equal(s->fpr, t->fpr, sizeof s->fpr);
        assert_memory_equal(s->cp0, t->cp0, sizeof s->cp0);
    }
    assert_memory_equal(physmem_host(a->mem, 0), physmem_host(b->mem, 0), 16 << 20);
    if (!machine_check_accounts(b, &err))
        fail_msg("%s", err.text);
}

/*
 * A program with many hazards: delay slots, branch-likely, exceptions in delay slots (the handler skips them),
 * self-modifying code, ll and sc on a word shared by all CPUs, conflicts in the caches, also with its own code, and
 * reads of Count.
 */
#define LL(rt, offset, base) (0xc0000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))
#define SC(rt, offset, base) (0xe0000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))
#define ADDU(rd, rs, rt)     (0x21u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)
#define ANDI(rt, rs, imm)    (0x30000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((imm)&0xffff))
#define SLL(rd, rt, sa)      (0x00u | (unsigned)(rt) << 16 | (unsigned)(rd) << 11 | (unsigned)(sa) << 6)
#define MFC0(rt, rd)         (0x40000000u | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)
#define BEQ(rs, rt, insns)   (0x10000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((insns)&0xffff))
#define BNE(rs, rt, insns)   (0x14000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((insns)&0xffff))
#define BNEL(rs, rt, insns)  (0x54000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((insns)&0xffff))
#define SYSCALL              0x0000000cu
#define ERET                 0x42000018u
#define SYNCI(offset, base)  (0x041f0000u | (unsigned)(base) << 21 | ((offset)&0xffff))
enum { S0 = 16, S1 = 17, S2 = 18, S3 = 19, K0 = 26, K1 = 27, EPC = 14, EBASE = 15, COUNT = 9, STATUS = 12 };
enum { HANDLER = 0x180, PATCHED = 36 };

static const uint32_t busy[] = {
    LUI(T0, 0x8010), /* exceptions to 0x80100180 */
    MTC0(T0, EBASE) | 1,
    MTC0(0, STATUS),
    LUI(S0, 0x8030), /* shared data */
    LUI(S1, 0x8020), /* this program */
    ADDIU(S2, 0, 0),
    /* 6, loop: a stride that runs through the caches */
    ADDIU(S2, S2, 1),
    ANDI(T1, S2, 0x3ff),
    SLL(T1, T1, 10),
    ADDU(T1, T1, S0),
    LW(T2, 0x40, T1),
    ADDU(T2, T2, S2),
    SW(T2, 0x40, T1),
    /* 13: a likely branch, taken seven times of eight, and a system call in the slot of another */
    ANDI(T1, S2, 7),
    BNEL(T1, 0, 2),
    ADDIU(S3, S3, 3),
    ADDIU(S3, S3, 5),
    BEQ(0, 0, 1),
    SYSCALL,
    /* 19: the word that all CPUs increment */
    ADDIU(T0, 0, 100),
    NOP,
    NOP,
    NOP,
    NOP,
    LL(T1, 0, S0),
    ADDIU(T1, T1, 1),
    SC(T1, 0, S0),
    BEQ(T1, 0, -4),
    MFC0(T2, COUNT),
    ADDU(S3, S3, T2),
    /* 30: every 32nd iteration modifies the instruction at PATCHED, for all CPUs */
    ANDI(T1, S2, 31),
    BNE(T1, 0, 4),
    LUI(T1, 0x2673), /* addiu $s3, $s3, ... */
    ADDU(T1, T1, S2),
    SW(T1, PATCHED * 4, S1),
    SYNCI(PATCHED * 4, S1),
    ADDIU(S3, S3, 1), /* PATCHED */
    BEQ(0, 0, 6 - 37 - 1),
    SW(S3, 4, S0),
};
static const uint32_t handler[] = {
    MFC0(K0, EPC), ADDIU(K0, K0, 8), MTC0(K0, EPC), ADDIU(K1, K1, 1), ERET,
};

static struct machine *busy_machine(const char *model, unsigned cpus, const char *cache, const char *const *switches)
{
    char count[32];
    snprintf(count, sizeof count, "machine.cpus=%u", cpus);
    struct machine *machine =
        machine_with(model, (const char *const[]){count, cache, "cache.l2.size=64K", "machine.quantum=200", NULL},
                     switches, NULL, NULL);
    memcpy(physmem_host(machine->mem, 0x00100000 + HANDLER), handler, sizeof handler);
    for (unsigned i = 0; i < cpus; i++)
        start_program(machine, i, busy, sizeof busy / sizeof *busy);
    return machine;
}

static unsigned next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

/* Random prime distances, short and long. */
static uint64_t next_distance(uint32_t *seed)
{
    static const unsigned primes[] = {2, 3, 5, 7, 11, 13, 17, 23, 31, 61, 127, 499, 1009, 4001, 9973};
    return primes[next_random(seed) % (sizeof primes / sizeof *primes)];
}

static void switching_at_any_boundary_changes_nothing(void **state)
{
    (void)state;
    enum { INSNS = 600011 };
    static const char *const caches[] = {"cache.model=none", "cache.model=two-level"};
    for (unsigned which = 0; which < 4; which++)
        FOR_PAIRS(a, b)
        {
            const char *cache = caches[which & 1], *const pair[] = {a, b};
            unsigned cpus = which & 2 ? 4 : 1;
            struct machine *plain = busy_machine(a, cpus, cache, NULL), *mixed = busy_machine(a, cpus, cache, NULL);
            uint32_t seed = 1 + which;
            assert_int_equal(run_to(plain, INSNS), MACHINE_STOP_INSNS);
            for (uint64_t at = 0; at < INSNS; at += next_distance(&seed)) {
                assert_int_equal(run_to(mixed, at), MACHINE_STOP_INSNS);
                set_model(mixed, pair[next_random(&seed) & 1]);
            }
            assert_int_equal(run_to(mixed, INSNS), MACHINE_STOP_INSNS);
            check_same(plain, mixed);
            assert_true(mixed->cores[0]->s.gpr[K1] > 100); /* the program has progressed */
            for (unsigned i = 0; i < cpus; i++) {
                uint64_t sum = 0;
                FOR_MODELS(model)
                sum += insns_under(mixed, i, model);
                assert_int_equal(sum, mixed->cores[i]->s.insns);
            }
            machine_free(plain);
            machine_free(mixed);
        }
}

/* The line of the current instruction was evicted before the switch: it is not fetched again. */
static void a_fetched_line_stays_fetched(void **state)
{
    (void)state;
    /* 1 MB from the program: the same set of the second level, whose eviction back-invalidates the first level. */
    static const uint32_t program[] = {LUI(T0, 0x8030), LW(T1, 0, T0), NOP, NOP, NOP, NOP, NOP, NOP};
    static const char *const direct[] = {"cache.l2.size=1M", "cache.l2.ways=1", NULL};
    FOR_PAIRS(a, b)
    {
        struct machine *plain = machine_with(a, direct, NULL, NULL, NULL);
        struct machine *mixed = machine_with(a, direct, NULL, NULL, NULL);
        start_program(plain, 0, program, 8);
        start_program(mixed, 0, program, 8);
        run_to(plain, 1000);
        for (uint64_t insns = 1; insns < 8; insns++) {
            run_to(mixed, insns);
            set_model(mixed, insns & 1 ? b : a);
        }
        run_to(mixed, 1000);
        check_same(plain, mixed);
        machine_free(plain);
        machine_free(mixed);
    }
}

/* Hooks */

struct hooked {
    struct machine *machine;
    const char *model;
    unsigned calls;
    bool stops; /* the core's turn */
};

static bool switch_here(void *opaque, struct core *core)
{
    struct hooked *hooked = opaque;
    (void)core;
    hooked->calls++;
    set_model(hooked->machine, hooked->model);
    return hooked->stops;
}

static const uint32_t counting[] = {ADDIU(T0, T0, 1), BRANCH_BACK(1), NOP};

/* Requested by a hook: before its instruction if the hook returns true, otherwise after it. The hook is called once. */
static void a_hook_switches(void **state)
{
    (void)state;
    FOR_PAIRS(a, b)
    for (unsigned stops = 0; stops < 2; stops++)
        for (unsigned place = 0; place < 3; place++) { /* in a delay slot too */
            struct machine *machine = machine_with(a, NULL, NULL, NULL, NULL);
            struct core *core = machine->cores[0];
            struct hooked hooked = {.machine = machine, .model = b, .stops = stops};
            start_program(machine, 0, counting, 3);
            run_to(machine, 30);
            core_hook_add(core, PROGRAM_PC + 4 * place, switch_here, &hooked);
            run_to(machine, 33);
            assert_int_equal(hooked.calls, 1);
            assert_string_equal(machine_cpu_model(machine), b);
            if (a != b)
                assert_int_equal(insns_under(machine, 0, a), 30 + place + !stops);
            run_to(machine, 90);
            assert_int_equal(hooked.calls, 20);
            assert_int_equal(core->s.gpr[T0], 30);
            machine_free(machine);
        }
}

static bool count_call(void *opaque, struct core *core)
{
    (void)core;
    ++*(unsigned *)opaque;
    return false;
}

static bool stop_here(void *opaque, struct core *core)
{
    return machine_stop_at_hook(opaque, core);
}

/* Hooks are called under every model; a hook that has stopped the run is not called again by the next model. */
static void hooks_stay(void **state)
{
    (void)state;
    FOR_PAIRS(a, b)
    {
        struct machine *machine = machine_with(a, NULL, NULL, NULL, NULL);
        struct core *core = machine->cores[0];
        unsigned calls = 0;
        start_program(machine, 0, counting, 3);
        core_hook_add(core, PROGRAM_PC + 4, count_call, &calls);
        core_hook_add(core, PROGRAM_PC + 4, stop_here, machine);
        for (unsigned round = 1; round < 10; round++) {
            assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_HOOK);
            assert_int_equal(core->s.insns, 3 * round - 2);
            assert_int_equal(calls, round);
            set_model(machine, round & 1 ? b : a);
        }
        machine_free(machine);
    }
}

/* Marks, userland, time, instructions */

/* Signals mark 17, counts to 100, signals mark 18, requests its job, continues to count. */
static const uint32_t marking[] = {
    LUI(T0, 0xb801),   ORI(T1, 0, 17),
    SW(T1, 0x18, T0), /* the 3rd instruction */
    ADDIU(T2, 0, 100), ADDIU(T2, T2, -1),
    BNE(T2, 0, -2),    NOP,
    ORI(T1, 0, 18),    SW(T1, 0x18, T0), /* the 306th */
    ORI(T1, 0, 1),     SW(T1, 0x10, T0), /* the 308th */
    BRANCH_BACK(0),    NOP,
};

static void switches_at_events(void **state)
{
    (void)state;
    static const struct {
        const char *event;
        uint64_t insns;
    } events[] = {{"mark:17", 3},       {"mark:18", 306},       {"boot", 308},    {"insns:1", 1},
                  {"insns:1009", 1009}, {"time:0.00001", 2000}, {"time:1e-9", 1}, {"mark:19", 5000}};
    FOR_PAIRS(a, b)
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s@%s", b, events[i].event);
        struct machine *machine = machine_with(a, (const char *const[]){"cache.model=none", NULL},
                                               (const char *const[]){text, NULL}, NULL, NULL);
        start_program(machine, 0, marking, sizeof marking / sizeof *marking);
        run_to(machine, 5000);
        assert_string_equal(machine_cpu_model(machine), events[i].insns < 5000 ? b : a);
        assert_string_equal(stats_text_value(machine->stats, "machine.model"), machine_cpu_model(machine));
        assert_int_equal(insns_under(machine, 0, a), a == b ? 5000 : events[i].insns);
        machine_free(machine);
    }
}

/* Back and forth, at marks, times and instruction counts, given in any order. */
static void switches_follow_one_another(void **state)
{
    (void)state;
    FOR_PAIRS(a, b)
    {
        char texts[6][64];
        const char *const events[] = {"insns:4000", "mark:18", "insns:1000", "mark:17", "time:0.0000225", "insns:5000"};
        const char *switches[7] = {NULL};
        for (unsigned i = 0; i < 6; i++) {
            snprintf(texts[i], sizeof *texts, "%s@%s", i & 1 ? b : a, events[i]);
            switches[i] = texts[i];
        }
        /* a to 3, b to 306, b to 1000, a to 4000, (b at 4500:) a is requested, b from 5000 */
        struct machine *machine =
            machine_with(a, (const char *const[]){"cache.model=none", NULL}, switches, NULL, NULL);
        start_program(machine, 0, marking, sizeof marking / sizeof *marking);
        run_to(machine, 6000);
        assert_string_equal(machine_cpu_model(machine), b);
        assert_int_equal(insns_under(machine, 0, a), a == b ? 6000 : 3 + (5000 - 1000));
        machine_free(machine);
    }
}

struct switching_host {
    struct machine *machine;
    const char *model[2];
    unsigned marks, polls;
};

static void switch_at_mark(void *opaque, const char *name)
{
    struct switching_host *host = opaque;
    assert_string_equal(name, host->marks & 1 ? "18" : "17");
    set_model(host->machine, host->model[++host->marks & 1]);
}

static void switch_at_poll(void *opaque)
{
    struct switching_host *host = opaque;
    set_model(host->machine, host->model[++host->polls & 1]);
}

/* From host callbacks: during an instruction (takes effect after it) and between instructions. */
static void the_host_switches(void **state)
{
    (void)state;
    static const struct machine_host at_marks = {.mark = switch_at_mark}, at_polls = {.poll = switch_at_poll};
    enum { POLLED = 5 * MACHINE_POLL_CYCLES };
    FOR_PAIRS(a, b)
    {
        struct switching_host host = {.model = {a, b}};
        struct machine *machine = machine_with(a, NULL, NULL, &at_marks, &host);
        host.machine = machine;
        start_program(machine, 0, marking, sizeof marking / sizeof *marking);
        run_to(machine, 1000);
        assert_int_equal(host.marks, 2);
        assert_int_equal(insns_under(machine, 0, a), a == b ? 1000 : 3 + 1000 - 306);
        machine_free(machine);

        machine = machine_with(a, NULL, NULL, &at_polls, &host);
        host.machine = machine;
        start_program(machine, 0, counting, 3);
        run_to(machine, POLLED);
        assert_in_range(host.polls, 5, 6);
        assert_int_equal(machine->cores[0]->s.gpr[T0], (POLLED + 2) / 3);
        assert_in_range(insns_under(machine, 0, b), 2 * MACHINE_POLL_CYCLES, POLLED);
        machine_free(machine);
    }
}

/* With several CPUs an instruction count is still exact, and a time is exact to a quantum. */
static void switches_of_several_cpus(void **state)
{
    (void)state;
    FOR_PAIRS(a, b)
    for (unsigned timed = 0; timed < 2; timed++) {
        enum { INSNS = 50021, CYCLES = 20000 };
        char text[64];
        snprintf(text, sizeof text, "%s@%s", b, timed ? "time:0.0001" : "insns:50021");
        struct machine *plain = busy_machine(a, 3, "cache.model=two-level", NULL);
        struct machine *mixed = busy_machine(a, 3, "cache.model=two-level", (const char *const[]){text, NULL});
        run_to(plain, 100000);
        run_to(mixed, 100000);
        check_same(plain, mixed);
        uint64_t under = 0, all = 0;
        for (unsigned i = 0; i < 3; i++) {
            under += insns_under(mixed, i, a);
            all += mixed->cores[i]->s.insns;
        }
        assert_string_equal(machine_cpu_model(mixed), b);
        if (a == b)
            assert_int_equal(under, all);
        else if (timed)
            assert_in_range(under, 3 * CYCLES / 200, 3 * (CYCLES + 2 * mixed->quantum));
        else
            assert_int_equal(under, INSNS);
        machine_free(plain);
        machine_free(mixed);
    }
}

/* A model's view */

struct witness {
    struct core *core;
    void *mipsy;
};

/* A test model: mipsy with a record of its calls. */
static struct {
    char text[256];
    unsigned refuse; /* fail creation for this CPU, from 1 */
    unsigned alive;
} record;

static void note(char what, const struct core *core)
{
    size_t length = strlen(record.text);
    snprintf(record.text + length, sizeof record.text - length, "%c%u", what, core->number);
    for (unsigned i = 0; i < core->cpus; i++)
        assert_true(core->peers[i]->model_ops == core->model_ops); /* no peer of another model */
}

static void *witness_create(struct core *core, struct memsys *memsys, const struct params *params, struct err *err)
{
    struct witness *witness = calloc(1, sizeof *witness);
    note('c', core);
    assert_null(core->model);
    for (unsigned i = core->number; i < core->cpus; i++)
        assert_null(core->peers[i]->model);
    if (record.refuse == core->number + 1) {
        free(witness);
        err_set(err, "none to be had");
        return NULL;
    }
    witness->core = core;
    witness->mipsy = mipsy_model.create(core, memsys, params, err);
    record.alive++;
    return witness;
}
static void witness_destroy(void *model)
{
    struct witness *witness = model;
    note('d', witness->core);
    for (unsigned i = 0; i < witness->core->number; i++)
        assert_null(witness->core->peers[i]->model);
    mipsy_model.destroy(witness->mipsy);
    free(witness);
    record.alive--;
}
static void witness_run(void *model, cycles until)
{
    mipsy_model.run(((struct witness *)model)->mipsy, until);
}
static void witness_sync(void *model)
{
    mipsy_model.sync(((struct witness *)model)->mipsy);
}
static void witness_forget_page(void *model, paddr page)
{
    mipsy_model.invalidate_page(((struct witness *)model)->mipsy, page);
}
static void witness_forget_all(void *model)
{
    mipsy_model.invalidate_all(((struct witness *)model)->mipsy);
}
static const struct cpu_model_ops witness_model = {
    .name = "witness",
    .create = witness_create,
    .destroy = witness_destroy,
    .run = witness_run,
    .sync = witness_sync,
    .invalidate_page = witness_forget_page,
    .invalidate_all = witness_forget_all,
};

/* All old models are freed before the first new one is created, so that no model sees a stale peer. */
static void old_models_go_before_new_ones_come(void **state)
{
    (void)state;
    struct machine *plain = busy_machine("mipsy", 3, "cache.model=two-level", NULL);
    struct machine *machine = busy_machine("mipsy", 3, "cache.model=two-level", NULL);
    struct err err = {""};
    memset(&record, 0, sizeof record);
    run_to(machine, 10007);
    assert_true(machine_model_set(machine, &witness_model, &err));
    run_to(machine, 20011);
    assert_true(machine_model_set(machine, &witness_model, &err));
    run_to(machine, 30011);
    set_model(machine, "mipsy");
    assert_string_equal(record.text, "c0c1c2d0d1d2c0c1c2d0d1d2");
    assert_int_equal(record.alive, 0);
    run_to(plain, 50021);
    run_to(machine, 50021);
    check_same(plain, machine);
    assert_true(machine_model_set(machine, &witness_model, &err));
    machine_free(plain);
    machine_free(machine);
    assert_string_equal(record.text, "c0c1c2d0d1d2c0c1c2d0d1d2c0c1c2d0d1d2");
    assert_int_equal(record.alive, 0);
}

/* Capture the log_info() output of DO_THIS in TEXT. */
#define CAPTURE(text, do_this)                                                                                         \
    do {                                                                                                               \
        FILE *file_ = tmpfile();                                                                                       \
        assert_non_null(file_);                                                                                        \
        fflush(stderr);                                                                                                \
        int saved_ = dup(STDERR_FILENO);                                                                               \
        dup2(fileno(file_), STDERR_FILENO);                                                                            \
        do_this;                                                                                                       \
        fflush(stderr);                                                                                                \
        dup2(saved_, STDERR_FILENO);                                                                                   \
        close(saved_);                                                                                                 \
        rewind(file_);                                                                                                 \
        (text)[fread(text, 1, sizeof(text) - 1, file_)] = 0;                                                           \
        fclose(file_);                                                                                                 \
    } while (0)

/* A model that cannot be created: the old one continues. */
static void a_refused_model_leaves_the_old_one(void **state)
{
    (void)state;
    for (unsigned refuse = 1; refuse <= 3; refuse++) {
        struct machine *plain = busy_machine("mipsy", 3, "cache.model=two-level", NULL);
        struct machine *machine = busy_machine("mipsy", 3, "cache.model=two-level", NULL);
        struct err err = {""};
        memset(&record, 0, sizeof record);
        record.refuse = refuse;
        run_to(machine, 10007);
        assert_false(machine_model_set(machine, &witness_model, &err));
        assert_string_equal(err.text, "none to be had");
        assert_string_equal(machine_cpu_model(machine), "mipsy");
        assert_int_equal(record.alive, 0);
        run_to(plain, 50021);
        run_to(machine, 50021);
        check_same(plain, machine);
        machine_free(plain);
        machine_free(machine);
    }
}

static bool ask_for_witness(void *opaque, struct core *core)
{
    struct err err = {""};
    (void)core;
    assert_true(machine_model_set(opaque, &witness_model, &err)); /* it takes effect later */
    return true;
}

/* The same during a run: a message, and the run continues. */
static void a_model_refused_in_a_run_leaves_the_old_one(void **state)
{
    (void)state;
    struct machine *plain = busy_machine("mipsy", 3, "cache.model=two-level", NULL);
    struct machine *machine = busy_machine("mipsy", 3, "cache.model=two-level", NULL);
    char text[512];
    memset(&record, 0, sizeof record);
    record.refuse = 3;
    run_to(machine, 10007);
    core_hook_add(machine->cores[1], PROGRAM_PC + 4 * 28, ask_for_witness, machine);
    CAPTURE(text, run_to(machine, 10300));
    core_hook_remove(machine->cores[1], PROGRAM_PC + 4 * 28, ask_for_witness, machine);
    static const char expected[] = "simos: cannot switch to CPU model witness, continuing with mipsy: none to be had\n";
    assert_memory_equal(text, expected, sizeof expected - 1);
    assert_string_equal(machine_cpu_model(machine), "mipsy");
    assert_int_equal(record.alive, 0);
    run_to(plain, 50021);
    run_to(machine, 50021);
    check_same(plain, machine);
    machine_free(plain);
    machine_free(machine);
}

/* Bad input and other hosts */

static void no_such_model(void **state)
{
    (void)state;
    struct machine *machine = machine_with(machine_cpu_model_at(0), NULL, NULL, NULL, NULL);
    struct err err = {""};
    assert_false(machine_set_cpu_model(machine, "zork", &err));
    assert_non_null(strstr(err.text, "\"zork\"; valid: mipsy"));
    assert_string_equal(machine_cpu_model(machine), machine_cpu_model_at(0));
    machine_free(machine);
}

static bool is_not_supported(void)
{
    return false;
}

/* A clear message, and mipsy instead. */
static void a_model_that_the_host_does_not_support(void **state)
{
    (void)state;
    struct cpu_model_ops foreign = witness_model;
    foreign.supported = is_not_supported;
    struct machine *machine = machine_with("mipsy", NULL, NULL, NULL, NULL);
    char text[512];
    const struct cpu_model_ops *chosen = NULL;
    for (unsigned i = 0; i < 2; i++) {
        CAPTURE(text, chosen = machine_model_choose(machine, &foreign));
        assert_ptr_equal(chosen, &mipsy_model);
        assert_string_equal(text, i ? "" : "simos: CPU model witness does not work on this host; mipsy runs instead\n");
    }
    machine_free(machine);
}

/* The choices of cpu.model are the existing models. */
static void the_parameter_knows_all_models(void **state)
{
    (void)state;
    struct machine_options options;
    machine_options_init(&options);
    char choices[256] = "", *save;
    size_t count = 0;
    snprintf(choices, sizeof choices, "%s", params_find(options.params, "cpu.model")->choices);
    for (char *word = strtok_r(choices, "|", &save); word; word = strtok_r(NULL, "|", &save), count++)
        assert_non_null(machine_model_find(word));
    assert_null(machine_cpu_model_at(count));
    assert_non_null(machine_cpu_model_at(count - 1));
    machine_options_release(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switching_at_any_boundary_changes_nothing),
        cmocka_unit_test(a_fetched_line_stays_fetched),
        cmocka_unit_test(a_hook_switches),
        cmocka_unit_test(hooks_stay),
        cmocka_unit_test(switches_at_events),
        cmocka_unit_test(switches_follow_one_another),
        cmocka_unit_test(the_host_switches),
        cmocka_unit_test(switches_of_several_cpus),
        cmocka_unit_test(old_models_go_before_new_ones_come),
        cmocka_unit_test(a_refused_model_leaves_the_old_one),
        cmocka_unit_test(a_model_refused_in_a_run_leaves_the_old_one),
        cmocka_unit_test(no_such_model),
        cmocka_unit_test(a_model_that_the_host_does_not_support),
        cmocka_unit_test(the_parameter_knows_all_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
