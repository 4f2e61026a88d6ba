/*
 * Sources and results of an instruction, from its isa.def row, and access to floating-point registers by the names that
 * these have. Sources and results are in the order of the operand bits, on which
 * execute.c's READ_ macros rely; address registers precede store data.
 */
#include "cpu/mxs/mxs.h"
#include "cpu/privileged/semantics.h"
#include <stddef.h>

/* Floating-point operands that are 64 bits wide. INSN_DOUBLE is the format of the operation; conversions have different
 * source and destination formats. */
enum { WIDE_FS = 1, WIDE_FT = 2, WIDE_FD = 4, WIDE_ALL = 7 };

static unsigned wide_operands(enum isa_id id)
{
    switch (id) {
    case ISA_CVT_D_S:
    case ISA_CVT_D_W:
    case ISA_ROUND_L_S:
    case ISA_TRUNC_L_S:
    case ISA_CEIL_L_S:
    case ISA_FLOOR_L_S:
    case ISA_CVT_L_S: return WIDE_FD;
    case ISA_CVT_S_D:
    case ISA_CVT_S_L:
    case ISA_ROUND_W_D:
    case ISA_TRUNC_W_D:
    case ISA_CEIL_W_D:
    case ISA_FLOOR_W_D:
    case ISA_CVT_W_D: return WIDE_FS;
    default: return isa_table[id].flags & INSN_DOUBLE ? WIDE_ALL : 0;
    }
}

static void add_source(struct mxs_op *op, unsigned name)
{
    op->source[op->sources++] = (uint8_t)name;
}

static void add_result(struct mxs_op *op, unsigned name)
{
    if (name != GPR_SINK)
        op->result[op->results++] = (uint8_t)name;
}

static void add_source_register(struct mxs_op *op, unsigned number, bool wide)
{
    if (wide)
        op->wide_sources |= (uint8_t)(1u << op->sources);
    add_source(op, NAME_FPR_LOW + (number & 31u));
    if (wide)
        add_source(op, NAME_FPR_HIGH + (number & 31u));
}

static void add_result_register(struct mxs_op *op, unsigned number, bool wide)
{
    if (wide)
        op->wide_results |= (uint8_t)(1u << op->results);
    add_result(op, NAME_FPR_LOW + (number & 31u));
    if (wide)
        add_result(op, NAME_FPR_HIGH + (number & 31u));
}

/* A register that is read. GPR_SINK replaces a $zero that is both read and written. */
static unsigned read_register(unsigned number)
{
    return number == GPR_SINK ? 0 : number;
}

/* The condition code that the instruction selects. */
static unsigned condition_code(const struct mxs_op *op)
{
    const struct insn *insn = &op->insn;
    switch (isa_table[op->id].imm) {
    case IMM_CC_BRANCH: return insn->rt >> 2 & 7u;
    case IMM_COMPARE: return (unsigned)insn->imm >> 4 & 7;
    default: return (unsigned)insn->imm & 7;
    }
}

static void add_sources(struct mxs_op *op, unsigned uses, unsigned wide)
{
    const struct insn *insn = &op->insn;
    if (uses & OPERAND_S)
        add_source(op, read_register(insn->rs));
    if (uses & OPERAND_T)
        add_source(op, read_register(insn->rt));
    if (uses & OPERAND_D)
        add_source(op, read_register(insn->rd));
    if (uses & OPERAND_HI)
        add_source(op, NAME_HI);
    if (uses & OPERAND_LO)
        add_source(op, NAME_LO);
    if (uses & OPERAND_FS)
        add_source_register(op, insn->rd, wide & WIDE_FS);
    if (uses & OPERAND_FT)
        add_source_register(op, insn->rt, wide & WIDE_FT);
    if (uses & OPERAND_FR)
        add_source_register(op, insn->rs, wide & WIDE_FS);
    if (uses & OPERAND_FD)
        add_source_register(op, insn->sa, wide & WIDE_FD);
    if (uses & OPERAND_FCC)
        add_source(op, NAME_FCC + condition_code(op));
}

static void add_results(struct mxs_op *op, unsigned defines, unsigned wide)
{
    const struct insn *insn = &op->insn;
    if (defines & OPERAND_T)
        add_result(op, insn->rt);
    if (defines & OPERAND_D)
        add_result(op, insn->rd);
    if (defines & OPERAND_31)
        add_result(op, 31);
    if (defines & OPERAND_HI)
        add_result(op, NAME_HI);
    if (defines & OPERAND_LO)
        add_result(op, NAME_LO);
    if (defines & OPERAND_FS)
        add_result_register(op, insn->rd, wide & WIDE_FS);
    if (defines & OPERAND_FT)
        add_result_register(op, insn->rt, wide & WIDE_FT);
    if (defines & OPERAND_FD)
        add_result_register(op, insn->sa, wide & WIDE_FD);
    if (defines & OPERAND_FCC)
        add_result(op, NAME_FCC + condition_code(op));
}

/* mfhc1 and mthc1 access only the high word. */
static void high_word(struct mxs_op *op)
{
    const unsigned high = NAME_FPR_HIGH + (op->insn.rd & 31u);
    if (op->id == ISA_MFHC1) {
        add_source(op, high);
        add_result(op, op->insn.rt);
    } else {
        add_source(op, read_register(op->insn.rt));
        add_result(op, high);
    }
}

static uint16_t flags_of_name(unsigned name)
{
    if (name < NAME_FPR_LOW)
        return 0;
    return name >= NAME_FPR_HIGH && name < NAME_FCC ? OP_GENERAL_OPERANDS | OP_DOUBLE : OP_GENERAL_OPERANDS;
}

void mxs_op_operands(struct mxs_op *op)
{
    const struct isa_row *row = &isa_table[op->id];
    const unsigned wide = wide_operands((enum isa_id)op->id);
    op->sources = op->results = op->wide_sources = op->wide_results = 0;
    if (op->id == ISA_MFHC1 || op->id == ISA_MTHC1) {
        high_word(op);
    } else {
        if (!(op->flags & OP_SERIALISING))
            add_sources(op, row->uses, wide);
        add_results(op, row->defines, wide);
    }
    op->addressing = op->sources;
    if (op->flags & OP_STORE)
        op->addressing =
            (uint8_t)((row->uses & OPERAND_S ? 1 : 0) + (row->flags & INSN_FPU && row->uses & OPERAND_T ? 1 : 0));
    if (row->defines & OPERAND_FCSR)
        op->flags |= OP_FCSR;
    if (op->sources > 2 || op->results > 1)
        op->flags |= OP_GENERAL_OPERANDS;
    for (unsigned i = 0; i < op->sources; i++)
        op->flags |= flags_of_name(op->source[i]);
    for (unsigned i = 0; i < op->results; i++)
        op->flags |= flags_of_name(op->result[i]);
}

/* Architectural floating-point registers and condition codes, by name. */

_Static_assert(offsetof(struct cpu, hi) == NAME_HI * 4 && offsetof(struct cpu, lo) == NAME_LO * 4 &&
                   offsetof(struct cpu, gpr) == 0,
               "names of integer registers count words");

uint32_t mxs_fpu_register_read(const struct mxs *m, unsigned name)
{
    const struct cpu *s = &m->core->s;
    if (name < NAME_FCC)
        return s->fpr[(name - NAME_FPR_LOW) & 31][name >= NAME_FPR_HIGH];
    return fpu_condition(s, name - NAME_FCC);
}

void mxs_fpu_register_write(struct mxs *m, unsigned name, uint32_t value)
{
    struct cpu *s = &m->core->s;
    if (name < NAME_FCC) {
        s->fpr[(name - NAME_FPR_LOW) & 31][name >= NAME_FPR_HIGH] = value;
    } else {
        const uint32_t bit = UINT32_C(1) << (name == NAME_FCC ? 23 : name - NAME_FCC + 24);
        s->fcr31 = value ? s->fcr31 | bit : s->fcr31 & ~bit;
    }
}
