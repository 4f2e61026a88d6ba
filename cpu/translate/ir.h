/*
 * The intermediate form: what a stretch of guest code does, as a list of operations on values. build_rows.c makes it
 * from isa.def; a backend (host.h) turns it into machine code.
 *
 * A value is a constant, a word of the core's state (a register of the guest, read where the operation stands), or a
 * temporary, which is written once and lives within the segment. Temporaries of the operations named ...64 have 64
 * bits, all else 32; where such an operation takes 64 bits, or gives them, a word of state stands for itself and the
 * next one.
 *
 * A segment is straight-line guest code, entered only at its beginning, that ends with at most one branch, whose delay
 * slot is inside. All of it is executed or none, but for what the operations themselves make leave it.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_IR_H
#define SIMOS_CPU_TRANSLATE_IR_H

#include "cpu/isa.h"
#include "src/base/types.h"
#include <stdio.h>

enum {
    IR_MAX_SEGMENTS = 48,  /* of a trace */
    IR_MAX_OPS = 16384,    /* of a trace */
    IR_MAX_TEMPS = 8192,   /* of a trace */
    IR_SEGMENT_OPS = 1536, /* of a segment, at most */
};

enum ir_kind { IR_NONE, IR_CONST, IR_STATE, IR_TEMP };

struct ir_value {
    uint8_t kind;
    uint16_t number;   /* IR_TEMP: its number; IR_STATE: word of struct cpu, so a GPR's is its own number */
    uint32_t constant; /* IR_CONST */
};

/* Operations: NAME, text. dst = a op b unless said otherwise. */
#define IR_OPCODES(X)                                                                                                  \
    X(MOV, "mov") /* dst = a */                                                                                        \
    X(ADD, "add")                                                                                                      \
    X(SUB, "sub")                                                                                                      \
    X(AND, "and")                                                                                                      \
    X(OR, "or")                                                                                                        \
    X(XOR, "xor")                                                                                                      \
    X(NOT, "not")                                                                                                      \
    X(SHL, "shl") /* counts are taken modulo 32 */                                                                     \
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
    X(SET_STATE64, "set_state64") /* two words of state from number `target` on = a; none so far leaves a segment */   \
    X(DIV_S, "div_s")             /* by zero, and the overflowing one: quotient a, remainder 0 */                      \
    X(REM_S, "rem_s")                                                                                                  \
    X(DIV_U, "div_u")                                                                                                  \
    X(REM_U, "rem_u")                                                                                                  \
    X(LOAD, "load") /* dst = `type` at a + displacement */                                                             \
    X(LOAD64, "load64")                                                                                                \
    X(LOAD_UNALIGNED, "load_unaligned") /* dst = the word that holds address a */                                      \
    X(LOAD_LINKED, "load_linked")                                                                                      \
    X(STORE, "store") /* `type` at a + displacement = b */                                                             \
    X(STORE64, "store64")                                                                                              \
    X(STORE_MERGED, "store_merged") /* bits c of the word that holds address a = b, which has no others */             \
    X(STORE_CONDITIONAL, "store_conditional")                                                                          \
    X(NEED_FPU, "need_fpu")     /* leave before this instruction if the FPU is off or in the other register mode */    \
    X(FETCH_LINE, "fetch_line") /* the instruction is the first of a line of the instruction cache */                  \
    X(COUNT, "count")           /* `loads` and `stores` are going to happen */                                         \
    X(TRAP_IF, "trap_if")       /* exception `target` if a `condition` b */                                            \
    X(CALL, "call")             /* the function that isa.def names */                                                  \
    X(FP, "fp")                 /* the same, of the FPU: `type` is what there is besides the function (fp.h) */        \
    X(ANNUL, "annul")           /* to address `target` if a `condition` b, without the delay slot */                   \
    X(BRANCH, "branch")       /* the end: to `target` if a `condition` b; otherwise the segment after this follows */  \
    X(GOTO, "goto")           /* the end: to address `target` */                                                       \
    X(INDIRECT, "indirect")   /* the end: to address a */                                                              \
    X(EXCEPTION, "exception") /* the end: `target` is its code */                                                      \
    X(ERET, "eret")           /* the end */                                                                            \
    X(STEP, "step")           /* the end: the instruction at `target` is not for translated code */

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
    uint8_t index; /* of the instruction in the segment */
    bool aligned;  /* LOAD, STORE: known to be */
    bool calls;    /* GOTO, INDIRECT: register 31 has been set to the address behind this segment */
    bool returns;  /* INDIRECT: by register 31 */
    bool serial;   /* CALL: may change mode, translation, time; looks at everything */
    uint8_t loads,
        stores; /* COUNT: of so many instructions; others: that are counted already, but come after this one */
    struct ir_value dst, a, b, c, d;
    int32_t displacement;
    uint32_t target;
    semantic_fn *function;  /* CALL */
    struct insn insn;       /* CALL */
    uint16_t uses, defines; /* CALL: as the row says */
};

struct ir_segment {
    vaddr pc;
    unsigned insns;      /* executed from beginning to end */
    unsigned words;      /* of guest code looked at */
    bool ends_in_branch; /* the last instruction is in a delay slot */
    unsigned count;
    unsigned first_temp, temps; /* numbers of its temporaries: from, to; unique in a trace */
    struct ir_op *ops;          /* in the trace */
};

/* Segments that are translated together. Control falls from one into the next where that is where it goes. */
struct ir_trace {
    unsigned count;
    struct ir_segment segments[IR_MAX_SEGMENTS];
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

/* Print a word of the core's state, as " $a0". */
void ir_print_state(unsigned number, FILE *out);

/* Print SEGMENT, an operation a line, after the instructions they come from. */
void ir_print(const struct ir_segment *segment, const struct isa_decoder *decoder, const uint32_t *words, FILE *out);

#endif
