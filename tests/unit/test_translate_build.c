/*
 * Translation of guest code to IR operations (cpu/translate/build.h): folding, omissions, ends of blocks. Expected
 * operations are in the format of ir_print().
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/unit/test.h"
#include "cpu/translate/build.h"
#include "tests/unit/machine_program.h"

enum { ZERO, AT, V0, V1, A0, A1, A2, A3, T0, T1, T2, T3, T4, T5, T6, T7, SP = 29, RA = 31 };

/* Encodings, MIPS32 volume II. */
#define R(funct, rd, rs, rt) ((unsigned)(rs) << 21 | (unsigned)(rt) << 16 | (unsigned)(rd) << 11 | (funct))
#define I(op, rt, rs, imm)                                                                                             \
    ((unsigned)(op) << 26 | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(imm)&0xffff))
#define ADD(rd, rs, rt)     R(0x20, rd, rs, rt)
#define ADDU(rd, rs, rt)    R(0x21, rd, rs, rt)
#define SUBU(rd, rs, rt)    R(0x23, rd, rs, rt)
#define AND(rd, rs, rt)     R(0x24, rd, rs, rt)
#define OR(rd, rs, rt)      R(0x25, rd, rs, rt)
#define NOR(rd, rs, rt)     R(0x27, rd, rs, rt)
#define SLT(rd, rs, rt)     R(0x2a, rd, rs, rt)
#define SLTU(rd, rs, rt)    R(0x2b, rd, rs, rt)
#define SLLV(rd, rt, rs)    R(0x04, rd, rs, rt)
#define SLL(rd, rt, sa)     R((unsigned)(sa) << 6 | 0x00, rd, 0, rt)
#define SRA(rd, rt, sa)     R((unsigned)(sa) << 6 | 0x03, rd, 0, rt)
#define MULT(rs, rt)        R(0x18, 0, rs, rt)
#define DIVU(rs, rt)        R(0x1b, 0, rs, rt)
#define MUL(rd, rs, rt)     (0x70000000u | R(0x02, rd, rs, rt))
#define CLZ(rd, rs)         (0x70000000u | R(0x20, rd, rs, rd))
#define MOVZ(rd, rs, rt)    R(0x0a, rd, rs, rt)
#define JR(rs)              R(0x08, 0, rs, 0)
#define JALR(rd, rs)        R(0x09, rd, rs, 0)
#define SYSCALL             0x0000000cu
#define TEQ(rs, rt)         R(0x34, 0, rs, rt)
#define ERET                0x42000018u
#define J(target)           (0x08000000u | ((target) >> 2 & 0x3ffffff))
#define JAL(target)         (0x0c000000u | ((target) >> 2 & 0x3ffffff))
#define BEQ(rs, rt, insns)  I(0x04, rt, rs, insns) /* branch offset in instructions after the delay slot */
#define BNE(rs, rt, insns)  I(0x05, rt, rs, insns)
#define BGTZ(rs, insns)     I(0x07, 0, rs, insns)
#define BEQL(rs, rt, insns) I(0x14, rt, rs, insns)
#define BNEL(rs, rt, insns) I(0x15, rt, rs, insns)
#define BLTZAL(rs, insns)   I(0x01, 0x10, rs, insns)
#define SLTI(rt, rs, imm)   I(0x0a, rt, rs, imm)
#define ANDI(rt, rs, imm)   I(0x0c, rt, rs, imm)
#define XORI(rt, rs, imm)   I(0x0e, rt, rs, imm)
#define LB(rt, imm, rs)     I(0x20, rt, rs, imm)
#define LHU(rt, imm, rs)    I(0x25, rt, rs, imm)
#define LWL(rt, imm, rs)    I(0x22, rt, rs, imm)
#define SB(rt, imm, rs)     I(0x28, rt, rs, imm)
#define SWR(rt, imm, rs)    I(0x2e, rt, rs, imm)
#define LL(rt, imm, rs)     I(0x30, rt, rs, imm)
#define SC(rt, imm, rs)     I(0x38, rt, rs, imm)
#define LDC1(ft, imm, rs)   I(0x35, ft, rs, imm)
#define SDC1(ft, imm, rs)   I(0x3d, ft, rs, imm)
#define LWC1(ft, imm, rs)   I(0x31, ft, rs, imm)
#define ADD_D(fd, fs, ft)   (0x46200000u | (unsigned)(ft) << 16 | (unsigned)(fs) << 11 | (unsigned)(fd) << 6)
#define MFC0(rt, rd)        (0x40000000u | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)

enum { PAGE = 0x00400000, WORDS = PAGE_SIZE / 4 };

struct fixture {
    struct machine *machine;
    struct core *core;
    uint32_t words[WORDS];
    struct build_context context;
    struct ir_superblock superblock;
    vaddr code; /* address for which has_code() is true; 1: none */
    char *text; /* of the last block built */
};

static bool has_code(void *opaque, vaddr pc)
{
    return pc == ((struct fixture *)opaque)->code;
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->machine = MACHINE_OF("cpu.model=mipsy", "machine.memory=16M");
    f->core = f->machine->cores[0];
    f->code = 1;
    f->context = (struct build_context){.core = f->core,
                                        .words = f->words,
                                        .page = 0x80000000u | PAGE,
                                        .max_insns = 48,
                                        .has_code = has_code,
                                        .opaque = f};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    machine_free(f->machine);
    free(f->text);
    free(f);
    return 0;
}

/* Print the operations of SEGMENT, one per line, without the instructions. */
static void print_operations(struct fixture *f, const struct ir_block *block)
{
    char *all = NULL, *next;
    size_t size;
    unsigned offset = (block->pc & (PAGE_SIZE - 1)) / 4;
    FILE *out = open_memstream(&all, &size);
    ir_print(block, f->core, f->words + offset, out);
    fclose(out);
    free(f->text);
    out = open_memstream(&f->text, &size);
    for (char *line = all; *line; line = next) {
        next = line + strcspn(line, "\n") + 1;
        if (strncmp(line, "     ", 5) == 0)
            fprintf(out, "%.*s", (int)(next - line - 5), line + 5);
    }
    fclose(out);
    free(all);
}

/* Build the block that begins at instruction INDEX of the page. */
static struct ir_block *build_at(struct fixture *f, unsigned index)
{
    f->superblock.count = 0;
    struct ir_block *block = build_block(&f->superblock, &f->context, f->context.page + index * 4);
    assert_non_null(block);
    print_operations(f, block);
    return block;
}

/* Set the instructions at the start of the page. */
#define CODE(...)                                                                                                      \
    memset(f->words, 0, sizeof f->words);                                                                              \
    memcpy(f->words, ((const uint32_t[]){__VA_ARGS__}), sizeof((const uint32_t[]){__VA_ARGS__}))

/* Check the operations of the first block, one string each, and its number N of instructions. */
#define EXPECT(n, ...)                                                                                                 \
    do {                                                                                                               \
        const struct ir_block *block_ = build_at(f, 0);                                                                \
        static const char *const lines_[] = {__VA_ARGS__};                                                             \
        expect_lines(f, lines_, sizeof lines_ / sizeof lines_[0]);                                                     \
        assert_int_equal(block_->insns, n);                                                                            \
    } while (0)

static void expect_lines(struct fixture *f, const char *const *lines, size_t count)
{
    char *expected = NULL;
    size_t size;
    FILE *out = open_memstream(&expected, &size);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s\n", lines[i]);
    fclose(out);
    assert_string_equal(f->text, expected);
    free(expected);
}

static struct ir_op *op_of(struct ir_block *block, enum ir_opcode opcode)
{
    for (unsigned i = 0; i < block->count; i++)
        if (block->ops[i].opcode == opcode)
            return &block->ops[i];
    fail_msg("no such operation");
    return NULL;
}

/* Values */

static void constants_are_folded(void **state)
{
    struct fixture *f = *state;
    CODE(LUI(T0, 0x1234), ADDIU(T0, T0, 0x5678), ADDU(T1, T0, T0), SLTU(T2, ZERO, T0), XORI(T3, T2, 1), SLL(T4, T1, 4),
         JR(RA), NOP);
    EXPECT(8, "count 0 loads, 0 stores", "$t0 = mov 0x12340000", "$t0 = mov 0x12345678", "$t1 = mov 0x2468acf0",
           "$t2 = mov 0x1", "$t3 = mov 0x0", "$t4 = mov 0x468acf00", "indirect $ra return");
}

/* Every register has its value at every instruction, so that an exit is possible anywhere: only redundant writes are
 * omitted. */
static void constants_are_written_once(void **state)
{
    struct fixture *f = *state;
    CODE(LUI(T0, 0x1234), LUI(T0, 0x1234), ADDU(T0, ZERO, ZERO), OR(T0, ZERO, ZERO), JR(RA), NOP);
    EXPECT(6, "count 0 loads, 0 stores", "$t0 = mov 0x12340000", "$t0 = mov 0x0", "indirect $ra return");
}

static void constants_are_forgotten_when_overwritten(void **state)
{
    struct fixture *f = *state;
    CODE(LUI(T0, 1), LW(T0, 0, A0), ADDIU(T1, T0, 4), LUI(T0, 1), MFC0(T0, 9), ADDIU(T1, T0, 4), JR(RA), NOP);
    EXPECT(8, "count 1 loads, 0 stores", "$t0 = mov 0x10000", "$t0 = load u32 $a0", "$t1 = add $t0 0x4",
           "$t0 = mov 0x10000", "call", "$t1 = add $t0 0x4", "indirect $ra return");
}

static void nothing_is_known_at_the_beginning(void **state)
{
    struct fixture *f = *state;
    CODE(LUI(T0, 1), BEQ(A0, A1, 3), NOP, ADDIU(T0, T0, 4), JR(RA), NOP);
    build_at(f, 0);
    const struct ir_block *second = build_block(&f->superblock, &f->context, f->context.page + 12);
    assert_non_null(second);
    print_operations(f, second);
    assert_string_equal(f->text, "count 0 loads, 0 stores\n$t0 = add $t0 0x4\nindirect $ra return\n");
    assert_int_equal(second->first_temp, f->superblock.blocks[0].temps);
}

static void neutral_operations_vanish(void **state)
{
    struct fixture *f = *state;
    CODE(ADDU(T0, T1, ZERO), ADDIU(T0, T0, 0), OR(T2, T2, ZERO), ANDI(T3, T3, 0), SUBU(T4, T5, ZERO), JR(RA), NOP);
    EXPECT(7, "count 0 loads, 0 stores", "$t0 = mov $t1", "$t3 = mov 0x0", "$t4 = mov $t5", "indirect $ra return");
}

static void arithmetic(void **state)
{
    struct fixture *f = *state;
    CODE(SLLV(T0, T1, T2), SRA(T0, T0, 3), NOR(T0, T1, T2), NOR(T0, T1, ZERO), CLZ(T0, T1), SLT(T3, T1, T2),
         SLTI(T3, T1, 5), MOVZ(T0, T1, T2), ADDIU(T0, T0, -4), JR(RA), NOP);
    EXPECT(11, "count 0 loads, 0 stores", "$t0 = shl $t1 $t2", "$t0 = sar $t0 0x3", "t3 = or $t1 $t2", "$t0 = not t3",
           "$t0 = not $t1", "$t0 = clz $t1", "$t3 = compare $t1 <s $t2", "$t3 = compare $t1 <s 0x5",
           "$t0 = select $t2 == 0x0 $t1 $t0", "$t0 = add $t0 0xfffffffc", "indirect $ra return");
    CODE(MULT(T0, T1), MUL(T2, T0, T1), DIVU(T0, T1), JR(RA), NOP);
    EXPECT(5, "count 0 loads, 0 stores", "t0 = mul_s64 $t0 $t1", "hi = high t0", "lo = low t0", "$t2 = mul $t0 $t1",
           "lo = div_u $t0 $t1", "hi = rem_u $t0 $t1", "indirect $ra return");
}

/* Nothing is written before the overflow check (MIPS32 vol. II, ADD). */
static void overflow_comes_before_the_result(void **state)
{
    struct fixture *f = *state;
    CODE(ADD(T0, T1, T2), JR(RA), NOP);
    EXPECT(3, "count 0 loads, 0 stores", "t0 = add $t1 $t2", "t1 = xor $t2 t0", "t2 = xor $t1 t0", "t3 = and t2 t1",
           "trap_if t3 <s 0x0 -> 0xc", "$t0 = mov t0", "indirect $ra return");
}

/* Branches */

static void a_comparison_is_part_of_its_branch(void **state)
{
    struct fixture *f = *state;
    CODE(BEQ(T0, T1, 5), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "branch $t0 == $t1 -> 0x80400018");
    CODE(BGTZ(T0, -5), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "branch 0x0 <s $t0 -> 0x803ffff0");
    CODE(BEQ(T0, T0, 5), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "goto -> 0x80400018");
    CODE(BNE(ZERO, ZERO, 5), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "branch 0x0 != 0x0 -> 0x80400018");
}

/* The branch condition is evaluated before the delay slot (MIPS32 vol. I, 5.3.3). */
static void delay_slots_do_not_change_the_decision(void **state)
{
    struct fixture *f = *state;
    CODE(BEQ(T0, T1, 5), ADDIU(T0, T0, 1));
    EXPECT(2, "count 0 loads, 0 stores", "t1 = mov $t0", "$t0 = add $t0 0x1", "branch t1 == $t1 -> 0x80400018");
    CODE(BNE(T0, T1, 5), LW(T1, 0, T0));
    EXPECT(2, "count 1 loads, 0 stores", "t1 = mov $t1", "$t1 = load u32 $t0", "branch $t0 != t1 -> 0x80400018");
    CODE(BNE(T0, T1, 5), MFC0(T1, 9));
    EXPECT(2, "count 0 loads, 0 stores", "t1 = mov $t1", "call", "branch $t0 != t1 -> 0x80400018");
    CODE(JR(T0), ADDU(T0, T1, T1));
    EXPECT(2, "count 0 loads, 0 stores", "t0 = mov $t0", "$t0 = add $t1 $t1", "indirect t0");
    CODE(BEQ(T0, T1, 5), SW(T0, 0, T1));
    EXPECT(2, "count 0 loads, 1 stores", "store u32 $t1 $t0", "branch $t0 == $t1 -> 0x80400018");
}

/* slt, bne: the branch uses the comparison of slt, unless one of the registers was written in between. */
static void branches_compare_for_themselves(void **state)
{
    struct fixture *f = *state;
    CODE(SLT(T0, T1, T2), BNE(T0, ZERO, 4), NOP);
    EXPECT(3, "count 0 loads, 0 stores", "$t0 = compare $t1 <s $t2", "branch $t1 <s $t2 -> 0x80400018");
    CODE(SLT(T0, T1, T2), BEQ(T0, ZERO, 4), NOP);
    EXPECT(3, "count 0 loads, 0 stores", "$t0 = compare $t1 <s $t2", "branch $t1 >=s $t2 -> 0x80400018");
    CODE(SLT(T0, T1, T2), ADDU(T2, T1, T1), BNE(T0, ZERO, 4), NOP);
    EXPECT(4, "count 0 loads, 0 stores", "$t0 = compare $t1 <s $t2", "$t2 = add $t1 $t1",
           "branch $t0 != 0x0 -> 0x8040001c");
    CODE(SLT(T0, T0, T2), BNE(T0, ZERO, 4), NOP);
    EXPECT(3, "count 0 loads, 0 stores", "$t0 = compare $t0 <s $t2", "branch $t0 != 0x0 -> 0x80400018");
    CODE(SLT(T0, T1, T2), BNE(T0, ZERO, 4), ADDU(T1, T2, T2));
    EXPECT(3, "count 0 loads, 0 stores", "$t0 = compare $t1 <s $t2", "t2 = mov $t1", "$t1 = add $t2 $t2",
           "branch t2 <s $t2 -> 0x80400018");
}

static void links(void **state)
{
    struct fixture *f = *state;
    CODE(JALR(RA, T0), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "$ra = mov 0x80400008", "indirect $t0 call");
    CODE(JALR(T0, T0), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "t0 = mov $t0", "$t0 = mov 0x80400008", "indirect t0");
    CODE(JAL(0x80400100), ADDU(A0, RA, ZERO));
    EXPECT(2, "count 0 loads, 0 stores", "$ra = mov 0x80400008", "$a0 = mov 0x80400008", "goto call -> 0x80400100");
    CODE(LUI(T0, 0x8040), JR(T0), NOP);
    EXPECT(3, "count 0 loads, 0 stores", "$t0 = mov 0x80400000", "goto -> 0x80400000");
}

/* The delay slot of a branch-likely executes only if taken; otherwise its counts are undone. */
static void likely_branches(void **state)
{
    struct fixture *f = *state;
    CODE(LW(T1, 0, A0), BEQL(T0, T1, 5), LW(T0, 4, T0));
    EXPECT(3, "count 2 loads, 0 stores", "$t1 = load u32 $a0", "annul $t0 != $t1 -> 0x8040000c",
           "$t0 = load u32 $t0 +4", "goto -> 0x8040001c");
    assert_int_equal(op_of(build_at(f, 0), IR_ANNUL)->loads, 1);
    CODE(SW(T1, 0, A0), BNEL(T0, ZERO, 5), SW(T0, 4, T0));
    assert_int_equal(op_of(build_at(f, 0), IR_ANNUL)->stores, 1);
    CODE(BNEL(ZERO, ZERO, 5), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "annul 0x0 == 0x0 -> 0x80400008", "goto -> 0x80400018");
    CODE(BEQL(ZERO, ZERO, 5), NOP);
    EXPECT(2, "count 0 loads, 0 stores", "goto -> 0x80400018");
}

/* UNPREDICTABLE by the manual: left to the interpreter. */
static void odd_delay_slots_are_not_translated(void **state)
{
    struct fixture *f = *state;
    CODE(NOP, BEQ(T0, T1, 5), JR(RA), NOP);
    EXPECT(1, "count 0 loads, 0 stores", "step -> 0x80400004");
    CODE(J(0x80400100), ERET);
    EXPECT(0, "count 0 loads, 0 stores", "step -> 0x80400000");
}

static void traps(void **state)
{
    struct fixture *f = *state;
    CODE(TEQ(T0, T1), TEQ(ZERO, ZERO), ADDU(T0, T0, T0));
    EXPECT(2, "count 0 loads, 0 stores", "trap_if $t0 == $t1 -> 0xd", "exception -> 0xd");
    CODE(LUI(T0, 1), TEQ(T0, ZERO), SYSCALL);
    EXPECT(3, "count 0 loads, 0 stores", "$t0 = mov 0x10000", "exception -> 0x8");
    CODE(BEQ(T0, T1, 5), TEQ(ZERO, ZERO));
    EXPECT(2, "count 0 loads, 0 stores", "exception -> 0xd");
    assert_true(build_at(f, 0)->ends_in_branch); /* so that the exception is one in a delay slot */
    CODE(ERET, NOP);
    EXPECT(1, "count 0 loads, 0 stores", "eret");
}

/* Memory */

/* An access to a word implies an aligned base; sums with multiples of 4 remain aligned. */
static void alignment_is_remembered(void **state)
{
    struct fixture *f = *state;
    CODE(LW(T0, 4, A0), LW(T1, 8, A0), SW(T1, 2, A0), LHU(T2, 6, A0), LB(T3, 1, A0), ADDIU(A0, A0, 16), LW(T4, 0, A0),
         ADDIU(A0, A0, 2), LW(T4, 0, A0), JR(RA), NOP);
    EXPECT(11, "count 6 loads, 1 stores", "$t0 = load u32 $a0 +4", "$t1 = load u32 $a0 +8 aligned",
           "store u32 $a0 $t1 +2", "$t2 = load u16 $a0 +6", "$t3 = load s8 $a0 +1", "$a0 = add $a0 0x10",
           "$t4 = load u32 $a0 aligned", "$a0 = add $a0 0x2", "$t4 = load u32 $a0", "indirect $ra return");
    CODE(LW(A0, 0, A0), LW(A1, 0, A0), JR(RA), NOP);
    EXPECT(4, "count 2 loads, 0 stores", "$a0 = load u32 $a0", "$a1 = load u32 $a0", "indirect $ra return");
    CODE(LW(T0, 2, A0), LW(T1, 0, A0), JR(RA), NOP);
    EXPECT(4, "count 2 loads, 0 stores", "$t0 = load u32 $a0 +2", "$t1 = load u32 $a0", "indirect $ra return");
    CODE(LHU(T0, 0, A0), LW(T1, 0, A0), JR(RA), NOP);
    EXPECT(4, "count 2 loads, 0 stores", "$t0 = load u16 $a0", "$t1 = load u32 $a0", "indirect $ra return");
}

static void constant_addresses(void **state)
{
    struct fixture *f = *state;
    CODE(LUI(T0, 0x8041), LW(T1, 0x24, T0), SW(ZERO, 0x25, T0), JR(RA), NOP);
    EXPECT(5, "count 1 loads, 1 stores", "$t0 = mov 0x80410000", "$t1 = load u32 0x80410024 aligned",
           "store u32 0x80410025 0x0", "indirect $ra return");
}

static void unaligned_and_linked(void **state)
{
    struct fixture *f = *state;
    CODE(LWL(T0, 3, A0), SWR(T0, 0, A0), JR(RA), NOP);
    EXPECT(4, "count 1 loads, 1 stores", "t0 = add $a0 0x3", "t1 = and t0 0x3", "t2 = shl t1 0x3",
           "t3 = load_unaligned t0", "t4 = shr 0xffffff t2", "t5 = and $t0 t4", "t6 = sub 0x18 t2", "t7 = shl t3 t6",
           "$t0 = or t7 t5", "t9 = and $a0 0x3", "t10 = shl t9 0x3", "t11 = shl 0xffffffff t10", "t12 = shl $t0 t10",
           "store_merged $a0 t12 t11", "indirect $ra return");
    CODE(LL(T0, 0, A0), SC(T0, 4, A0), JR(RA), NOP);
    EXPECT(4, "count 1 loads, 1 stores", "$t0 = load_linked $a0", "$t0 = store_conditional $a0 $t0 +4",
           "indirect $ra return");
}

/* Loads and stores are counted at the start; each operation knows how many follow its instruction, for an exit
 * there. */
static void accesses_are_counted(void **state)
{
    struct fixture *f = *state;
    CODE(LW(T0, 0, A0), ADDU(T5, T0, T0), SW(T0, 0, A0), LW(T1, 0, A0), SB(T1, 0, A0), BEQ(T0, T1, 5), LW(T2, 0, A1));
    struct ir_block *block = build_at(f, 0);
    static const struct {
        enum ir_opcode opcode;
        unsigned loads, stores;
    } expected[] = {{IR_COUNT, 3, 2}, {IR_LOAD, 2, 2},  {IR_ADD, 2, 2},  {IR_STORE, 2, 1},
                    {IR_LOAD, 1, 1},  {IR_STORE, 1, 0}, {IR_LOAD, 0, 0}, {IR_BRANCH, 0, 0}};
    assert_int_equal(block->count, sizeof expected / sizeof expected[0]);
    for (unsigned i = 0; i < block->count; i++) {
        assert_int_equal(block->ops[i].opcode, expected[i].opcode);
        assert_int_equal(block->ops[i].loads, expected[i].loads);
        assert_int_equal(block->ops[i].stores, expected[i].stores);
    }
}

/* Coprocessors */

static void coprocessor_0(void **state)
{
    struct fixture *f = *state;
    /* EPC, PRId, Count, Status, HWREna: plain, read-only, with side effects (twice), partly writable */
    CODE(MFC0(T0, 14), MTC0(T0, 14), MTC0(T0, 15), MFC0(T0, 9), MTC0(T0, 12), MTC0(T0, 7), JR(RA), NOP);
    EXPECT(8, "count 0 loads, 0 stores", "$t0 = mov EPC", "EPC = mov $t0", "call", "call", "t0 = and HWREna 0xdffffff0",
           "t1 = and $t0 0x2000000f", "HWREna = or t1 t0", "indirect $ra return");
    f->context.user = true; /* each may raise an exception */
    CODE(MFC0(T0, 14), MTC0(T0, 14), JR(RA), NOP);
    EXPECT(4, "count 0 loads, 0 stores", "call", "call", "indirect $ra return");
}

/* Coprocessor usability is checked once per block, and not in a delay slot, where no other engine could take over. */
static void the_fpu_is_checked_once(void **state)
{
    struct fixture *f = *state;
    CODE(LDC1(2, 8, A0), SDC1(2, 16, A0), ADD_D(4, 2, 0), LWC1(1, 0, A0), JR(RA), NOP);
    EXPECT(6, "count 2 loads, 1 stores", "need_fpu", "t1 = load64 $a0 +8", "$f2 = low t1", "$f3 = high t1",
           "t4 = join64 $f3 $f2", "store64 $a0 t4 +16 aligned", "fp ADD.D", "$f1 = load u32 $a0 aligned",
           "indirect $ra return");
    CODE(BEQ(T0, T1, 5), ADD_D(4, 2, 0));
    EXPECT(2, "count 0 loads, 0 stores", "need_fpu", "fp ADD.D", "branch $t0 == $t1 -> 0x80400018");
    assert_int_equal(op_of(build_at(f, 0), IR_NEED_FPU)->index, 0);
    CODE(LWC1(1, 0, A0), MTC0(T0, 12), LWC1(1, 0, A0), JR(RA), NOP);
    EXPECT(5, "count 2 loads, 0 stores", "need_fpu", "$f1 = load u32 $a0", "call", "need_fpu",
           "$f1 = load u32 $a0 aligned", "indirect $ra return");
    f->context.fr = true;
    CODE(LDC1(2, 8, A0), SDC1(3, 16, A0), JR(RA), NOP);
    EXPECT(4, "count 1 loads, 1 stores", "need_fpu", "$f2 = load64 $a0 +8", "store64 $a0 $f3 +16 aligned",
           "indirect $ra return");
}

/* Ends */

static void a_segment_ends_with_its_page(void **state)
{
    struct fixture *f = *state;
    CODE(NOP);
    f->words[WORDS - 2] = ADDIU(T0, T0, 1);
    f->words[WORDS - 1] = ADDIU(T0, T0, 2);
    assert_int_equal(build_at(f, WORDS - 2)->insns, 2);
    assert_string_equal(f->text, "count 0 loads, 0 stores\n$t0 = add $t0 0x1\n$t0 = add $t0 0x2\ngoto -> 0x80401000\n");
    f->words[WORDS - 1] = BEQ(T0, T1, 4); /* its delay slot is in another page */
    assert_int_equal(build_at(f, WORDS - 2)->insns, 1);
    assert_string_equal(f->text, "count 0 loads, 0 stores\n$t0 = add $t0 0x1\nstep -> 0x80400ffc\n");
    assert_int_equal(build_at(f, WORDS - 1)->insns, 0);
    assert_string_equal(f->text, "count 0 loads, 0 stores\nstep -> 0x80400ffc\n");
}

static bool never_stop(void *opaque, struct core *core)
{
    (void)opaque;
    (void)core;
    return false;
}

static void a_segment_ends_before_hooks(void **state)
{
    struct fixture *f = *state;
    CODE(ADDIU(T0, T0, 1), ADDIU(T0, T0, 2), BEQ(T0, T1, 4), NOP);
    core_hook_add(f->core, 0x80400004, never_stop, NULL);
    EXPECT(1, "count 0 loads, 0 stores", "$t0 = add $t0 0x1", "step -> 0x80400004");
    assert_int_equal(build_at(f, 1)->insns, 0);
    core_hook_remove(f->core, 0x80400004, never_stop, NULL);
    core_hook_add(f->core, 0x8040000c, never_stop, NULL); /* in the delay slot */
    EXPECT(2, "count 0 loads, 0 stores", "$t0 = add $t0 0x1", "$t0 = add $t0 0x2", "step -> 0x80400008");
    core_hook_remove(f->core, 0x8040000c, never_stop, NULL);
    EXPECT(4, "count 0 loads, 0 stores", "$t0 = add $t0 0x1", "$t0 = add $t0 0x2", "branch $t0 == $t1 -> 0x8040001c");
}

static void a_segment_ends_where_code_is(void **state)
{
    struct fixture *f = *state;
    CODE(ADDIU(T0, T0, 1), ADDIU(T0, T0, 2), ADDIU(T0, T0, 3), JR(RA), NOP);
    f->code = 0x80400008;
    EXPECT(2, "count 0 loads, 0 stores", "$t0 = add $t0 0x1", "$t0 = add $t0 0x2", "goto -> 0x80400008");
    f->code = 0x80400000; /* known code at the start of the block does not end it */
    EXPECT(5, "count 0 loads, 0 stores", "$t0 = add $t0 0x1", "$t0 = add $t0 0x2", "$t0 = add $t0 0x3",
           "indirect $ra return");
    f->code = 0x80400010; /* nor does known code in a delay slot */
    EXPECT(5, "count 0 loads, 0 stores", "$t0 = add $t0 0x1", "$t0 = add $t0 0x2", "$t0 = add $t0 0x3",
           "indirect $ra return");
}

static void a_segment_is_not_too_long(void **state)
{
    struct fixture *f = *state;
    CODE(NOP);
    assert_int_equal(build_at(f, 0)->insns, 48);
    f->context.max_insns = 5;
    assert_int_equal(build_at(f, 0)->insns, 5);
    assert_string_equal(f->text, "count 0 loads, 0 stores\ngoto -> 0x80400014\n");
}

/* With an instruction cache, the first instruction and the first one of each line look the line up; control continues
 * in another block without a jump only where that lookup occurs anyway. */
static void lines_are_fetched(void **state)
{
    struct fixture *f = *state;
    f->context.line_mask = ~(uint32_t)15;
    CODE(NOP, NOP, NOP, NOP, ADDU(T0, T1, T2), NOP, BEQ(T0, T1, 4), NOP);
    EXPECT(8, "count 0 loads, 0 stores", "fetch_line", "fetch_line", "$t0 = add $t1 $t2",
           "branch $t0 == $t1 -> 0x8040002c");
    assert_int_equal(build_at(f, 2)->insns, 6);
    assert_string_equal(
        f->text,
        "count 0 loads, 0 stores\nfetch_line\nfetch_line\n$t0 = add $t1 $t2\nbranch $t0 == $t1 -> 0x8040002c\n");
    CODE(NOP);
    f->context.max_insns = 5;
    assert_int_equal(build_at(f, 0)->insns, 8);
    assert_int_equal(build_at(f, 3)->insns, 5);
    f->code = 0x80400004;
    assert_int_equal(build_at(f, 0)->insns, 8);
    f->code = 0x80400010;
    assert_int_equal(build_at(f, 0)->insns, 4);
}

/* A delay slot at the start of a line, after a branch-likely: fetched only if executed. */
static void annulled_lines_are_not_fetched(void **state)
{
    struct fixture *f = *state;
    f->context.line_mask = ~(uint32_t)15;
    CODE(NOP, NOP, NOP, BEQL(T0, T1, 4), ADDU(T0, T1, T2));
    EXPECT(5, "count 0 loads, 0 stores", "fetch_line", "annul $t0 != $t1 -> 0x80400014", "fetch_line",
           "$t0 = add $t1 $t2", "goto -> 0x80400020");
}

static void a_superblock_is_full_sometime(void **state)
{
    struct fixture *f = *state;
    CODE(NOP);
    f->superblock.count = 0;
    f->context.max_insns = 1;
    for (unsigned i = 0; i < IR_MAX_BLOCKS; i++)
        assert_non_null(build_block(&f->superblock, &f->context, f->context.page + i * 4));
    assert_null(build_block(&f->superblock, &f->context, f->context.page + IR_MAX_BLOCKS * 4));
    /* instructions with many operations each: the block ends before its memory is full */
    for (unsigned i = 0; i < WORDS; i++)
        f->words[i] = LWL(T0 + i % 8, 3, A0);
    f->superblock.count = 0;
    f->context.max_insns = 48;
    unsigned count = 0;
    while (count < IR_MAX_BLOCKS && build_block(&f->superblock, &f->context, f->context.page) != NULL)
        count++;
    const struct ir_block *last = &f->superblock.blocks[count - 1];
    assert_true(count > 4 && count < IR_MAX_BLOCKS);
    assert_true(last->ops + last->count <= f->superblock.ops + IR_MAX_OPS);
    assert_true(last->temps <= IR_MAX_TEMPS);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(constants_are_folded),
        TEST(constants_are_written_once),
        TEST(constants_are_forgotten_when_overwritten),
        TEST(nothing_is_known_at_the_beginning),
        TEST(neutral_operations_vanish),
        TEST(arithmetic),
        TEST(overflow_comes_before_the_result),
        TEST(a_comparison_is_part_of_its_branch),
        TEST(delay_slots_do_not_change_the_decision),
        TEST(branches_compare_for_themselves),
        TEST(links),
        TEST(likely_branches),
        TEST(odd_delay_slots_are_not_translated),
        TEST(traps),
        TEST(alignment_is_remembered),
        TEST(constant_addresses),
        TEST(unaligned_and_linked),
        TEST(accesses_are_counted),
        TEST(coprocessor_0),
        TEST(the_fpu_is_checked_once),
        TEST(a_segment_ends_with_its_page),
        TEST(a_segment_ends_before_hooks),
        TEST(a_segment_ends_where_code_is),
        TEST(a_segment_is_not_too_long),
        TEST(lines_are_fetched),
        TEST(annulled_lines_are_not_fetched),
        TEST(a_superblock_is_full_sometime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
