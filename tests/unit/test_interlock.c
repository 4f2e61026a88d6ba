/*
 * Instruction costs of the in-order models, counted by hand ("not at t-1, at t") and against an independent model on
 * random programs, interpreted and translated. Kane and Heinrich, MIPS RISC Architecture: load delay (section 1), the
 * interlock of HI and LO (section 2), overlapped floating-point operations (section 7).
 */
#include "tests/unit/machine_program.h"

#include "tests/unit/test.h"
#include <stdlib.h>

#define ADDU(rd, rs, rt)         (0x00000021u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)
#define MULT(rs, rt)             (0x00000018u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16)
#define DIV(rs, rt)              (0x0000001au | (unsigned)(rs) << 21 | (unsigned)(rt) << 16)
#define MFLO(rd)                 (0x00000012u | (unsigned)(rd) << 11)
#define MTLO(rs)                 (0x00000013u | (unsigned)(rs) << 21)
#define FP_D(fd, fs, ft, op)     (0x46200000u | (unsigned)(ft) << 16 | (unsigned)(fs) << 11 | (unsigned)(fd) << 6 | (op))
#define ADD_D(fd, fs, ft)        FP_D(fd, fs, ft, 0)
#define MUL_D(fd, fs, ft)        FP_D(fd, fs, ft, 2)
#define DIV_D(fd, fs, ft)        FP_D(fd, fs, ft, 3)
#define LDC1(ft, offset, base)   (0xd4000000u | (unsigned)(base) << 21 | (unsigned)(ft) << 16 | ((offset)&0xffff))
#define SDC1(ft, offset, base)   (0xf4000000u | (unsigned)(base) << 21 | (unsigned)(ft) << 16 | ((offset)&0xffff))
#define PREF(hint, offset, base) (0xcc000000u | (unsigned)(base) << 21 | (unsigned)(hint) << 16 | ((offset)&0xffff))
#define BEQ(rs, rt, insns)       (0x10000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(insns)&0xffff))
#define J_TO(pc)                 (0x08000000u | ((pc) >> 2 & 0x3ffffff))

enum { BASE = 4, STATUS_FPU = 0x2000 };
/* $a0 = the data, the FPU is on with 32-bit registers. */
#define PROLOGUE LUI(BASE, 0x8030), LUI(8, STATUS_FPU), MTC0(8, 12), ADDIU(8, 0, 1)
enum { PROLOGUE_INSNS = 4 };

/* How the programs run: interpreted, translated at once. */
static const char *const models[] = {"cpu.model=mipsy", "cpu.model=embra"};
enum { MODELS = 2 };

static bool has_model(unsigned model)
{
    return model == 0 || translate_supported();
}

/* A machine whose every access hits, with the COSTS (assignments, ended by NULL), that has executed INSNS instructions
 * of the program. */
static struct machine *run(unsigned model, const char *const *costs, const uint32_t *words, size_t count,
                           uint64_t insns)
{
    const char *assignments[48] = {models[model], "machine.memory=16M", "cache.model=none"};
    size_t assigned = 3;
    while (*costs)
        assignments[assigned++] = *costs++;
    struct machine *machine = machine_of(assignments, assigned, NULL, NULL);
    start_program(machine, 0, words, count);
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
    return machine;
}

/* The program, which follows the prologue, takes so many cycles more than instructions, all charged to ROW. */
static void takes(const char *const *costs, const uint32_t *words, size_t count, cycles stall, enum interlock row)
{
    uint32_t program[64] = {PROLOGUE};
    memcpy(program + PROLOGUE_INSNS, words, count * sizeof *words);
    for (unsigned model = 0; model < MODELS; model++) {
        if (!has_model(model))
            continue;
        const uint64_t insns = PROLOGUE_INSNS + count;
        struct machine *machine = run(model, costs, program, sizeof program / sizeof *program, insns);
        const struct bucket *bucket = &machine->cores[0]->mode_buckets[MODE_KERNEL];
        core_account(machine->cores[0]);
        assert_int_equal(machine_insns(machine), insns);
        assert_int_equal(machine_now(machine), insns + stall);
        assert_int_equal(bucket->interlock[row], stall);
        assert_int_equal(bucket_interlock(bucket), stall);
        assert_int_equal(bucket_execute(bucket), insns);
        machine_free(machine);
    }
}
#define COSTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define TAKES(costs, stall, row, ...)                                                                                  \
    takes(costs, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), stall,   \
          row)

/* Load delay: the instruction behind the load waits latency - 1 cycles for its register, one later less. */
static void load_use(void **state)
{
    (void)state;
    const char *const *costs = COSTS("mipsy.latency.load=3");
    TAKES(costs, 2, INTERLOCK_INTEGER, LW(9, 0, BASE), ADDU(10, 9, 8));
    TAKES(costs, 1, INTERLOCK_INTEGER, LW(9, 0, BASE), NOP, ADDU(10, 9, 8));
    TAKES(costs, 0, INTERLOCK_INTEGER, LW(9, 0, BASE), NOP, NOP, ADDU(10, 9, 8));
    TAKES(costs, 0, INTERLOCK_INTEGER, LW(9, 0, BASE), ADDU(10, 8, 8));
    /* the address and the data of a store, and a second result in the same register */
    TAKES(costs, 2, INTERLOCK_INTEGER, LW(9, 0, BASE), SW(9, 4, BASE));
    TAKES(costs, 2, INTERLOCK_INTEGER, LW(9, 0, BASE), ADDIU(9, 8, 1));
    /* a chain waits at each link: memory is 0, so that the loads stay in the page at 0x80300000 */
    TAKES(costs, 4, INTERLOCK_INTEGER, LW(9, 0, BASE), ADDU(9, 9, BASE), LW(9, 0, 9), ADDU(9, 9, BASE));
    TAKES(COSTS("mipsy.latency.load=1"), 0, INTERLOCK_INTEGER, LW(9, 0, BASE), ADDU(10, 9, 8));
}

/* $zero is always ready. */
static void zero_is_ready(void **state)
{
    (void)state;
    TAKES(COSTS("mipsy.latency.load=3"), 0, INTERLOCK_INTEGER, LW(0, 0, BASE), ADDU(10, 0, 0), ADDU(0, 8, 8));
}

/* HI and LO: mflo waits for mult and div; the unit takes the next operation after its repeat rate. */
static void multiply_and_divide(void **state)
{
    (void)state;
    const char *const *costs = COSTS("mipsy.latency.multiply=12", "mipsy.latency.divide=35");
    TAKES(costs, 11, INTERLOCK_MULTIPLY, MULT(8, 8), MFLO(9));
    TAKES(costs, 10, INTERLOCK_MULTIPLY, MULT(8, 8), NOP, MFLO(9));
    TAKES(costs, 34, INTERLOCK_MULTIPLY, DIV(8, 8), MFLO(9));
    TAKES(costs, 34, INTERLOCK_MULTIPLY, DIV(8, 8), MTLO(9));
    TAKES(costs, 0, INTERLOCK_MULTIPLY, DIV(8, 8), ADDU(9, 8, 8));
    const char *const *busy = COSTS("mipsy.repeat.multiply=4");
    TAKES(busy, 3, INTERLOCK_MULTIPLY, MULT(8, 8), MULT(8, 8));
    TAKES(busy, 1, INTERLOCK_MULTIPLY, MULT(8, 8), NOP, NOP, MULT(8, 8));
    TAKES(busy, 0, INTERLOCK_MULTIPLY, MULT(8, 8), NOP, NOP, NOP, MULT(8, 8));
}

/* Floating point: units work beside the integer pipeline, and beside each other. */
static void floating_point(void **state)
{
    (void)state;
    const char *const *costs =
        COSTS("mipsy.latency.fp_add=2", "mipsy.latency.fp_multiply=5", "mipsy.latency.fp_divide_double=19",
              "mipsy.repeat.fp_divide_double=19", "mipsy.latency.load_fp=2");
    TAKES(costs, 1, INTERLOCK_FP, ADD_D(0, 2, 4), ADD_D(6, 0, 4));
    TAKES(costs, 4, INTERLOCK_FP, MUL_D(0, 2, 4), ADD_D(6, 0, 4));
    TAKES(costs, 0, INTERLOCK_FP, MUL_D(0, 2, 4), ADD_D(6, 2, 4), ADDU(9, 8, 8));
    TAKES(costs, 18, INTERLOCK_FP, DIV_D(0, 2, 4), DIV_D(6, 2, 4));
    TAKES(costs, 17, INTERLOCK_FP, DIV_D(0, 2, 4), MUL_D(6, 2, 4), SDC1(0, 0, BASE));
    TAKES(costs, 1, INTERLOCK_FP, LDC1(0, 0, BASE), SDC1(0, 8, BASE));
    TAKES(costs, 0, INTERLOCK_FP, LDC1(0, 0, BASE), LDC1(2, 8, BASE), SDC1(0, 16, BASE));
}

/* Stores that occupy the data cache for two cycles, as on the PA7100: the next access waits, other instructions do
 * not. */
static void stores_of_two_cycles(void **state)
{
    (void)state;
    const char *const *costs = COSTS("mipsy.repeat.store=2");
    TAKES(costs, 1, INTERLOCK_MEMORY, SW(8, 0, BASE), SW(8, 4, BASE));
    TAKES(costs, 1, INTERLOCK_MEMORY, SW(8, 0, BASE), LW(9, 4, BASE));
    TAKES(costs, 0, INTERLOCK_MEMORY, SW(8, 0, BASE), NOP, LW(9, 4, BASE));
    TAKES(costs, 0, INTERLOCK_MEMORY, LW(9, 4, BASE), SW(8, 0, BASE));
    TAKES(costs, 7, INTERLOCK_MEMORY, SW(8, 0, BASE), SW(8, 4, BASE), SW(8, 8, BASE), SW(8, 12, BASE), SW(8, 16, BASE),
          SW(8, 20, BASE), SW(8, 24, BASE), SW(8, 28, BASE));
}

/* A hint waits for its address only, and nothing waits for it. */
static void prefetches_need_no_unit(void **state)
{
    (void)state;
    const char *const *costs = COSTS("mipsy.repeat.store=3", "mipsy.latency.load=2");
    TAKES(costs, 1, INTERLOCK_MEMORY, SW(8, 0, BASE), PREF(30, 32, BASE), SW(8, 4, BASE));
    TAKES(costs, 0, INTERLOCK_MEMORY, SW(8, 0, BASE), PREF(30, 32, BASE), ADDU(9, 8, 8), LW(10, 4, BASE));
    TAKES(costs, 1, INTERLOCK_INTEGER, LW(9, 0, BASE), PREF(30, 32, 9));
}

/* What is encoded as a shift is one, `nop` too; so are ext and ins. movf and movt, between general registers, are moves
 * of the FPU, whose condition they test. */
static void classes_that_the_name_does_not_tell(void **state)
{
    (void)state;
    enum { SSNOP = 1 << 6, EHB = 3 << 6, EXT = 0x7d093800 /* ext $t1, $t0, 0, 8 */, INS = 0x7d093804 };
    const uint32_t movf = 0x01004801, movt = 0x01014801; /* $t1, $t0, $fcc0 */
    const char *const *shift = COSTS("mipsy.repeat.shift=2"), *const *move = COSTS("mipsy.latency.fp_move=3");
    TAKES(shift, 1, INTERLOCK_INTEGER, NOP, NOP);
    TAKES(shift, 3, INTERLOCK_INTEGER, SSNOP, EHB, EXT, INS);
    TAKES(shift, 0, INTERLOCK_INTEGER, NOP, ADDU(9, 8, 8), NOP, ADDU(9, 8, 8));
    TAKES(COSTS("mipsy.latency.shift=3"), 2, INTERLOCK_INTEGER, EXT, ADDU(10, 9, 8));
    TAKES(move, 2, INTERLOCK_INTEGER, movf, ADDU(10, 9, 8));
    TAKES(move, 2, INTERLOCK_INTEGER, movt, ADDU(10, 9, 8));
}

/* The delay of a taken branch or jump comes behind its delay slot; a branch that is not taken has none. */
static void taken_branches(void **state)
{
    (void)state;
    const char *const *costs = COSTS("mipsy.taken_delay=2");
    TAKES(costs, 0, INTERLOCK_BRANCH, BEQ(8, 0, 4), NOP, NOP);
    TAKES(costs, 0, INTERLOCK_BRANCH, BEQ(0, 0, 4));
    TAKES(costs, 2, INTERLOCK_BRANCH, BEQ(0, 0, 2), NOP, NOP);
    TAKES(costs, 2, INTERLOCK_BRANCH, J_TO(PROGRAM_PC + 4 * (PROLOGUE_INSNS + 3)), NOP, NOP, NOP);
    /* to the instruction behind the delay slot: the pipeline goes on */
    TAKES(costs, 0, INTERLOCK_BRANCH, BEQ(0, 0, 1), NOP, NOP);
    /* its delay hides that of the store in the slot */
    const char *const *both = COSTS("mipsy.taken_delay=1", "mipsy.repeat.store=2");
    TAKES(both, 1, INTERLOCK_BRANCH, BEQ(0, 0, 2), SW(8, 0, BASE), NOP, LW(9, 0, BASE));
}

/* Entry and return: a system call, whose handler is at offset 0x180 of the program's page, returns behind it; then a
 * load and a fetch that no entry of the TLB maps, with their vector at its start, where the program begins anew. */
static void exceptions(void **state)
{
    (void)state;
    enum { VECTOR = 0x180 / 4, ERET = 0x42000018, SYSCALL = 0x0000000c };
    const struct {
        const char *const *costs;
        uint64_t insns;
        cycles entry, leaving;
    } rows[] = {
        {COSTS("mipsy.latency.exception=20"), PROLOGUE_INSNS + 3, 20, 0}, /* the call itself */
        {COSTS("mipsy.latency.exception=20", "mipsy.latency.eret=0"), PROLOGUE_INSNS + 8, 20, 0},
        {COSTS("mipsy.latency.exception=0", "mipsy.latency.eret=7"), PROLOGUE_INSNS + 7, 0, 7}, /* eret itself */
        {COSTS("mipsy.latency.exception=200", "mipsy.latency.eret=7"), PROLOGUE_INSNS + 8, 200, 7},
        {COSTS("mipsy.latency.exception=20", "mipsy.latency.eret=7"), PROLOGUE_INSNS + 9, 40, 7}, /* the refill */
        {COSTS("mipsy.latency.exception=0", "mipsy.latency.eret=7"), PROLOGUE_INSNS + 2, 0, 0},
    };
    static const uint32_t program[128] = {
        PROLOGUE,
        LUI(9, PROGRAM_PC >> 16),
        MTC0(9, 15) | 1, /* EBase */
        SYSCALL,
        NOP, /* returned to */
        LW(10, 0, 0),
        [VECTOR] = 0x400a7000, /* mfc0 $t2, EPC */
        ADDIU(10, 10, 4),
        MTC0(10, 14),
        ERET,
    };
    for (unsigned model = 0; model < MODELS; model++)
        for (unsigned i = 0; has_model(model) && i < sizeof rows / sizeof *rows; i++) {
            struct machine *machine =
                run(model, rows[i].costs, program, sizeof program / sizeof *program, rows[i].insns);
            const struct bucket *bucket = &machine->cores[0]->mode_buckets[MODE_KERNEL];
            core_account(machine->cores[0]);
            assert_int_equal(machine_insns(machine), rows[i].insns);
            assert_int_equal(bucket->interlock[INTERLOCK_ENTRY], rows[i].entry);
            assert_int_equal(bucket->interlock[INTERLOCK_RETURN], rows[i].leaving);
            assert_int_equal(machine_now(machine), rows[i].insns + rows[i].entry + rows[i].leaving);
            assert_int_equal(bucket_execute(bucket), rows[i].insns);
            machine_free(machine);
        }
}

/* A run that ends while an instruction waits goes on as if it had not ended. */
static void ends_of_runs(void **state)
{
    (void)state;
    static const uint32_t program[64] = {
        PROLOGUE,     MULT(8, 8),      MFLO(9), LW(10, 0, BASE), ADDU(11, 10, 9), SW(11, 0, BASE), SW(11, 4, BASE),
        BEQ(0, 0, 2), LW(10, 0, BASE), NOP,     ADDU(11, 10, 9), DIV(9, 8),       MFLO(9),         NOP,
    };
    const char *const *costs = COSTS("mipsy.latency.multiply=12", "mipsy.latency.divide=35", "mipsy.latency.load=4",
                                     "mipsy.repeat.store=3", "mipsy.taken_delay=2");
    for (unsigned model = 0; model < MODELS; model++) {
        if (!has_model(model))
            continue;
        struct machine *whole = run(model, costs, program, 64, 40), *sliced = run(model, costs, program, 64, 1);
        for (cycles until = 2; machine_insns(sliced) < 40; until++)
            machine_run(sliced, &(struct machine_limits){until, 40});
        assert_int_equal(machine_now(sliced), machine_now(whole));
        assert_memory_equal(sliced->cores[0]->mode_buckets[MODE_KERNEL].interlock,
                            whole->cores[0]->mode_buckets[MODE_KERNEL].interlock, sizeof(uint64_t[INTERLOCK_COUNT]));
        machine_free(whole);
        machine_free(sliced);
    }
}

/*
 * Random programs against an independent model: it keeps, for each register and unit, the cycle in which the last
 * instruction to use it issued and what that costs, and searches the issue cycle by trying one after the other.
 */

enum kind { K_ADD, K_LOAD, K_STORE, K_MULT, K_DIV, K_MFLO, K_FADD, K_FMUL, K_FDIV, K_FLOAD, K_FSTORE, K_SKIP, KINDS };
/* Names of resources: general registers, then LO, then FPRs, then units. */
enum { R_LO = 32, R_FPR = 33, U_INTEGER = 65, U_MULTIPLY, U_MEMORY, U_FADD, U_FMUL, U_FDIV, R_COUNT };

struct item {
    enum kind kind;
    uint32_t word;
    int read[3], written, unit; /* -1: none */
    unsigned latency, repeat;
};

static const char *const class_of[KINDS] = {"alu",   "load",   "store",       "multiply",         "divide",
                                            "alu",   "fp_add", "fp_multiply", "fp_divide_double", "load_fp",
                                            "store", "alu"};
static const int unit_of[KINDS] = {U_INTEGER, U_MEMORY, U_MEMORY, U_MULTIPLY, U_MULTIPLY, U_INTEGER,
                                   U_FADD,    U_FMUL,   U_FDIV,   U_MEMORY,   U_MEMORY,   U_INTEGER};

static unsigned below(unsigned limit)
{
    return (unsigned)rand() % limit;
}

static struct item random_item(const unsigned *latency, const unsigned *repeat)
{
    const enum kind kind = (enum kind)below(KINDS);
    const int a = 9 + (int)below(6), b = 9 + (int)below(6), c = 9 + (int)below(6);
    const int f = 2 * (int)below(5), g = 2 * (int)below(5), h = 2 * (int)below(5);
    const int at = 8 * (int)below(16);
    struct item item = {kind, NOP, {-1, -1, -1}, -1, unit_of[kind], latency[kind], repeat[kind]};
#define ITEM(w, r0, r1, out)                                                                                           \
    item.word = (w);                                                                                                   \
    item.read[0] = (r0);                                                                                               \
    item.read[1] = (r1);                                                                                               \
    item.written = (out);                                                                                              \
    break
    switch (kind) {
    case K_ADD: ITEM(ADDU(a, b, c), b, c, a);
    case K_LOAD: ITEM(LW(a, at, BASE), BASE, -1, a);
    case K_STORE: ITEM(SW(a, at, BASE), BASE, a, -1);
    case K_MULT: ITEM(MULT(a, b), a, b, R_LO);
    case K_DIV: ITEM(DIV(a, 8), a, 8, R_LO);
    case K_MFLO: ITEM(MFLO(a), R_LO, -1, a);
    case K_FADD: ITEM(ADD_D(f, g, h), R_FPR + g, R_FPR + h, R_FPR + f);
    case K_FMUL: ITEM(MUL_D(f, g, h), R_FPR + g, R_FPR + h, R_FPR + f);
    case K_FDIV: ITEM(DIV_D(f, g, h), R_FPR + g, R_FPR + h, R_FPR + f);
    case K_FLOAD: ITEM(LDC1(f, at, BASE), BASE, -1, R_FPR + f);
    case K_FSTORE: ITEM(SDC1(f, at, BASE), BASE, R_FPR + f, -1);
    default: item.unit = -1; item.word = 0; /* a branch over one instruction; set by the caller */
    }
    return item;
}

struct scoreboard {
    long issued[R_COUNT], cost[R_COUNT]; /* of the instruction that last used it as result or unit */
    long now;                            /* the cycle in which the next instruction may issue */
};

static bool is_free(const struct scoreboard *board, int resource, long at)
{
    return resource < 0 || at - board->issued[resource] >= board->cost[resource];
}

static void issue_item(struct scoreboard *board, const struct item *item)
{
    long at = board->now;
    while (!(is_free(board, item->read[0], at) && is_free(board, item->read[1], at) &&
             is_free(board, item->written, at) && is_free(board, item->unit, at)))
        at++;
    if (item->written >= 0) {
        board->issued[item->written] = at;
        board->cost[item->written] = item->latency;
    }
    if (item->unit >= 0) {
        board->issued[item->unit] = at;
        board->cost[item->unit] = item->repeat;
    }
    board->now = at + 1;
}

static void random_programs(void **state)
{
    (void)state;
    enum { PROGRAMS = 150, ITEMS = 120 };
    for (unsigned number = 0; number < PROGRAMS; number++) {
        srand(number);
        unsigned latency[KINDS], repeat[KINDS];
        char text[2 * KINDS + 1][64];
        const char *costs[2 * KINDS + 2] = {NULL};
        unsigned count = 0;
        const unsigned taken_delay = below(4);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            /* instructions of one class cost the same */
            unsigned same = 0;
            while (strcmp(class_of[same], class_of[kind]))
                same++;
            latency[kind] = same < kind ? latency[same] : 1 + below(below(4) ? 4 : 40);
            repeat[kind] = same < kind ? repeat[same] : 1 + below(below(4) ? 4 : 40);
            if (same < kind)
                continue;
            snprintf(text[count], sizeof text[count], "mipsy.latency.%s=%u", class_of[kind], latency[kind]);
            costs[count] = text[count], count++;
            snprintf(text[count], sizeof text[count], "mipsy.repeat.%s=%u", class_of[kind], repeat[kind]);
            costs[count] = text[count], count++;
        }
        snprintf(text[count], sizeof text[count], "mipsy.taken_delay=%u", taken_delay);
        costs[count] = text[count];

        uint32_t program[PROLOGUE_INSNS + 3 * ITEMS + 64] = {PROLOGUE};
        struct scoreboard board = {.now = 0};
        const struct item prologue[PROLOGUE_INSNS] = {
            {K_ADD, 0, {-1, -1, -1}, BASE, U_INTEGER, latency[K_ADD], repeat[K_ADD]},
            {K_ADD, 0, {-1, -1, -1}, 8, U_INTEGER, latency[K_ADD], repeat[K_ADD]},
            {K_ADD, 0, {8, -1, -1}, -1, U_INTEGER, latency[K_ADD], repeat[K_ADD]},
            {K_ADD, 0, {-1, -1, -1}, 8, U_INTEGER, latency[K_ADD], repeat[K_ADD]},
        };
        for (unsigned i = 0; i < R_COUNT; i++)
            board.issued[i] = -1000;
        for (unsigned i = 0; i < PROLOGUE_INSNS; i++)
            issue_item(&board, &prologue[i]);
        unsigned length = PROLOGUE_INSNS, executed = PROLOGUE_INSNS;
        for (unsigned i = 0; i < ITEMS; i++) {
            struct item item = random_item(latency, repeat);
            if (item.kind == K_SKIP) {
                /* beq over an instruction that does not execute; the delay slot does */
                const struct item branch = {K_SKIP, 0, {-1, -1, -1}, -1, U_INTEGER, latency[K_ADD], repeat[K_ADD]};
                struct item slot;
                do
                    slot = random_item(latency, repeat);
                while (slot.kind == K_SKIP);
                issue_item(&board, &branch);
                issue_item(&board, &slot);
                board.now += taken_delay;
                program[length++] = BEQ(0, 0, 2);
                program[length++] = slot.word;
                program[length++] = ADDIU(9, 9, 1);
                executed += 2;
                continue;
            }
            issue_item(&board, &item);
            program[length++] = item.word;
            executed++;
        }
        for (unsigned model = 0; model < MODELS; model++) {
            if (!has_model(model))
                continue;
            struct machine *machine = run(model, costs, program, sizeof program / sizeof *program, executed);
            if (machine_now(machine) != (cycles)board.now)
                fail_msg("program %u, %s: %llu cycles, not %ld", number, models[model],
                         (unsigned long long)machine_now(machine), board.now);
            machine_free(machine);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_use),
        cmocka_unit_test(zero_is_ready),
        cmocka_unit_test(multiply_and_divide),
        cmocka_unit_test(floating_point),
        cmocka_unit_test(stores_of_two_cycles),
        cmocka_unit_test(prefetches_need_no_unit),
        cmocka_unit_test(classes_that_the_name_does_not_tell),
        cmocka_unit_test(taken_branches),
        cmocka_unit_test(exceptions),
        cmocka_unit_test(ends_of_runs),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
