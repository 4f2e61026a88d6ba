/*
 * Sources and results of an instruction, from its isa.def row, and access to floating-point registers by the names that
 * these have. Sources and results are in the order of the operand bits, on which
 * execute.c's READ_ macros rely; address registers precede store data.
 */
#include "cpu/mxs/mxs.h"
#include "cpu/privileged/semantics.h"
#include <stddef.h>

_Static_assert((int)NAME_FPR_LOW == (int)ISA_REG_FPR, "names of low words are the registers' numbers");

/* The names of OPERANDS, in order; bits of *WIDE: the low word of a 64-bit operand, whose high word follows. $zero is
 * not a result. Returns their number. */
static uint8_t find_names(const struct mxs_op *op, unsigned operands, bool results, uint8_t *names, uint8_t *wide)
{
    struct isa_register registers[ISA_REGISTERS_MAX];
    const unsigned found = isa_registers((enum isa_id)op->id, &op->insn, operands, registers);
    unsigned count = 0;
    *wide = 0;
    for (unsigned i = 0; i < found; i++) {
        const unsigned number = registers[i].number;
        if (number == GPR_SINK && results)
            continue;
        if (registers[i].wide)
            *wide |= (uint8_t)(1u << count);
        if (number >= ISA_REG_FCC)
            names[count++] = (uint8_t)(NAME_FCC + number - ISA_REG_FCC);
        else if (!registers[i].high)
            names[count++] = number == GPR_SINK ? 0 : (uint8_t)number;
        if (registers[i].wide || registers[i].high)
            names[count++] = (uint8_t)(NAME_FPR_HIGH + number - ISA_REG_FPR);
    }
    return (uint8_t)count;
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
    const bool alone = op->flags & OP_SERIALISING; /* reads the architectural registers */
    op->sources = find_names(op, alone ? 0 : row->uses, false, op->source, &op->wide_sources);
    op->results = find_names(op, row->defines, true, op->result, &op->wide_results);
    op->addressing = op->sources;
    if (op->flags & OP_STORE)
        op->addressing = row->flags & INSN_INDEXED ? 2 : 1;
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
