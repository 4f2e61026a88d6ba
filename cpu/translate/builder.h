/*
 * What the files that build the intermediate form share: the segment under construction, and values that fold as they
 * are combined. Private to cpu/translate/build*.c.
 */
#ifndef SIMOS_CPU_TRANSLATE_BUILDER_H
#define SIMOS_CPU_TRANSLATE_BUILDER_H

#include "cpu/translate/build.h"

enum {
    STATE_HI = offsetof(struct cpu, hi) / 4,
    STATE_LO = offsetof(struct cpu, lo) / 4,
    STATE_FPR = offsetof(struct cpu, fpr) / 4,
    STATE_FCR31 = offsetof(struct cpu, fcr31) / 4,
    STATE_CP0 = offsetof(struct cpu, cp0) / 4,
    REGISTERS = STATE_LO + 1, /* what constants are remembered of */
};
_Static_assert(offsetof(struct cpu, gpr) == 0 && (int)STATE_HI == (int)GPR_COUNT && (int)STATE_LO == (int)GPR_COUNT + 1,
               "registers are the first words of the state");

typedef struct ir_value value;

/* A comparison whose result is in a register, and whose operands still are what was compared. */
struct comparison {
    bool valid;
    enum ir_condition condition;
    value a, b;
};

struct builder {
    const struct build_context *context;
    struct ir_segment *segment;
    const struct insn *insn;
    enum isa_id id;
    unsigned index; /* of the instruction in the segment */
    vaddr pc;

    struct comparison compared[REGISTERS]; /* that the register holds the result of */
    value known[REGISTERS];                /* IR_CONST: what the register holds */
    bool aligned[REGISTERS];               /* the register is a multiple of 4 */
    bool fpu_checked;

    /* What the branch at hand does after its delay slot. */
    enum { BRANCH_NONE, BRANCH_CONDITIONAL, BRANCH_TO, BRANCH_INDIRECT, BRANCH_ERET, BRANCH_EXCEPTION } branch;
    enum ir_condition condition;
    value x, y; /* compared; x: where an indirect jump goes */
    vaddr target;
    bool likely;
};

/* build_values.c */
/* The operation added last. */
struct ir_op *build_last_op(struct builder *b);
/* Add one, belonging to the instruction at hand. */
struct ir_op *build_add_op(struct builder *b, enum ir_opcode opcode);
/* Add one with a result, a new temporary. */
value build_op2(struct builder *b, enum ir_opcode opcode, value x, value y);
value build_op1(struct builder *b, enum ir_opcode opcode, value x);
/* Is V the result of the last operation, which is an OPCODE? */
bool build_is_last(struct builder *b, value v, enum ir_opcode opcode);
/* Take the last one out of the list. */
struct ir_op build_take_last(struct builder *b);
/* What X op Y is: a constant, one of them, or an operation. The next ones likewise. */
value build_arithmetic(struct builder *b, enum ir_opcode opcode, value x, value y);
value build_invert(struct builder *b, value x);
value build_extend(struct builder *b, enum ir_opcode opcode, value x);
value build_leading_zeros(struct builder *b, value x);
value build_compare(struct builder *b, enum ir_condition condition, value x, value y);
/* The comparison behind V, taken out of the list if it is the last operation. */
void build_condition_of(struct builder *b, value v, enum ir_condition *condition, value *x, value *y);
/* C is looked at first, so it must be the operation before the two values. */
value build_select_value(struct builder *b, value c, value if_true, value if_false);
/* The low word of a temporary of 64 bits. */
value build_low(struct builder *b, value p);
/* What a register (general, HI or LO) holds. */
value build_read_register(struct builder *b, unsigned number);
/* Make a word of state what V is; of registers it is remembered. */
void build_write_state(struct builder *b, unsigned number, value v);
/* Nothing is known of the register any more. */
void build_forget_register(struct builder *b, unsigned number);
/* The FPU must be on, and in the mode of the context. */
void build_need_fpu(struct builder *b);
/* The word of state that is HALF (1: high) of FPR NUMBER. */
unsigned build_fpr_word(unsigned number, unsigned half);
value build_read_double(struct builder *b, unsigned number);
void build_write_double(struct builder *b, unsigned number, value v);
/* Not 0 if FP condition code CC is set. */
value build_condition_code(struct builder *b, unsigned cc);
/* Memory: the address may be a sum just computed, which the access then does itself. */
value build_load(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address);
void build_store(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address, value v);
void build_store_merged(struct builder *b, value address, value v, value mask);
value build_unaligned(struct builder *b, value address);
value build_store_conditional(struct builder *b, value address, value v);

/* build_rows.c: the instruction at hand, as isa.def says. */
void build_instruction(struct builder *b);

#endif
