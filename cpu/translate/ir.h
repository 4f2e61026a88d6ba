/*
 * The intermediate form: the effect of a piece of guest code as a list of operations on values. build_rows.c generates
 * it from isa.def; a backend (host.h) translates it to machine code.
 *
 * A value is a constant, a word of the core's state (a guest register, read when the operation executes), or a
 * temporary, which is assigned once and is live within one basic block. Temporaries of operations named ...64 have 64
 * bits, all others 32. Where an operation takes or produces 64 bits, a state word stands for itself and the following
 * word.
 *
 * A basic block (struct ir_block) is straight-line guest code, entered only at its beginning, that ends with at most
 * one branch and its delay slot. It executes as a whole unless one of its operations leaves it (exception, stall,
 * annulled delay slot).
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_IR_H
#define SIMOS_CPU_TRANSLATE_IR_H

#include "cpu/architecture.h"
#include "cpu/isa/isa.h"
#include "src/base/types.h"
#include <stdio.h>

enum {
    IR_MAX_BLOCKS = 48,  /* in a superblock */
    IR_MAX_OPS = 16384,  /* in a superblock */
    IR_MAX_TEMPS = 8192, /* in a superblock */
    IR_BLOCK_OPS = 1536, /* maximum in a basic block */
};

enum ir_kind { IR_NONE, IR_CONST, IR_STATE, IR_TEMP };

struct ir_value {
    uint8_t kind;
    /* IR_TEMP: its number; IR_STATE: index of the word in struct cpu (a GPR's index is its register number). */
    uint16_t number;
    uint32_t constant; /* IR_CONST: the value */
};

/* Operations: NAME, text. dst = a op b unless noted otherwise. */
#define IR_OPCODES(X)                                                                                                  \
    X(MOV, "mov") /* dst = a */                                                                                        \
    X(ADD, "add")                                                                                                      \
    X(SUB, "sub")                                                                                                      \
    X(AND, "and")                                                                                                      \
    X(OR, "or")                                                                                                        \
    X(XOR, "xor")                                                                                                      \
    X(NOT, "not")                                                                                                      \
    X(SHL, "shl") /* shift counts are modulo 32 */                                                                     \
    X(SHR, "shr")                                                                                                      \
    X(SAR, "sar")                                                                                                      \
    X(ROTR, "rotr")                                                                                                    \
    X(SEXT8, "sext8")                                                                                                  \
    X(SEXT16, "sext16")                                                                                                \
    X(CLZ, "clz")                                                                                                      \
    X(COMPARE, "compare") /* dst = a `condition` b: 0 or 1 */                                                          \
    X(SELECT, "select")   /* dst = a `condition` b ? c : d */                                                          \
    X(MUL, "mul")                                                                                                      \
    X(MUL_S64, "mul_s64")                                                                                              \
    X(MUL_U64, "mul_u64")                                                                                              \
    X(ADD64, "add64")                                                                                                  \
    X(SUB64, "sub64")                                                                                                  \
    X(JOIN64, "join64") /* dst = a << 32 | b */                                                                        \
    X(HIGH, "high")                                                                                                    \
    X(LOW, "low")                                                                                                      \
    X(SET_STATE64, "set_state64") /* words `target`, `target` + 1 = a; opcodes up to this never leave a block */       \
    X(DIV_S, "div_s")             /* division by zero or overflow: quotient a, remainder 0 */                          \
    X(REM_S, "rem_s")                                                                                                  \
    X(DIV_U, "div_u")                                                                                                  \
    X(REM_U, "rem_u")                                                                                                  \
    X(LOAD, "load") /* dst = `type` at address a + displacement */                                                     \
    X(LOAD64, "load64")                                                                                                \
    X(LOAD_UNALIGNED, "load_unaligned") /* dst = the aligned word that holds address a */                              \
    X(LOAD_LINKED, "load_linked")                                                                                      \
    X(STORE, "store") /* `type` at address a + displacement = b */                                                     \
    X(STORE64, "store64")                                                                                              \
    X(STORE_MERGED, "store_merged") /* bits c of the aligned word that holds address a = b; b is 0 outside c */        \
    X(STORE_CONDITIONAL, "store_conditional")                                                                          \
    X(NEED_FPU, "need_fpu")     /* leave before this instruction if the FPU is off or Status.FR differs */             \
    X(FETCH_LINE, "fetch_line") /* the instruction is the first of an instruction cache line */                        \
    X(AWAIT, "await")           /* wait until resource `target` is ready (cpu/core/interlock.h) */                     \
    X(ISSUE, "issue")           /* resource `target` is ready `displacement` cycles after the issue */                 \
    X(COUNT, "count")           /* `loads` and `stores` of the block, to be counted */                                 \
    X(TRAP_IF, "trap_if")       /* exception `target` if a `condition` b */                                            \
    X(CALL, "call")             /* call the function that isa.def names */                                             \
    X(FP, "fp")                 /* as CALL, for the FPU; `type`: the inline operation (fp.h) */                        \
    X(ANNUL, "annul")           /* go to `target` if a `condition` b, skip the delay slot */                           \
    X(BRANCH, "branch")         /* last: go to `target` if a `condition` b, else to the next block */                  \
    X(GOTO, "goto")             /* last: go to address `target` */                                                     \
    X(INDIRECT, "indirect")     /* last: go to address a */                                                            \
    X(EXCEPTION, "exception")   /* last: raise exception `target` */                                                   \
    X(ERET, "eret")             /* last: eret */                                                                       \
    X(RFE, "rfe")               /* last: rfe in the delay slot of a jump to address a */                               \
    X(STEP, "step")             /* last: the instruction at `target` must be interpreted */

enum ir_opcode {
#define IR_NAME(name, text) IR_##name,
    IR_OPCODES(IR_NAME)
#undef IR_NAME
        IR_OPCODE_COUNT
};

enum ir_condition { IR_EQ, IR_NE, IR_LT_S, IR_GE_S, IR_LT_U, IR_GE_U };
static inline enum ir_condition ir_inverse(enum ir_condition condition)
{
    return (enum ir_condition)((unsigned)condition ^ 1);
}

enum ir_type { IR_U8, IR_S8, IR_U16, IR_S16, IR_U32 };

struct ir_op {
    uint8_t opcode;
    uint8_t condition, type;
    uint8_t index; /* number of the instruction in the block */
    bool aligned;  /* LOAD, STORE: the address is known to be aligned */
    bool calls;    /* GOTO, INDIRECT: a call; register 31 holds the address after this block */
    bool returns;  /* INDIRECT: a return, through register 31 */
    bool serial;   /* CALL: may change mode, translation or time */
    bool observed; /* CALL: observers may read the general registers in memory */
    bool timed;    /* CALL: may stall, and then request the exit of the block */
    /* COUNT: numbers to count; other operations: loads and stores already counted that belong to later instructions. */
    uint8_t loads, stores;
    struct ir_value dst, a, b, c, d;
    int32_t displacement;
    uint32_t target;
    semantic_fn *function; /* CALL */
    struct insn insn;      /* CALL */
    uint16_t id;           /* CALL: enum isa_id of insn */
};

struct ir_block {
    vaddr pc;
    unsigned insns;      /* executed if the block runs from beginning to end */
    unsigned words;      /* of guest code that the block was built from */
    bool ends_in_branch; /* the last instruction is in a delay slot */
    unsigned count;
    unsigned first_temp,
        temps;         /* first number, and number after the last, of its temporaries; unique in a superblock */
    struct ir_op *ops; /* points into the superblock */
};

/* Basic blocks that are translated together. A block falls through to the next one where that is its successor. */
struct ir_superblock {
    unsigned count;
    struct ir_block blocks[IR_MAX_BLOCKS];
    struct ir_op ops[IR_MAX_OPS];
};

static inline struct ir_value ir_const(uint32_t constant)
{
    return (struct ir_value){.kind = IR_CONST, .constant = constant};
}
static inline struct ir_value ir_state(unsigned number)
{
    return (struct ir_value){.kind = IR_STATE, .number = (uint16_t)number};
}
static inline bool ir_is_const(struct ir_value v, uint32_t constant)
{
    return v.kind == IR_CONST && v.constant == constant;
}
static inline bool ir_same(struct ir_value a, struct ir_value b)
{
    return a.kind == b.kind && a.number == b.number && a.constant == b.constant;
}

/* Print the name of a word of the core's state, such as " $a0". */
void ir_print_state(const struct architecture *architecture, unsigned number, FILE *out);

/* Print SEGMENT, one operation per line, each after the guest instruction it belongs to. */
void ir_print(const struct ir_block *block, const struct core *core, const uint32_t *words, FILE *out);

#endif
