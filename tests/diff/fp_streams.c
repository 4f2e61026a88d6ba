/*
 * Random floating-point code under two CPU models, which must agree on all registers and FCSR wherever a run stops.
 *
 *     fp_streams [seed [streams [MODEL MODEL]]]    default: mipsy and embra
 *
 * A stream is a loop of floating-point instructions of all rows of isa.def, with loads of all classes of numbers. The
 * flavours cover the fast paths of a translator: numbers of moderate size while Flags.I is set; integers with exact
 * results while it is not; results near the smallest and largest numbers; everything, with frequent writes of FCSR
 * (rounding modes, enables, FS). Deterministic. On a difference the instructions around it are printed and the exit
 * status is 1; it is also 1 if a floating-point row was never executed.
 */
#include "cpu/fp/fpu.h"
#include "cpu/model.h"
#include "tests/diff/encode.h"
#include "tests/diff/harness.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INSNS = 6000, MAX_WORDS = 700, BASE = 16, INDEX = 22, DATA_BYTES = 0x1000 };
#define CODE_ADDRESS (0x80000000u + LAYOUT_CODE)
#define DATA_MIDDLE  (0x80000000u + LAYOUT_DATA + DATA_BYTES / 2)

enum flavour { MODERATE, INTEGERS, EDGES, ALL, FLAVOURS };
static const char *const flavour_names[] = {"moderate", "integers", "edges", "all"};

struct test {
    struct isa_decoder *decoder;
    const char *models[2];
    struct image image;
    struct random random;
    enum flavour flavour;
    bool fr, computes; /* Status.FR; denormalized numbers do not trap */
    unsigned count;
    uint32_t words[MAX_WORDS + 16];
    enum isa_id rows[ISA_COUNT]; /* floating-point rows to choose from */
    unsigned row_count;
    uint64_t executed[ISA_COUNT], insns, traps;
};

static bool one_in(struct test *test, uint32_t n)
{
    return random_one_in(&test->random, n);
}
static uint32_t below(struct test *test, uint32_t n)
{
    return random_below(&test->random, n);
}
static void emit(struct test *test, uint32_t word)
{
    test->words[test->count++] = word;
}

/* ---- data ---- */

static uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static uint32_t bits_of_single(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Boundary values of a format with FRACTION_BITS: smallest and largest numbers, their square roots, neighbours of 1. */
static uint64_t edge(struct test *test, unsigned fraction_bits, unsigned greatest)
{
    unsigned middle = greatest / 2, half = middle / 2;
    unsigned exponents[] = {1, 1, 2, half, half + 1, middle - 1, middle, middle + half, greatest - 1, greatest};
    uint64_t low = below(test, 3), fraction = one_in(test, 2) ? low : ((uint64_t)1 << fraction_bits) - 1 - low;
    uint64_t exponent = exponents[below(test, sizeof exponents / sizeof exponents[0])];
    if (one_in(test, 3)) { /* their product is tiny, but rounds to the smallest normal number */
        exponent = one_in(test, 2) ? 1 : middle - 1;
        fraction = exponent == 1 ? 0 : ((uint64_t)1 << fraction_bits) - 1;
    }
    return (uint64_t)below(test, 2) << (fraction_bits == 52 ? 63 : 31) | exponent << fraction_bits | fraction;
}

static uint64_t any_double(struct test *test)
{
    if (test->flavour == ALL || one_in(test, 24))
        return image_interesting_double(&test->random);
    if (one_in(test, 12))
        return one_in(test, 2) ? 0 : (uint64_t)1 << 63;
    if (test->flavour == EDGES && one_in(test, 6)) /* as singles: tiny and rounded to the smallest, largest, overflow */
        return (uint64_t[]){0x380fffffe0000000, 0x47efffffe0000000, 0x47effffff0000000}[below(test, 3)];
    if (test->flavour == EDGES)
        return edge(test, 52, 0x7fe);
    if (test->flavour == INTEGERS)
        return bits_of_double((double)((int32_t)random_word(&test->random) >> below(test, 31)));
    return (uint64_t)(0x3e000000 + (random_word(&test->random) & 0x81ffffff)) << 32 | random_word(&test->random);
}

static uint32_t any_single(struct test *test)
{
    if (test->flavour == ALL || one_in(test, 24))
        return image_interesting_single(&test->random);
    if (one_in(test, 12))
        return one_in(test, 2) ? 0 : 0x80000000;
    if (test->flavour == EDGES)
        return (uint32_t)edge(test, 23, 0xfe);
    if (test->flavour == INTEGERS)
        return bits_of_single((float)((int32_t)random_word(&test->random) >> (8 + below(test, 23))));
    return 0x3c000000 + (random_word(&test->random) & 0x83ffffff);
}

/* Doubles, and pairs of singles. */
static void make_data(struct test *test)
{
    for (uint32_t at = 0; at < DATA_BYTES; at += 8) {
        uint64_t value = any_double(test);
        if (at & 8)
            value = (uint64_t)any_single(test) << 32 | any_single(test);
        image_put(&test->image, LAYOUT_DATA + at, &value, sizeof value);
    }
}

/* ---- code ---- */

static uint32_t random_fcsr(struct test *test)
{
    static const uint32_t flags = FPU_INEXACT << FCSR_FLAGS_SHIFT;
    if (test->flavour == INTEGERS)
        return one_in(test, 4) ? flags : 0;
    if (test->flavour == MODERATE || test->flavour == EDGES)
        return one_in(test, 4) ? 0 : flags;
    uint32_t value = one_in(test, 2) ? 0 : random_word(&test->random) & FCSR_RM;
    if (one_in(test, 2))
        value |= random_word(&test->random) & (FCSR_FLAGS | FCSR_FCC);
    if (one_in(test, 4))
        value |= random_word(&test->random) & FCSR_ENABLES;
    if (one_in(test, 4))
        value |= FCSR_FS;
    if (one_in(test, 16))
        value |= random_word(&test->random) & FCSR_CAUSE;
    return value;
}

static void emit_write_fcsr(struct test *test)
{
    uint32_t value = random_fcsr(test);
    unsigned reg = 8 + below(test, 8);
    emit(test, E_LUI(reg, value >> 16));
    emit(test, E_ORI(reg, reg, value));
    emit(test, 0x44c00000 | FIELD(reg, 16) | FIELD(31, 11));
}

/* Load a double or single, from a fixed place or one that changes in every iteration. */
static void emit_load(struct test *test)
{
    unsigned to = below(test, 32);
    bool is_double = one_in(test, 2);
    uint32_t offset = below(test, DATA_BYTES / 16) * 16 + (is_double ? 0 : 8 + 4 * below(test, 2)) - DATA_BYTES / 2;
    if (one_in(test, 2))
        emit(test, E_I(is_double ? 53 : 49, BASE, to, offset));
    else
        emit(test, 0x4c000000 | FIELD(BASE, 21) | FIELD(INDEX, 16) | FIELD(to, 6) | is_double);
}

static void emit_store(struct test *test)
{
    bool is_double = one_in(test, 2);
    uint32_t offset = below(test, DATA_BYTES / 16) * 16 + (is_double ? 0 : 8) - DATA_BYTES / 2;
    emit(test, E_I(is_double ? 61 : 57, BASE, below(test, 32), offset));
}

/* A floating-point instruction without memory access or control transfer. */
static uint32_t random_operation(struct test *test)
{
    static const enum isa_id common[] = {ISA_FADD_S,  ISA_FADD_D,  ISA_FSUB_D,  ISA_FMUL_S,   ISA_FMUL_D,   ISA_FDIV_D,
                                         ISA_CVT_D_W, ISA_CVT_S_D, ISA_CVT_D_S, ISA_C_COND_D, ISA_TRUNC_W_D};
    enum isa_id id = one_in(test, 3) ? common[below(test, sizeof common / sizeof common[0])]
                                     : test->rows[below(test, test->row_count)];
    const struct isa_row *row = &isa_table[id];
    uint32_t word = row->match | (random_word(&test->random) & ~row->mask);
    if ((row->uses | row->defines) & OPERAND_T) /* no pointer, and no register that the handlers clobber */
        word = (word & ~FIELD(31, 16)) | FIELD(below(test, 16), 16);
    if (id == ISA_CFC1)
        word = (word & ~FIELD(31, 11)) | FIELD(one_in(test, 2) ? 31 : 25 + below(test, 4), 11);
    return word;
}

static void emit_branch(struct test *test)
{
    static const enum isa_id branches[] = {ISA_BC1F, ISA_BC1T, ISA_BC1FL, ISA_BC1TL};
    enum isa_id id = branches[below(test, 4)];
    emit(test, isa_table[id].match | FIELD(below(test, 8), 18) | (1 + below(test, 6)));
    emit(test, random_operation(test));
}

static void make_code(struct test *test)
{
    unsigned length = 20 + below(test, one_in(test, 2) ? 60 : MAX_WORDS - 20);
    unsigned writes = test->flavour == ALL ? 12 : 400;
    test->count = 0;
    emit(test, E_ADDIU(INDEX, INDEX, 8 * (1 + 2 * below(test, 50))));
    emit(test, E_I(12, INDEX, INDEX, DATA_BYTES / 2 - 8)); /* andi */
    while (test->count < length) {
        if (one_in(test, writes))
            emit_write_fcsr(test);
        else if (one_in(test, 4))
            emit_load(test);
        else if (one_in(test, 16))
            emit_store(test);
        else if (one_in(test, 10))
            emit_branch(test);
        else
            emit(test, random_operation(test));
    }
    for (unsigned i = 0; i < 8; i++) /* branches may go beyond the end */
        emit(test, E_NOP);
    emit(test, E_J(CODE_ADDRESS));
    emit(test, random_operation(test));
}

static void make_stream(struct test *test, struct context *context)
{
    image_free(&test->image);
    image_create(&test->image);
    image_prepare(&test->image, &test->random);
    image_set_variables(&test->image, 0, 0, 0);
    make_data(test);
    make_code(test);
    image_put(&test->image, LAYOUT_CODE, test->words, test->count * 4);
    *context = (struct context){.fcsr = random_fcsr(test) & ~(uint32_t)FCSR_CAUSE, .start = CODE_ADDRESS};
    context->status = STATUS_CU1 | (test->fr ? STATUS_FR : 0);
    for (unsigned i = 0; i < 32; i++) {
        context->gpr[i] = one_in(test, 2) ? 0 : random_word(&test->random);
        context->fpr[i] = any_double(test);
    }
    context->gpr[BASE] = DATA_MIDDLE;
    context->gpr[INDEX] = 8 * below(test, DATA_BYTES / 16);
}

/* ---- comparison ---- */

static struct machine *make_machine(struct test *test, const char *model, const struct context *context)
{
    char assignment[40];
    snprintf(assignment, sizeof assignment, "cpu.model=%s", model);
    const char *assignments[] = {assignment, "cache.model=none",
                                 test->computes ? "cpu.fpu_denormals=compute" : "cpu.fpu_denormals=trap", NULL};
    struct machine *machine = harness_machine(assignments);
    harness_load(machine, &test->image);
    harness_start(machine, 0, context);
    return machine;
}

static bool states_differ(const struct cpu *a, const struct cpu *b)
{
    return a->pc != b->pc || a->fcr31 != b->fcr31 || memcmp(a->fpr, b->fpr, sizeof a->fpr) != 0 ||
           memcmp(a->gpr, b->gpr, 32 * sizeof a->gpr[0]) != 0 || a->insns != b->insns;
}

static void print_place(struct test *test, const struct machine *a, const struct machine *b)
{
    const struct cpu *x = &a->cores[0]->s, *y = &b->cores[0]->s;
    printf("after instruction %" PRIu64 ": pc %08x %08x, FCSR %08x %08x\n", x->insns, x->pc, y->pc, x->fcr31, y->fcr31);
    for (unsigned i = 0; i < 32; i++)
        if (memcmp(x->fpr[i], y->fpr[i], sizeof x->fpr[i]) != 0)
            printf("$f%u %08x%08x %08x%08x\n", i, x->fpr[i][1], x->fpr[i][0], y->fpr[i][1], y->fpr[i][0]);
    for (unsigned i = 0; i < 32; i++)
        if (x->gpr[i] != y->gpr[i])
            printf("$%s %08x %08x\n", isa_gpr_name(i), x->gpr[i], y->gpr[i]);
    vaddr at = x->cp0[CP0_STATUS] & STATUS_EXL ? x->cp0[CP0_EPC] : x->pc; /* in a handler: use EPC */
    if (x->cp0[CP0_EPC] != y->cp0[CP0_EPC])
        printf("EPC %08x %08x\n", x->cp0[CP0_EPC], y->cp0[CP0_EPC]);
    for (vaddr pc = at - 40; pc != at + 12; pc += 4) {
        char line[128];
        uint32_t index = (pc - CODE_ADDRESS) / 4;
        if (index >= test->count)
            continue;
        isa_disassemble(test->decoder, test->words[index], pc, line, sizeof line);
        printf("%s %08x  %s\n", pc == at ? "=>" : "  ", pc, line);
    }
}

static void count_row(struct test *test, const struct cpu *s)
{
    uint32_t index = (s->pc - CODE_ADDRESS) / 4;
    if (index < test->count)
        test->executed[isa_identify(test->decoder, test->words[index])]++;
}

/* Run two new machines for INSNS instructions without stops: do they differ? */
static bool differ_after(struct test *test, const struct context *context, uint64_t insns, bool print)
{
    struct machine *a = make_machine(test, test->models[0], context), *b = make_machine(test, test->models[1], context);
    machine_run(a, &(struct machine_limits){CYCLES_NEVER, insns});
    machine_run(b, &(struct machine_limits){CYCLES_NEVER, insns});
    bool differ = states_differ(&a->cores[0]->s, &b->cores[0]->s);
    if (print)
        print_place(test, a, b);
    machine_free(a);
    machine_free(b);
    return differ;
}

/* The machines differ after INSNS instructions: find and print the first difference. */
static void report(struct test *test, const struct context *context, uint64_t insns)
{
    uint64_t low = 0, high = insns;
    if (!differ_after(test, context, high, false))
        printf("only if run in slices\n");
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (differ_after(test, context, middle, false))
            high = middle;
        else
            low = middle;
    }
    differ_after(test, context, high, true);
}

/* Run both machines in slices, first short, then long ones. False if they differ. */
static bool compare_runs(struct test *test, const struct context *context, struct machine *a, struct machine *b)
{
    uint64_t at = 0;
    while (at < INSNS) {
        unsigned most = at < INSNS / 8 ? 3 : one_in(test, 4) ? 20 : 400;
        at += 1 + below(test, most);
        count_row(test, &a->cores[0]->s);
        machine_run(a, &(struct machine_limits){CYCLES_NEVER, at});
        machine_run(b, &(struct machine_limits){CYCLES_NEVER, at});
        if (states_differ(&a->cores[0]->s, &b->cores[0]->s)) {
            print_place(test, a, b);
            report(test, context, at);
            return false;
        }
    }
    char text[512];
    const char *difference = harness_compare(a, b, false, text, sizeof text);
    if (difference)
        printf("%s\n", difference);
    test->insns += machine_insns(a);
    test->traps += a->cores[0]->counts.exceptions[EXC_FPE];
    return difference == NULL;
}

static bool run_stream(struct test *test, uint64_t seed)
{
    struct context context;
    test->random = random_seeded(seed);
    test->flavour = (enum flavour)(seed % FLAVOURS);
    test->fr = !one_in(test, 3);
    test->computes = one_in(test, 3);
    make_stream(test, &context);
    struct machine *a = make_machine(test, test->models[0], &context);
    struct machine *b = make_machine(test, test->models[1], &context);
    bool same = compare_runs(test, &context, a, b);
    if (!same)
        printf("FAIL seed %" PRIu64 " (%s, FR %d): %s and %s differ; again: fp_streams %" PRIu64 " 1 %s %s\n", seed,
               flavour_names[test->flavour], test->fr, test->models[0], test->models[1], seed, test->models[0],
               test->models[1]);
    machine_free(a);
    machine_free(b);
    return same;
}

/* Collect the floating-point rows without memory access or control transfer. FCSR is written by separate sequences. */
static void find_rows(struct test *test)
{
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        unsigned flags = isa_table[id].flags;
        if (isa_has(&isa_table[id], LEVEL_32R2) && flags & INSN_FPU &&
            !(flags & (INSN_LOAD | INSN_STORE | INSN_DELAY_SLOT)) && id != ISA_CTC1 && id != ISA_PREFX)
            test->rows[test->row_count++] = (enum isa_id)id;
    }
}

static bool rows_are_covered(const struct test *test)
{
    bool covered = true;
    for (unsigned i = 0; i < test->row_count; i++) {
        if (test->executed[test->rows[i]])
            continue;
        printf("FAIL: no stream has executed %s\n", isa_table[test->rows[i]].mnemonic);
        covered = false;
    }
    return covered;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 400;
    bool passed = true;
    struct test *test = calloc(1, sizeof *test);
    if (!test)
        return 1;
    test->decoder = isa_decoder_create(LEVEL_32R2);
    test->models[0] = argc > 3 ? argv[3] : "mipsy";
    test->models[1] = argc > 4 ? argv[4] : translate_supported() ? "embra" : "mipsy";
    find_rows(test);
    for (uint64_t n = seed; n < seed + count && passed; n++)
        passed = run_stream(test, n);
    printf("%s and %s, seed %" PRIu64 ": %" PRIu64 " instructions, %" PRIu64 " floating-point exceptions\n",
           test->models[0], test->models[1], seed, test->insns, test->traps);
    if (passed && count >= 100)
        passed = rows_are_covered(test);
    image_free(&test->image);
    isa_decoder_free(test->decoder);
    free(test);
    return passed ? 0 : 1;
}
