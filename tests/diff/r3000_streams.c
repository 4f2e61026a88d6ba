/*
 * Random instruction streams for the R3000, executed by two CPU models that must give identical results at every stop.
 *
 *     r3000_streams [seed [streams]]           every comparison, STREAMS each
 *     r3000_streams seed 1 COMPARISON          one comparison
 *
 * A stream is code in kseg0, which kuseg maps at the same offset, in units with much of what distinguishes this
 * processor: results of loads used too early, and loads that cancel and merge; branches, loads, rfe and mtc0 in delay
 * slots; the stack of modes; TLB instructions; isolated and swapped caches; FPU exceptions. Exceptions continue at the
 * instruction after the one that raised them, in the mode that it was in. There is no timer, so that models with
 * different timing have the same state too.
 *
 * Deterministic. On a difference the first differing instruction is printed with its neighbours; the exit status is 1.
 * It is also 1 if an instruction of MIPS I was never executed.
 */
#include "cpu/privileged/r3000.h"
#include "checkpoint/checkpoint.h"
#include "src/machine/machine_power.h"
#include "src/machine/machine_saved.h"
#include "src/run/compare.h"
#include "tests/diff/encode.h"
#include "tests/diff/harness.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CODE = 0x10000, /* physical, and in kuseg */
    CODE_BYTES = 0x4000,
    CODE_WORDS = CODE_BYTES / 4,
    DATA = 0x20000,
    DATA_BYTES = 0x4000,
    MEMORY_BYTES = DATA + DATA_BYTES,
    UTLB_VECTOR = 0,
    GENERAL_VECTOR = 0x80,
    INSNS = 6000,
};
#define KSEG0      0x80000000u
#define STATUS_IP7 (1u << 15)

/* Registers: $at, $k0 and $k1 belong to the handlers; some point into the data; some hold only values of Status,
 * because a branch may go between them and mtc0; the rest is random. */
enum { STATUS_SOURCE = 12, STATUS_SOURCES = 3 };
enum { AT = 1, KERNEL_DATA = 16, USER_DATA, UNCACHED_DATA, KSEG2_DATA, CODE_BASE, K0 = 26, K1 };

/* CP0 registers of the R3000 that encode.h takes as numbers. */
#define E_RFE      0x42000010u
#define E_CTC1(rt) (0x44c0f800u | FIELD(rt, 16))

struct builder {
    struct random random;
    const struct isa_decoder *decoder;
    bool isolates;
    uint32_t words[CODE_WORDS];
    unsigned count;
};

static void emit(struct builder *b, uint32_t word)
{
    if (b->count < CODE_WORDS)
        b->words[b->count++] = word;
}

static unsigned any_register(struct builder *b)
{
    static const uint8_t registers[] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 31};
    return registers[random_below(&b->random, sizeof registers)];
}

/* $t0 or $t1, most of the time: so that neighbours have the same registers. */
static unsigned hot_register(struct builder *b)
{
    return random_one_in(&b->random, 4) ? any_register(b) : 8 + random_below(&b->random, 2);
}

static uint32_t place(struct builder *b, uint32_t opcode, unsigned rt, unsigned size, bool stores)
{
    static const uint8_t bases[] = {KERNEL_DATA, KERNEL_DATA, KERNEL_DATA,   KERNEL_DATA, USER_DATA,
                                    USER_DATA,   USER_DATA,   UNCACHED_DATA, KSEG2_DATA,  CODE_BASE};
    /* stores to code may make any instruction, also such that isolate a cache */
    const unsigned last = stores && !b->isolates ? sizeof bases - 1 : sizeof bases,
                   base = bases[random_below(&b->random, last)];
    uint32_t offset = random_below(&b->random, random_one_in(&b->random, 3) ? 0x800 : 32);
    if (!random_one_in(&b->random, 24))
        offset &= -size;
    return E_I(opcode, base, rt, offset);
}

static uint32_t load(struct builder *b, unsigned rt)
{
    static const uint8_t opcodes[] = {32, 33, 34, 35, 35, 35, 36, 37, 38}, sizes[] = {1, 2, 1, 4, 4, 4, 1, 2, 1};
    const unsigned i = random_below(&b->random, sizeof opcodes);
    return place(b, opcodes[i], rt, sizes[i], false);
}

static uint32_t store(struct builder *b)
{
    static const uint8_t opcodes[] = {40, 41, 42, 43, 43, 46}, sizes[] = {1, 2, 1, 4, 4, 1};
    const unsigned i = random_below(&b->random, sizeof opcodes);
    return place(b, opcodes[i], hot_register(b), sizes[i], true);
}

/* A random word of a row that acts on registers alone. */
static uint32_t arithmetic(struct builder *b)
{
    for (;;) {
        const unsigned id = random_below(&b->random, ISA_RESERVED);
        const struct isa_row *row = &isa_table[id];
        if (!isa_has(row, LEVEL_1) || row->flow != FLOW_NEXT || row->flags & (INSN_LOAD | INSN_STORE | INSN_PRIVILEGED))
            continue;
        uint32_t word = random_word(&b->random);
        word = (word & 0x0000ffff) | FIELD(hot_register(b), 21) | FIELD(hot_register(b), 16);
        if (row->defines & OPERAND_D || row->uses & OPERAND_D)
            word = (word & ~(31u << 11)) | FIELD(hot_register(b), 11);
        if (id == ISA_CFC1 || id == ISA_CTC1)
            word |= 31u << 11;
        if (id == ISA_CTC1 && !random_one_in(&b->random, 4))
            continue;
        return row->match | (word & ~row->mask);
    }
}

static void emit_constant(struct builder *b, unsigned reg, uint32_t value)
{
    emit(b, E_LUI(reg, value >> 16));
    emit(b, E_ORI(reg, reg, value));
}

static uint32_t any_status(struct builder *b, bool isolates)
{
    uint32_t status = random_word(&b->random) & (R3000_KU_IE | 0x8300);
    if (!random_one_in(&b->random, 4))
        status &= ~(uint32_t)(R3000_KUC | R3000_IEC);
    if (!random_one_in(&b->random, 8))
        status |= STATUS_CU1;
    if (random_one_in(&b->random, 4))
        status |= STATUS_CU0;
    if (isolates)
        status = (status & ~(uint32_t)R3000_KUC) | R3000_ISC | (random_one_in(&b->random, 2) ? R3000_SWC : 0);
    return status;
}

static void emit_status(struct builder *b, bool isolates)
{
    const unsigned reg = STATUS_SOURCE + random_below(&b->random, STATUS_SOURCES);
    emit_constant(b, reg, any_status(b, isolates));
    emit(b, E_MTC0(reg, CP0_STATUS));
}

static void emit_isolated(struct builder *b)
{
    emit_status(b, true);
    for (unsigned n = 1 + random_below(&b->random, 24); n > 0; n--) {
        emit(b, random_one_in(&b->random, 2) ? store(b) : load(b, hot_register(b)));
        if (random_one_in(&b->random, 4))
            emit(b, E_MFC0(hot_register(b), CP0_STATUS));
    }
    emit_status(b, false);
}

static void emit_tlb(struct builder *b)
{
    static const uint32_t words[] = {0x42000001, 0x42000002, 0x42000006, 0x42000008};
    static const uint16_t numbers[] = {CP0_INDEX,  CP0_ENTRYLO0, CP0_ENTRYHI, CP0_CONTEXT,
                                       CP0_RANDOM, CP0_EPC,      CP0_CAUSE};
    const unsigned reg = any_register(b);
    switch (random_below(&b->random, 4)) {
    case 0: emit(b, words[random_below(&b->random, 4)]); break;
    case 1: emit(b, E_MFC0(hot_register(b), numbers[random_below(&b->random, 6)])); break;
    case 2: /* an entry of the data, which the code may use, or of nothing */
        emit_constant(b, reg, (DATA + (random_below(&b->random, 4) << 12)) | random_below(&b->random, 2) << 6);
        emit(b, E_MTC0(reg, CP0_ENTRYHI));
        emit_constant(b, reg, (DATA + (random_below(&b->random, 4) << 12)) | (random_below(&b->random, 16) << 8));
        emit(b, E_MTC0(reg, CP0_ENTRYLO0));
        emit(b, words[1 + random_below(&b->random, 2)]);
        break;
    default:
        emit_constant(b, reg,
                      random_one_in(&b->random, 2) ? random_word(&b->random) : random_below(&b->random, 64) << 8);
        emit(b, E_MTC0(reg, numbers[random_below(&b->random, 7)]));
    }
}

/* What may be in a delay slot: almost everything. */
static uint32_t slot(struct builder *b)
{
    switch (random_below(&b->random, 12)) {
    case 0:
    case 1:
    case 2: return load(b, hot_register(b));
    case 3: return store(b);
    case 4: return E_RFE;
    case 5: return E_MFC0(hot_register(b), random_one_in(&b->random, 2) ? CP0_STATUS : CP0_EPC);
    case 6:
        return random_one_in(&b->random, 3) ? E_BEQ(hot_register(b), hot_register(b), random_below(&b->random, 8))
                                            : arithmetic(b);
    case 7: return random_one_in(&b->random, 4) ? E_SYSCALL : E_NOP;
    default: return arithmetic(b);
    }
}

static void emit_branch(struct builder *b)
{
    static const enum isa_id ids[] = {ISA_BEQ,    ISA_BNE,    ISA_BLEZ, ISA_BGTZ, ISA_BLTZ, ISA_BGEZ,
                                      ISA_BLTZAL, ISA_BGEZAL, ISA_BC1F, ISA_BC1T, ISA_BC0F, ISA_BC0T};
    const struct isa_row *row = &isa_table[ids[random_below(&b->random, sizeof ids / sizeof ids[0])]];
    const uint32_t registers = FIELD(hot_register(b), 21) | FIELD(hot_register(b), 16);
    const int distance = (int)random_below(&b->random, 14) - (random_one_in(&b->random, 3) ? 12 : 0);
    const paddr target = CODE + random_below(&b->random, CODE_WORDS) * 4;
    switch (random_below(&b->random, 6)) {
    case 0: emit(b, (random_one_in(&b->random, 2) ? 0x08000000 : 0x0c000000) | (target >> 2 & 0x3ffffff)); break;
    case 1:
        emit(b, E_ADDIU(15, CODE_BASE, target - CODE));
        emit(b, random_one_in(&b->random, 2) ? E_JR(15) : E_R(15, 0, 31, 9));
        break;
    default: emit(b, row->match | ((registers | (uint16_t)distance) & ~row->mask));
    }
    emit(b, slot(b));
}

static bool writes_status_source(const struct builder *b, uint32_t word)
{
    struct insn insn;
    const enum isa_id id = isa_decode(b->decoder, word, &insn);
    for (unsigned reg = STATUS_SOURCE; reg < STATUS_SOURCE + STATUS_SOURCES; reg++)
        if (isa_writes(id, &insn, reg))
            return true;
    return false;
}

static void emit_unit(struct builder *b)
{
    switch (random_below(&b->random, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: /* loads, and instructions in their slots */
        emit(b, load(b, hot_register(b)));
        emit(b, random_one_in(&b->random, 3) ? load(b, hot_register(b)) : arithmetic(b));
        break;
    case 5:
        emit(b, random_one_in(&b->random, 4) ? place(b, 57, random_below(&b->random, 4), 4, true) : store(b));
        break;
    case 6:
    case 7:
    case 8: emit_branch(b); break;
    case 9:
        if (random_one_in(&b->random, 3))
            emit_status(b, false);
        else if (b->isolates && random_one_in(&b->random, 4))
            emit_isolated(b);
        else
            emit(b, E_MFC0(hot_register(b), CP0_STATUS));
        break;
    case 10:
    case 11: emit_tlb(b); break;
    case 12: emit(b, place(b, 49, random_below(&b->random, 4), 4, false)); break;
    case 13: /* a word of any row, also of those that MIPS I does not have */
        if (random_one_in(&b->random, 2)) {
            static const uint16_t traps[] = {ISA_BREAK, ISA_COP2, ISA_LWC2, ISA_SWC2, ISA_COP3, ISA_LWC3, ISA_SWC3};
            const unsigned id = random_one_in(&b->random, 3) ? traps[random_below(&b->random, 7)]
                                                             : random_below(&b->random, ISA_RESERVED);
            const struct isa_row *row = &isa_table[id];
            const uint32_t word = row->match | (random_word(&b->random) & ~row->mask);
            if (row->flow < FLOW_BRANCH && row != &isa_table[ISA_MTC0] && !writes_status_source(b, word))
                emit(b, word);
        } else {
            emit(b, random_one_in(&b->random, 8) ? E_RFE : E_NOP);
        }
        break;
    default: emit(b, arithmetic(b));
    }
}

/* The handler of all but UTLB misses: returns behind the instruction, as user or kernel. */
static unsigned make_handler(uint32_t *words)
{
    const uint32_t handler[] = {
        E_MFC0(K0, CP0_EPC),
        E_MFC0(K1, CP0_STATUS),
        E_ADDIU(K0, K0, 4),
        E_I(12, K0, K0, CODE_BYTES - 4), /* andi */
        E_I(12, K1, K1, R3000_KUP),
        E_BNE(K1, 0, 4),
        E_LUI(AT, CODE >> 16), /* in the slot */
        E_LUI(K1, (KSEG0 | CODE) >> 16),
        E_BEQ(0, 0, 2),
        E_R(K0, K1, K0, 0x25), /* or, in the slot */
        E_R(K0, AT, K0, 0x25),
        E_MFC0(K1, CP0_CAUSE),
        E_MTC0(0, CP0_CAUSE),
        FIELD(K1, 16) | FIELD(K1, 11) | FIELD(16, 6), /* sll: IP7 is the sign */
        E_I(1, K1, 1, 6),                             /* bgez: no exception of the FPU */
        E_NOP,
        E_MFC0(K1, CP0_STATUS),
        E_LUI(AT, STATUS_CU1 >> 16),
        E_R(K1, AT, K1, 0x25),
        E_MTC0(K1, CP0_STATUS),
        E_CTC1(0),
        E_JR(K0),
        E_RFE,
    };
    memcpy(words, handler, sizeof handler);
    return sizeof handler / sizeof handler[0];
}

/* Maps a page of kuseg to that of its offset in the first megabyte. */
static void make_refill(uint32_t *words)
{
    const uint32_t handler[] = {
        E_MFC0(K0, CP0_BADVADDR),
        E_LUI(K1, 0x000f),
        E_ORI(K1, K1, 0xf000),
        E_R(K0, K1, K0, 0x24), /* and */
        E_ORI(K0, K0, 0x600),  /* D, V */
        E_MTC0(K0, CP0_ENTRYLO0),
        E_MFC0(K0, CP0_EPC),
        0x42000006, /* tlbwr */
        E_JR(K0),
        E_RFE,
    };
    memcpy(words, handler, sizeof handler);
}

struct test {
    struct builder builder;
    uint32_t memory[MEMORY_BYTES / 4];
    uint32_t gpr[32], fpr[32], status;
    uint64_t executed[ISA_COUNT], exceptions[EXCEPTION_CODES], insns, delays;
};

static void make_stream(struct test *test, bool isolates, uint64_t seed)
{
    struct builder *b = &test->builder;
    b->random = random_seeded(seed);
    b->isolates = isolates;
    b->count = 0;
    while (b->count < CODE_WORDS)
        emit_unit(b);
    for (unsigned i = 0; i < MEMORY_BYTES / 4; i++)
        test->memory[i] = image_interesting_word(&b->random);
    for (unsigned i = DATA / 4; i < DATA / 4 + 256; i++)
        test->memory[i] = image_interesting_single(&b->random);
    memcpy(test->memory + CODE / 4, b->words, sizeof b->words);
    make_refill(test->memory + UTLB_VECTOR / 4);
    make_handler(test->memory + GENERAL_VECTOR / 4);
    for (unsigned i = 1; i < 32; i++)
        test->gpr[i] = image_interesting_word(&b->random);
    for (unsigned i = 0; i < 32; i++)
        test->fpr[i] = image_interesting_single(&b->random);
    for (unsigned i = 0; i < STATUS_SOURCES; i++)
        test->gpr[STATUS_SOURCE + i] = any_status(b, false);
    test->gpr[KERNEL_DATA] = KSEG0 | DATA;
    test->gpr[USER_DATA] = DATA + 0x1000;
    test->gpr[UNCACHED_DATA] = 0xa0000000u | (DATA + 0x2000);
    test->gpr[KSEG2_DATA] = 0xc0000000u | DATA;
    test->gpr[CODE_BASE] = random_one_in(&b->random, 2) ? KSEG0 | CODE : CODE;
    test->status = any_status(b, false) & ~(uint32_t)(R3000_KUC | R3000_IEC);
}

static struct machine *prepare(const struct test *test, const char *const *assignments)
{
    struct machine *machine = harness_machine(assignments);
    struct cpu *s = &machine->cores[0]->s;
    memcpy(physmem_host(machine->mem, 0), test->memory, sizeof test->memory);
    machine_power_on(machine, 0, KSEG0 | CODE);
    memcpy(s->gpr, test->gpr, sizeof test->gpr);
    s->gpr[0] = 0;
    for (unsigned i = 0; i < 32; i++)
        s->fpr[i][0] = test->fpr[i];
    s->cp0[CP0_STATUS] = test->status;
    core_state_changed(machine->cores[0]);
    return machine;
}

struct comparison {
    const char *name;
    bool time;      /* the models have the same timing */
    bool saves;     /* the second is saved and restored now and then */
    bool isolates;  /* streams isolate caches: what is in them before that must be the same */
    unsigned slice; /* 0: random */
    const char *const *first, *const *second;
};

#define SET(...)    ((const char *const[]){"cpu.architecture=r3000", __VA_ARGS__, NULL})
#define INTERPRETED "cpu.model=mipsy", "mipsy.translate_after=0"
#define BLOCKS      "cpu.model=mipsy", "mipsy.translate_after=1"
#define FLAT        "cache.model=none"
#define TINY        "cache.l1i.size=1K", "cache.l1i.line=32", "cache.l1d.size=1K", "cache.l2.size=8K"
#define MXS         "cpu.model=mxs", "mxs.check=on"
#define MXS_WIDE                                                                                                       \
    MXS, "mxs.fetch_width=8", "mxs.issue_width=8", "mxs.graduate_width=8", "mxs.window=128", "cache.l1d.ports=4"

static const struct comparison comparisons[] = {
    {"blocks", true, false, true, 0, SET(INTERPRETED), SET(BLOCKS)},
    {"blocks-tiny", true, false, true, 0, SET(INTERPRETED, TINY), SET(BLOCKS, TINY)},
    {"blocks-flat", true, false, true, 7, SET(INTERPRETED, FLAT), SET(BLOCKS, FLAT)},
    {"embra", true, false, true, 0, SET(INTERPRETED, FLAT), SET("cpu.model=embra", FLAT)},
    {"embra-slices-of-1", true, false, true, 1, SET(INTERPRETED, FLAT), SET("cpu.model=embra", FLAT)},
    {"embra-whole", true, false, true, INSNS, SET(INTERPRETED), SET("cpu.model=embra")},
    {"embra-saved", true, true, true, 0, SET(INTERPRETED, FLAT), SET("cpu.model=embra", FLAT)},
    {"mxs", false, false, false, 0, SET(INTERPRETED, FLAT), SET(MXS)},
    {"mxs-wide", false, false, false, 50, SET(INTERPRETED, FLAT), SET(MXS_WIDE, TINY)},
    {"mxs-flat", false, false, true, 1, SET(INTERPRETED, FLAT), SET(MXS, FLAT)},
    {"mxs-flat-wide", false, false, true, 0, SET(INTERPRETED, FLAT), SET(MXS_WIDE, FLAT)},
    {"mxs-saved", false, true, true, 0, SET(INTERPRETED, FLAT), SET(MXS, FLAT)},
};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

static void count_row(struct test *test, struct machine *machine)
{
    const struct core *core = machine->cores[0];
    uint32_t word;
    if (core_debug_read(machine->cores[0], core->s.pc, &word, sizeof word) == sizeof word)
        test->executed[isa_identify(test->builder.decoder, word)]++;
    test->delays += core->s.delayed_register != 0;
}

/* MACHINE, saved and restored in a new one with ASSIGNMENTS. */
static struct machine *saved_and_restored(struct machine *machine, const char *const *assignments)
{
    char path[] = "/tmp/r3000_streams.XXXXXX";
    struct err err = {""};
    const int file = mkstemp(path);
    struct machine *next = harness_machine(assignments);
    struct checkpoint *checkpoint = NULL;
    if (file < 0 || !machine_save(machine, "", path, &err) || !(checkpoint = checkpoint_open(path, &err)) ||
        !machine_restore(next, checkpoint, true, &err))
        log_bug("%s: %s", path, err.text);
    checkpoint_close(checkpoint);
    close(file);
    unlink(path);
    machine_free(machine);
    return next;
}

/* Run both side by side up to LIMIT instructions. Returns the instruction at which they differ, or 0, with the
 * difference in TEXT. */
static uint64_t compare(struct test *test, const struct comparison *comparison, uint64_t limit, bool print, char *text,
                        size_t size)
{
    struct random random = random_seeded(0x736c6963);
    struct machine *a = prepare(test, comparison->first), *b = prepare(test, comparison->second);
    struct compare *states = compare_create(a, b);
    const char *difference = NULL;
    uint64_t at = 0;
    while (at < limit && !difference) {
        const unsigned slice = comparison->slice           ? comparison->slice
                               : random_one_in(&random, 2) ? 1 + random_below(&random, 4)
                                                           : 1 + random_below(&random, 200);
        count_row(test, a);
        at = at + slice < limit ? at + slice : limit;
        if (comparison->saves && random_one_in(&random, 8)) {
            compare_free(states);
            b = saved_and_restored(b, comparison->second);
            states = compare_create(a, b);
        }
        const enum machine_stop reason = machine_run(a, &(struct machine_limits){CYCLES_NEVER, at});
        const enum machine_stop other = machine_run(b, &(struct machine_limits){CYCLES_NEVER, at});
        if (reason != other || (comparison->time && !compare_state(states)) || at == limit ||
            (!comparison->time && a->cores[0]->s.pc != b->cores[0]->s.pc))
            difference = harness_compare(a, b, comparison->time, text, size);
        if (!difference && reason != other)
            difference = strcpy(text, "the run ends differently");
        if (reason != MACHINE_STOP_INSNS)
            break;
    }
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
        test->exceptions[i] += a->cores[0]->counts.exceptions[i];
    test->insns += at;
    if (print)
        harness_print_differences(a, b, 20);
    compare_free(states);
    machine_free(a);
    machine_free(b);
    return difference ? at : 0;
}

static void report(struct test *test, const struct comparison *comparison, uint64_t high, uint64_t seed)
{
    char text[512] = "";
    uint64_t low = 0;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (compare(test, comparison, middle, false, text, sizeof text))
            high = middle;
        else
            low = middle;
    }
    compare(test, comparison, high, true, text, sizeof text);
    printf("FAIL %s, seed %" PRIu64 ": after instruction %" PRIu64 " %s\nagain: r3000_streams %" PRIu64 " 1 %s\n",
           comparison->name, seed, high, text, seed, comparison->name);
    struct machine *machine = prepare(test, comparison->first);
    machine_run(machine, &(struct machine_limits){CYCLES_NEVER, low});
    harness_print_around(machine, 0);
    machine_free(machine);
}

static bool is_covered(const struct test *test)
{
    bool covered = test->delays > 0;
    for (unsigned id = 0; id < ISA_COUNT; id++)
        if (isa_has(&isa_table[id], LEVEL_1) && !test->executed[id]) {
            printf("FAIL: no stream has executed %s\n", isa_table[id].mnemonic);
            covered = false;
        }
    return covered;
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 0) : 40;
    const char *only = argc > 3 ? argv[3] : NULL;
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_1);
    struct test *test = calloc(1, sizeof *test);
    bool passed = test != NULL;
    if (!test)
        return 1;
    test->builder.decoder = decoder;
    for (unsigned i = 0; i < COMPARISONS; i++)
        for (uint64_t n = seed; n < seed + count && (!only || strcmp(only, comparisons[i].name) == 0); n++) {
            char text[512];
            make_stream(test, comparisons[i].isolates, n * COMPARISONS + i);
            const uint64_t high = compare(test, &comparisons[i], INSNS, false, text, sizeof text);
            if (high == 0)
                continue;
            report(test, &comparisons[i], high, n);
            passed = false;
            break;
        }
    printf("seed %" PRIu64 ": %" PRIu64 " instructions, %" PRIu64 " stops in load delays; exceptions", seed,
           test->insns, test->delays);
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
        if (test->exceptions[i])
            printf(" %u: %" PRIu64, i, test->exceptions[i]);
    printf("\n");
    if (!only && count >= 20)
        passed = is_covered(test) && passed;
    isa_decoder_free(decoder);
    free(test);
    return passed ? 0 : 1;
}
