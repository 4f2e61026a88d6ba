/*
 * State shared by the files that build the intermediate form: the basic block under construction, and values with
 * constant folding. Private to cpu/translate/build*.c.
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
    REGISTERS = STATE_LO + 1, /* number of registers whose constant values are tracked */
};
_Static_assert(offsetof(struct cpu, gpr) == 0 && (int)STATE_HI == (int)GPR_COUNT && (int)STATE_LO == (int)GPR_COUNT + 1,
               "registers are the first words of the state");

typedef struct ir_value value;

/* A comparison whose result is in a register and whose operands have not changed since. */
struct comparison {
    bool valid;
    enum ir_condition condition;
    value a, b;
};

struct builder {
    const struct build_context *context;
    struct ir_block *block;
    const struct insn *insn;
    enum isa_id id;
    unsigned index; /* number of the current instruction in the basic block */
    vaddr pc;

    struct comparison compared[REGISTERS]; /* the comparison whose result the register holds */
    value known[REGISTERS];                /* IR_CONST: known constant value of the register */
    bool aligned[REGISTERS];               /* the register is known to be a multiple of 4 */
    bool fpu_checked;
    /* With instruction costs, what the block has done about each resource: instruction `at` waited for it (cost 0), or
     * made it ready `cost` cycles after its issue. */
    struct {
        bool known;
        uint8_t at, cost;
    } resource[RESOURCES];

    /* Action of the current branch after its delay slot. */
    enum {
        BRANCH_NONE,
        BRANCH_CONDITIONAL,
        BRANCH_TO,
        BRANCH_INDIRECT,
        BRANCH_ERET,
        BRANCH_RFE,
        BRANCH_EXCEPTION
    } branch;
    enum ir_condition condition;
    value x, y; /* operands of the comparison; x is also the target of an indirect jump */
    vaddr target;
    bool likely;
};

/* build_values.c */
/* The most recently added operation. */
struct ir_op *build_last_op(struct builder *b);
/* Add an operation that belongs to the current instruction. */
struct ir_op *build_add_op(struct builder *b, enum ir_opcode opcode);
/* Add an operation with operands and a new temporary as its result. */
value build_op2(struct builder *b, enum ir_opcode opcode, value x, value y);
value build_op1(struct builder *b, enum ir_opcode opcode, value x);
/* Is V the result of the last operation, and is that an OPCODE? */
bool build_is_last(struct builder *b, value v, enum ir_opcode opcode);
/* Remove the last operation and return it. */
struct ir_op build_take_last(struct builder *b);
/* The value of X op Y: a folded constant, one of the operands, or the result of a new operation. The following
 * functions likewise. */
value build_arithmetic(struct builder *b, enum ir_opcode opcode, value x, value y);
value build_invert(struct builder *b, value x);
value build_extend(struct builder *b, enum ir_opcode opcode, value x);
value build_leading_zeros(struct builder *b, value x);
value build_compare(struct builder *b, enum ir_condition condition, value x, value y);
/* The comparison that computed V. If it is the last operation it is removed from the list; otherwise the condition is V
 * != 0. */
void build_condition_of(struct builder *b, value v, enum ir_condition *condition, value *x, value *y);
/* C is evaluated first, so its operation must precede those of the two values. */
value build_select_value(struct builder *b, value c, value if_true, value if_false);
/* The low word of the 64-bit temporary P. */
value build_low(struct builder *b, value p);
/* The value of a register (general, HI or LO). */
value build_read_register(struct builder *b, unsigned number);
/* Assign V to a word of the core's state; for a register, record what is known about the value. */
void build_write_state(struct builder *b, unsigned number, value v);
/* The register's value is unknown from here on. */
void build_forget_register(struct builder *b, unsigned number);
/* Require that the FPU is enabled, with the Status.FR of the context. */
void build_need_fpu(struct builder *b);
/* Index of the state word that is half HALF (1: high) of FPR NUMBER. */
unsigned build_fpr_word(unsigned number, unsigned half);
value build_read_double(struct builder *b, unsigned number);
void build_write_double(struct builder *b, unsigned number, value v);
/* Nonzero if FP condition code CC is set. */
value build_condition_code(struct builder *b, unsigned cc);
/* Memory accesses. An addition of a constant that computes ADDRESS becomes the displacement of the access. */
value build_load(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address);
void build_store(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address, value v);
void build_store_merged(struct builder *b, value address, value v, value mask);
value build_unaligned(struct builder *b, value address);
value build_store_conditional(struct builder *b, value address, value v);

/* build_interlock.c: with instruction costs, the interlocks of the current instruction. */
void build_interlocks(struct builder *b);

/* build_rows.c: build the current instruction, as isa.def defines it. */
void build_instruction(struct builder *b);

#endif
