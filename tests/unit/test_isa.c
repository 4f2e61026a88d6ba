/* The instruction set description: encodings, decoder, disassembler. */
#include "cpu/isa/isa.h"

#include "cpu/cpu.h"
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

static int setup(void **state)
{
    *state = isa_decoder_create(LEVEL_32R2);
    return 0;
}

static int teardown(void **state)
{
    isa_decoder_free(*state);
    return 0;
}

/* The instruction sets of the architectures. */
static const enum isa_level levels[] = {LEVEL_1, LEVEL_32R2};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static void test_match_lies_within_mask(void **state)
{
    (void)state;
    for (unsigned id = 0; id < ISA_COUNT; id++)
        if (isa_table[id].match & ~isa_table[id].mask)
            fail_msg("%s: match %08x has bits outside mask %08x", isa_table[id].mnemonic, isa_table[id].match,
                     isa_table[id].mask);
}

static void test_no_two_encodings_overlap(void **state)
{
    (void)state;
    for (unsigned a = 0; a < ISA_RESERVED; a++)
        for (unsigned b = a + 1; b < ISA_RESERVED; b++) {
            const struct isa_row *x = &isa_table[a], *y = &isa_table[b];
            if (((x->match ^ y->match) & x->mask & y->mask) != 0)
                continue;
            for (unsigned level = LEVEL_1; level < LEVEL_1_ONLY; level++)
                if (isa_has(x, level) && isa_has(y, level) && b != ISA_COP1)
                    fail_msg("%s and %s: word %08x is both", x->mnemonic, y->mnemonic, x->match | y->match);
        }
    assert_int_equal(isa_table[ISA_RESERVED].mask, 0);
    assert_int_equal(ISA_RESERVED, ISA_COUNT - 1);
}

static void test_every_row_is_decoded_as_itself(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned level = 0; level < LEVELS; level++) {
        struct isa_decoder *decoder = isa_decoder_create(levels[level]);
        for (unsigned id = 0; id < ISA_RESERVED; id++) {
            const struct isa_row *row = &isa_table[id];
            if (!isa_has(row, levels[level]) || id == ISA_COP1) /* it is what is left of coprocessor 1 */
                continue;
            const uint32_t operands = ~isa_mask(row, levels[level]);
            assert_int_equal(isa_identify(decoder, row->match), id);
            assert_int_equal(isa_identify(decoder, row->match | operands), id);
            for (unsigned i = 0; i < 1000; i++)
                assert_int_equal(isa_identify(decoder, row->match | (next_random(&random) & operands)), id);
        }
        isa_decoder_free(decoder);
    }
}

/* The decoder's index against a linear search, on words of every major opcode and function. */
static void test_decoder_agrees_with_the_table(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (unsigned level = 0; level < LEVELS; level++) {
        struct isa_decoder *decoder = isa_decoder_create(levels[level]);
        for (unsigned i = 0; i < 1000000; i++) {
            uint32_t word = next_random(&random);
            if (i & 1) /* most of the encoding space with few operand bits */
                word &= 0xfc00003f | next_random(&random);
            unsigned id = 0;
            while ((word & isa_mask(&isa_table[id], levels[level])) != isa_table[id].match ||
                   !isa_has(&isa_table[id], levels[level]))
                id++;
            if (isa_identify(decoder, word) != id)
                fail_msg("%08x is %s, not %s", word, isa_table[id].mnemonic,
                         isa_table[isa_identify(decoder, word)].mnemonic);
        }
        isa_decoder_free(decoder);
    }
}

/* What MIPS I does not have, and what it alone has. */
static void test_levels(void **state)
{
    static const struct {
        uint32_t word;
        enum isa_id mips1, mips32r2;
    } rows[] = {
        {0x42000010, ISA_RFE, ISA_RESERVED},      {0x42000018, ISA_RESERVED, ISA_ERET},
        {0xc0a40000, ISA_RESERVED, ISA_LL},       {0xe0a40000, ISA_RESERVED, ISA_SC},
        {0x50850003, ISA_RESERVED, ISA_BEQL},     {0x00850034, ISA_RESERVED, ISA_TEQ},
        {0xd4a40000, ISA_RESERVED, ISA_LDC1},     {0xf4a40000, ISA_RESERVED, ISA_SDC1},
        {0x46000015, ISA_COP1, ISA_FRECIP_S},     {0x44640000, ISA_RESERVED, ISA_MFHC1},
        {0x46200004, ISA_COP1, ISA_FSQRT_D},      {0x42000020, ISA_RESERVED, ISA_WAIT},
        {0x41606000, ISA_RESERVED, ISA_DI},       {0x0085100b, ISA_RESERVED, ISA_MOVN},
        {0x70851002, ISA_RESERVED, ISA_MUL},      {0xcca40000, ISA_LWC3, ISA_PREF},
        {0x4ca40000, ISA_COP3, ISA_LWXC1},        {0x0085001a, ISA_DIV_1, ISA_DIV},
        {0x4100ffff, ISA_BC0F, ISA_RESERVED},     {0x46200024, ISA_CVT_W_D, ISA_CVT_W_D},
        {0x42000006, ISA_TLBWR, ISA_TLBWR},       {0x8ca40000, ISA_LW, ISA_LW},
        {0x45010003, ISA_BC1T, ISA_BC1T},         {0x45050003, ISA_RESERVED, ISA_BC1T},
        {0x46200032, ISA_C_COND_D, ISA_C_COND_D}, {0x46200132, ISA_COP1, ISA_C_COND_D},
    };
    struct isa_decoder *mips1 = isa_decoder_create(LEVEL_1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(isa_identify(mips1, rows[i].word), rows[i].mips1);
        assert_int_equal(isa_identify(*state, rows[i].word), rows[i].mips32r2);
    }
    isa_decoder_free(mips1);
}

/* Which instruction must not have the result of a load yet? */
static void test_load_delay(void **state)
{
    static const struct {
        uint32_t load, next;
        unsigned result;
    } pairs[] = {
        {0x8ca40000, 0x00841021, 4},               /* lw $4; addu $2, $4, $4 */
        {0x8ca40000, 0x24840001, 4},               /* addiu $4, $4, 1 */
        {0x8ca40000, 0x24050001, 0},               /* addiu $5, $0, 1 */
        {0x8ca40000, 0x24040001, 0},               /* addiu $4, $0, 1: that prevails */
        {0x8ca40000, 0x8ca40004, 4},               /* lw $4: cancels the first */
        {0x8ca40000, 0xaca40000, 4},               /* sw $4 */
        {0x88a40003, 0x98a40000, 4},               /* lwl $4; lwr $4 */
        {0x8ca40000, 0x0c840000, 0},               /* jal, whose target has the bits of $4 */
        {0x8ca40000, 0x10800003, 4},               /* beq $4, $0 */
        {0x8ca00000, 0x00000000, 0},               /* lw $0 */
        {0x40047000, 0x00800008, 4},               /* mfc0 $4; jr $4 */
        {0x24840001, 0x24840001, 0},               /* no load */
        {0xc4a20000, 0x46241080, ISA_REG_FPR + 2}, /* lwc1 $f2; add.d $f2, $f2, $f4 */
        {0xc4a30000, 0x46241080, ISA_REG_FPR + 3}, /* lwc1 $f3, half of $f2 */
        {0xc4a30000, 0x46041080, 0},               /* add.s */
        {0x44841800, 0x46241080, ISA_REG_FPR + 3}, /* mtc1 $4, $f3 */
    };
    (void)state;
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_1);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct insn load, next;
        const enum isa_id id = isa_decode(decoder, pairs[i].load, &load);
        const enum isa_id next_id = isa_decode(decoder, pairs[i].next, &next);
        assert_int_equal(isa_notices_delay(id, &load, next_id, &next), pairs[i].result);
    }
    isa_decoder_free(decoder);
}

static void test_unknown_words_are_reserved(void **state)
{
    /* MIPS III, MT, DSP, release 6 */
    static const uint32_t words[] = {0x0109002c, 0x64000000, 0x60000000, 0xdc000000, 0xfc000000, 0x7c00000a,
                                     0x41600bc1, 0x00000005, 0xec000000, 0x74000000, 0x46c00000};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_int_equal(isa_identify(*state, words[i]), ISA_RESERVED);
}

static void test_fields(void **state)
{
    struct insn insn;
    assert_int_equal(isa_decode(*state, 0x27bdffe0, &insn), ISA_ADDIU); /* addiu $sp, $sp, -32 */
    assert_int_equal(insn.rs, 29);
    assert_int_equal(insn.rt, 29);
    assert_int_equal(insn.imm, -32);
    assert_null(insn.run);
    assert_int_equal(isa_decode(*state, 0x3c08ffff, &insn), ISA_LUI);
    assert_int_equal((uint32_t)insn.imm, 0xffff0000);
    assert_int_equal(isa_decode(*state, 0x3508ffff, &insn), ISA_ORI);
    assert_int_equal(insn.imm, 0xffff);
    assert_int_equal(isa_decode(*state, 0x1000ffff, &insn), ISA_BEQ);
    assert_int_equal(insn.imm, -4);
    assert_int_equal(isa_decode(*state, 0x0bffffff, &insn), ISA_J);
    assert_int_equal(insn.imm, 0x0ffffffc);
    assert_int_equal(isa_decode(*state, 0x7d3cf984, &insn), ISA_INS); /* ins $gp, $t1, 6, 26 */
    assert_int_equal(insn.imm, 6 | 31 << 8);
    assert_int_equal(isa_decode(*state, 0x460f7f3f, &insn), ISA_C_COND_S);
    assert_int_equal(insn.imm, 15 | 7 << 4);
    assert_int_equal(isa_decode(*state, 0xe1080000, &insn), ISA_SC); /* sc $t0, ($t0) */
    assert_int_equal(insn.sa, 8);
    assert_int_equal(insn.rt, 8);
    assert_int_equal(isa_decode(*state, 0x401a9004, &insn), ISA_MFC0);
    assert_int_equal(insn.rd, 18);
    assert_int_equal(insn.imm, 4);
}

/* A destination of $zero is discarded; a source of $zero stays $zero. */
static void test_zero_as_destination(void **state)
{
    uint64_t random = 3;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        const struct isa_row *row = &isa_table[id];
        for (unsigned i = 0; i < 100; i++) {
            struct insn insn;
            uint32_t word = row->match | (next_random(&random) & ~row->mask);
            if (i % 3 == 0)
                word &= row->mask | ~(31u << 16);
            if (i % 4 == 0)
                word &= row->mask | ~(31u << 11);
            unsigned rt = (word >> 16) & 31, rd = (word >> 11) & 31;
            if (isa_decode(*state, word, &insn) != id)
                continue;
            assert_int_equal(insn.rt, rt == 0 && (row->defines & OPERAND_T) ? GPR_SINK : rt);
            assert_int_equal(insn.rd, rd == 0 && (row->defines & OPERAND_D) ? GPR_SINK : rd);
            assert_int_equal(insn.rs, (word >> 21) & 31);
            assert_int_equal(insn.sa, id == ISA_SC ? rt : (word >> 6) & 31);
        }
    }
}

static struct isa_control control(struct isa_decoder *decoder, uint32_t word)
{
    struct insn insn;
    const enum isa_id id = isa_decode(decoder, word, &insn);
    return isa_control(id, &insn, 0x80100000);
}

static void test_control(void **state)
{
    assert_int_equal(control(*state, 0x00000000).flow, FLOW_NEXT);
    struct isa_control c = control(*state, 0x1109ffff); /* beq $t0, $t1, . */
    assert_true(c.flow == FLOW_BRANCH && c.conditional && c.direct && !c.links && !c.likely);
    assert_int_equal(c.target, 0x80100000);
    assert_false(control(*state, 0x1000ffff).conditional); /* b . */
    assert_true(control(*state, 0x1400ffff).conditional);  /* bne $zero, $zero: never taken */
    c = control(*state, 0x04110003);                       /* bal */
    assert_true(c.flow == FLOW_BRANCH && !c.conditional && c.links && c.calls);
    c = control(*state, 0x0c040000); /* jal */
    assert_true(c.flow == FLOW_JUMP && c.calls && c.direct && c.target == 0x80100000);
    c = control(*state, 0x03e00008); /* jr $ra */
    assert_true(c.flow == FLOW_INDIRECT && c.returns && !c.direct && !c.links);
    assert_false(control(*state, 0x03200008).returns); /* jr $t9 */
    assert_true(control(*state, 0x0320f809).calls);    /* jalr $t9 */
    c = control(*state, 0x03201009);                   /* jalr $v0, $t9 */
    assert_true(c.links && !c.calls);
    assert_int_equal(control(*state, 0x42000018).flow, FLOW_ERET);
    assert_int_equal(control(*state, 0x0000000c).flow, FLOW_EXCEPTION);
    assert_true(control(*state, 0x5109ffff).likely); /* beql */
}

static void test_registers(void **state)
{
    struct isa_register registers[ISA_REGISTERS_MAX];
    struct insn insn;
    enum isa_id id = isa_decode(*state, 0x4cc52069, &insn); /* msub.d $f1, $f6, $f4, $f5 */
    assert_int_equal(isa_registers(id, &insn, isa_table[id].uses, registers), 3);
    assert_int_equal(registers[0].number, ISA_REG_FPR + 4);
    assert_int_equal(registers[1].number, ISA_REG_FPR + 5);
    assert_int_equal(registers[2].number, ISA_REG_FPR + 6);
    assert_true(registers[0].wide && registers[1].wide && registers[2].wide);
    id = isa_decode(*state, 0x460c173e, &insn); /* c.le.s $fcc7, $f2, $f12 */
    assert_int_equal(isa_registers(id, &insn, isa_table[id].defines, registers), 1);
    assert_int_equal(registers[0].number, ISA_REG_FCC + 7);
    id = isa_decode(*state, 0x01090018, &insn); /* mult */
    assert_true(isa_writes(id, &insn, ISA_REG_HI) && isa_writes(id, &insn, ISA_REG_LO));
    id = isa_decode(*state, 0x00000040, &insn); /* ssnop */
    assert_true(isa_writes(id, &insn, GPR_SINK) && !isa_is_nop(id, &insn));
}

/* Addresses that code names in two halves. */
static void test_addresses(void **state)
{
    static const struct {
        uint32_t word;
        vaddr named; /* 0: nothing */
    } code[] = {
        {0x3c028113, 0},          /* lui $v0, 0x8113 */
        {0x00431021, 0},          /* addu $v0, $v0, $v1 */
        {0xac482374, 0x81132374}, /* sw $t0, 9076($v0) */
        {0x2444fff0, 0x8112fff0}, /* addiu $a0, $v0, -16 */
        {0x8c840004, 0},          /* lw $a0, 4($a0): of an address that is complete */
        {0x8c420008, 0x81130008}, /* lw $v0, 8($v0) */
        {0x8c42000c, 0},          /* lw $v0, 12($v0): through the pointer */
        {0x28430001, 0},          /* slti $v1, $v0, 1 */
    };
    struct isa_addresses addresses = {{0}};
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        const struct isa_decoded decoded = isa_decode_word(*state, code[i].word);
        vaddr named;
        assert_int_equal(isa_names_address(&addresses, &decoded, &named), code[i].named != 0);
        if (code[i].named)
            assert_int_equal(named, code[i].named);
    }
}

/* The quick test finds every branch and jump, with its target. */
static void test_direct_targets(void **state)
{
    uint64_t random = 5;
    for (unsigned i = 0; i < 500000; i++) {
        const uint32_t word = next_random(&random);
        const struct isa_control c = control(*state, word);
        vaddr target;
        const bool may_be = isa_may_be_direct(*state, word, 0x80100000, &target);
        assert_int_equal(isa_next_direct(*state, (const uint32_t[]){0, word}, 0, 2), may_be ? 1 : 2);
        if (c.direct && (!may_be || target != c.target))
            fail_msg("%08x goes to %08x", word, c.target);
    }
}

static void check_text(struct isa_decoder *decoder, uint32_t word, const char *expected)
{
    char text[64];
    assert_int_equal(isa_disassemble(decoder, word, 0x80100000, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static void test_disassembly(void **state)
{
    check_text(*state, 0x00000000, "nop");
    check_text(*state, 0x00000040, "ssnop");
    check_text(*state, 0x000000c0, "ehb");
    check_text(*state, 0x00000140, "pause");
    check_text(*state, 0x00000100, "sll     $zero, $zero, 4");
    check_text(*state, 0x3c08ffff, "lui     $t0, 0xffff");
    check_text(*state, 0x3dc8ffff, ".word   0x3dc8ffff");
    check_text(*state, 0x27bdffe0, "addiu   $sp, $sp, -32");
    check_text(*state, 0x1109ffff, "beq     $t0, $t1, 0x80100000");
    check_text(*state, 0x0c040000, "jal     0x80100000");
    check_text(*state, 0x8fbf001c, "lw      $ra, 28($sp)");
    check_text(*state, 0x0000000c, "syscall");
    check_text(*state, 0x015cee4d, "break   0x15c, 0x3b9");
    check_text(*state, 0x7d3cf984, "ins     $gp, $t1, 6, 26");
    check_text(*state, 0x03e00408, "jr.hb   $ra");
    check_text(*state, 0x40085000, "mfc0    $t0, $10");
    check_text(*state, 0x40087801, "mfc0    $t0, $15, 1");
    check_text(*state, 0x460c103e, "c.le.s  $f2, $f12");
    check_text(*state, 0x45010001, "bc1t    0x80100008");
    check_text(*state, 0x0109002c, ".word   0x109002c");
}

static void test_disassembly_is_cut_off_safely(void **state)
{
    for (size_t size = 0; size < 24; size++) {
        char text[32];
        memset(text, '#', sizeof text);
        int length = isa_disassemble(*state, 0x27bdffe0, 0, text, size);
        assert_int_equal(length, strlen("addiu   $sp, $sp, -32"));
        assert_int_equal(text[size], '#');
        if (size > 0)
            assert_memory_equal(text, "addiu   $sp, $sp, -32", size - 1 < (size_t)length ? size - 1 : (size_t)length);
    }
    /* No word overflows a line of 80. */
    uint64_t random = 4;
    for (unsigned i = 0; i < 200000; i++)
        assert_in_range(isa_disassemble(*state, next_random(&random), 0xfffffffc, NULL, 0), 3, 79);
}

static void test_register_names(void **state)
{
    (void)state;
    for (int i = 0; i < 32; i++) {
        char name[8];
        assert_int_equal(isa_gpr_number(isa_gpr_name((unsigned)i)), i);
        snprintf(name, sizeof name, "$%d", i);
        assert_int_equal(isa_gpr_number(name), i);
        snprintf(name, sizeof name, "r%d", i);
        assert_int_equal(isa_gpr_number(name), i);
    }
    assert_int_equal(isa_gpr_number("s8"), 30);
    assert_int_equal(isa_gpr_number("$ra"), 31);
    static const char *const wrong[] = {
        "", "$", "32", "-1", "r", "r32", "t10", "sp ", "1x", "$$1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(isa_gpr_number(wrong[i]), -1);
    assert_string_equal(isa_gpr_name(32), "?");
}

/* Classes and flags that engines rely on. */
static void test_flags(void **state)
{
    (void)state;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        const struct isa_row *row = &isa_table[id];
        bool branches = row->imm == IMM_BRANCH || row->imm == IMM_CC_BRANCH;
        assert_true(row->class < CLASSES);
        if (branches)
            assert_int_equal(row->class, CLASS_BRANCH);
        assert_int_equal(row->class == CLASS_BRANCH, row->flow == FLOW_BRANCH);
        assert_int_equal(row->class == CLASS_JUMP, row->flow == FLOW_JUMP || row->flow == FLOW_INDIRECT);
        assert_int_equal(row->flow >= FLOW_BRANCH, !!(row->flags & INSN_DELAY_SLOT));
        /* what acts on more than registers and memory executes alone; a barrier too */
        if (row->flags & (INSN_CONTEXT | INSN_BARRIER) || row->flow == FLOW_EXCEPTION || row->flow == FLOW_WAIT ||
            (row->uses | row->defines) & (OPERAND_LL | OPERAND_CP0))
            assert_true(row->flags & INSN_SERIALISING);
        if (row->flags & INSN_LIKELY)
            assert_true(branches);
        assert_int_equal(!!(row->flags & INSN_LOAD), !!(row->uses & OPERAND_MEM));
        assert_int_equal(!!(row->flags & INSN_STORE), !!(row->defines & OPERAND_MEM));
        if (row->flags & (INSN_LOAD | INSN_STORE))
            assert_true(row->class == CLASS_LOAD || row->class == CLASS_STORE);
        if ((row->uses | row->defines) &
            (OPERAND_FS | OPERAND_FT | OPERAND_FR | OPERAND_FD | OPERAND_FCC | OPERAND_FCSR))
            assert_true(row->flags & INSN_FPU);
        if (row->flags & INSN_FPU)
            assert_true(row->flags & INSN_TRAPS);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_match_lies_within_mask),
        TEST(test_no_two_encodings_overlap),
        TEST(test_every_row_is_decoded_as_itself),
        TEST(test_decoder_agrees_with_the_table),
        TEST(test_levels),
        TEST(test_load_delay),
        TEST(test_unknown_words_are_reserved),
        TEST(test_fields),
        TEST(test_zero_as_destination),
        TEST(test_control),
        TEST(test_registers),
        TEST(test_addresses),
        TEST(test_direct_targets),
        TEST(test_disassembly),
        TEST(test_disassembly_is_cut_off_safely),
        TEST(test_register_names),
        TEST(test_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
