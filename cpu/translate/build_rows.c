/*
 * Translation of instructions to operations: the bodies of isa.def are executed with macros that append operations to a
 * list instead of computing.
 */
#include "cpu/translate/builder.h"
#include "cpu/privileged/cp0.h"
#include "cpu/translate/translate.h"
#include "cpu/translate/fp.h"
#include "cpu/inorder/inorder.h"
#include "cpu/privileged/semantics.h"
#include <string.h>

/* Control transfer */

/* Value of a LET. Where the body overwrites the register V refers to before it uses the name, a copy: a jump writes its
 * link first. */
static value let(struct builder *b, value v)
{
    bool overwritten =
        isa_table[b->id].flags & INSN_DELAY_SLOT && v.kind == IR_STATE && isa_writes(b->id, b->insn, v.number);
    return overwritten ? build_op1(b, IR_MOV, v) : v;
}

static void set_branch(struct builder *b, value taken, vaddr target, bool likely)
{
    b->likely = likely;
    b->target = target;
    if (taken.kind == IR_CONST && taken.constant) {
        b->branch = BRANCH_TO;
        b->likely = false;
        return;
    }
    b->branch =
        BRANCH_CONDITIONAL; /* also if the condition is constantly false: a likely branch then annuls its delay slot */
    build_condition_of(b, taken, &b->condition, &b->x, &b->y);
}

static void set_jump(struct builder *b, value target)
{
    if (target.kind == IR_CONST) {
        b->branch = BRANCH_TO;
        b->target = target.constant;
        return;
    }
    b->branch = BRANCH_INDIRECT;
    b->x = target;
}

static void trap_if(struct builder *b, value c, enum exception_code code)
{
    if (c.kind == IR_CONST && c.constant) {
        b->branch = BRANCH_EXCEPTION;
        b->target = code;
    }
    if (c.kind == IR_CONST)
        return;
    enum ir_condition condition;
    value x, y;
    build_condition_of(b, c, &condition, &x, &y);
    struct ir_op *op = build_add_op(b, IR_TRAP_IF);
    op->condition = (uint8_t)condition;
    op->a = x;
    op->b = y;
    op->target = code;
}

static struct ir_op *call(struct builder *b, semantic_fn *function)
{
    const struct isa_row *row = &isa_table[b->id];
    bool is_fpu = row->flags & INSN_FPU && !(row->flags & INSN_PREFETCH); /* prefx uses none of its registers */
    enum fp_operation operation = is_fpu ? translate_fp_operation(b->id) : FP_NONE;
    if (operation != FP_NONE)
        build_need_fpu(b);
    struct ir_op *op = build_add_op(b, is_fpu ? IR_FP : IR_CALL);
    op->type = (uint8_t)operation;
    op->function = function;
    op->insn = *b->insn;
    op->id = (uint16_t)b->id;
    op->serial = row->flags & INSN_CONTEXT;
    op->observed = op->serial && !(row->flags & INSN_UNOBSERVED);
    struct isa_register written[ISA_REGISTERS_MAX];
    const unsigned count = isa_registers(b->id, b->insn, row->defines, written);
    for (unsigned i = 0; i < count; i++)
        if (written[i].number < REGISTERS)
            build_forget_register(b, written[i].number);
    if (op->serial)
        b->fpu_checked = false;
    return op;
}

static int cache_operation(struct core *core, const struct insn *insn)
{
    return translate_on_line_operation(core, insn, inorder_cache_operation);
}

static int synchronize_code(struct core *core, const struct insn *insn)
{
    return translate_on_line_operation(core, insn, inorder_synci);
}

/* Call FUNCTION only if prefetches have an effect. */
static void prefetch_line(struct builder *b, semantic_fn *function)
{
    if (b->context->prefetches)
        call(b, function)->timed = true;
}

/* Operands append operations too, and C does not specify the order of evaluation of arguments. The last operand is
 * evaluated first, so that the operations do not depend on the compiler. */
#define IN_ORDER(x, y, build)                                                                                          \
    ({                                                                                                                 \
        const value second = (y);                                                                                      \
        const value first = (x);                                                                                       \
        build;                                                                                                         \
    })
#define IN_ORDER_3(x, y, z, build)                                                                                     \
    ({                                                                                                                 \
        const value third = (z);                                                                                       \
        const value second = (y);                                                                                      \
        const value first = (x);                                                                                       \
        build;                                                                                                         \
    })

/* The macros of isa.def. */
#define S(n)                           build_read_register(self, n)
#define READ_S                         S(self->insn->rs)
#define READ_T                         S(self->insn->rt)
#define READ_D                         S(self->insn->rd)
#define READ_STORED                    S(self->insn->sa)
#define READ_HI                        S(STATE_HI)
#define READ_LO                        S(STATE_LO)
#define WRITE_T(v)                     build_write_state(self, self->insn->rt, v)
#define WRITE_D(v)                     build_write_state(self, self->insn->rd, v)
#define WRITE_31(v)                    build_write_state(self, 31, v)
#define WRITE_HI(v)                    build_write_state(self, STATE_HI, v)
#define WRITE_LO(v)                    build_write_state(self, STATE_LO, v)
#define IMM                            ir_const((uint32_t)self->insn->imm)
#define SHIFT_AMOUNT                   ir_const(self->insn->sa)
#define LET(name, v)                   const value name = let(self, v)
#define LET64(name, v)                 const value name = (v)
#define CONST(n)                       ir_const((uint32_t)(n))
#define ADD(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_ADD, first, second))
#define SUB(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_SUB, first, second))
#define AND(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_AND, first, second))
#define OR(x, y)                       IN_ORDER(x, y, build_arithmetic(self, IR_OR, first, second))
#define XOR(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_XOR, first, second))
#define SHL(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_SHL, first, second))
#define SHR(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_SHR, first, second))
#define SAR(x, y)                      IN_ORDER(x, y, build_arithmetic(self, IR_SAR, first, second))
#define ROTR(x, y)                     IN_ORDER(x, y, build_arithmetic(self, IR_ROTR, first, second))
#define NOT(x)                         build_invert(self, x)
#define LT_S(x, y)                     IN_ORDER(x, y, build_compare(self, IR_LT_S, first, second))
#define LT_U(x, y)                     IN_ORDER(x, y, build_compare(self, IR_LT_U, first, second))
#define GE_S(x, y)                     IN_ORDER(x, y, build_compare(self, IR_GE_S, first, second))
#define EQ(x, y)                       IN_ORDER(x, y, build_compare(self, IR_EQ, first, second))
#define NE(x, y)                       IN_ORDER(x, y, build_compare(self, IR_NE, first, second))
#define SELECT(c, x, y)                IN_ORDER_3(c, x, y, build_select_value(self, first, second, third))
#define SEXT8(x)                       build_extend(self, IR_SEXT8, x)
#define SEXT16(x)                      build_extend(self, IR_SEXT16, x)
#define CLZ(x)                         build_leading_zeros(self, x)
#define MUL_S64(x, y)                  IN_ORDER(x, y, build_op2(self, IR_MUL_S64, first, second))
#define MUL_U64(x, y)                  IN_ORDER(x, y, build_op2(self, IR_MUL_U64, first, second))
#define ADD64(x, y)                    IN_ORDER(x, y, build_op2(self, IR_ADD64, first, second))
#define SUB64(x, y)                    IN_ORDER(x, y, build_op2(self, IR_SUB64, first, second))
#define JOIN(x, y)                     IN_ORDER(x, y, build_op2(self, IR_JOIN64, first, second))
#define HIGH(p)                        build_op1(self, IR_HIGH, p)
#define LOW(p)                         build_low(self, p)
#define DIV_S(x, y)                    IN_ORDER(x, y, build_op2(self, IR_DIV_S, first, second))
#define REM_S(x, y)                    IN_ORDER(x, y, build_op2(self, IR_REM_S, first, second))
#define DIV_U(x, y)                    IN_ORDER(x, y, build_op2(self, IR_DIV_U, first, second))
#define REM_U(x, y)                    IN_ORDER(x, y, build_op2(self, IR_REM_U, first, second))
#define NEED_FPU                       build_need_fpu(self)
#define READ_FT_WORD                   ir_state(build_fpr_word(self->insn->rt, 0))
#define READ_FS_WORD                   ir_state(build_fpr_word(self->insn->rd, 0))
#define WRITE_FT_WORD(v)               build_write_state(self, build_fpr_word(self->insn->rt, 0), v)
#define WRITE_FS_WORD(v)               build_write_state(self, build_fpr_word(self->insn->rd, 0), v)
#define WRITE_FD_WORD(v)               build_write_state(self, build_fpr_word(self->insn->sa, 0), v)
#define READ_FT_DOUBLE                 build_read_double(self, self->insn->rt)
#define READ_FS_DOUBLE                 build_read_double(self, self->insn->rd)
#define WRITE_FT_DOUBLE(v)             build_write_double(self, self->insn->rt, v)
#define WRITE_FD_DOUBLE(v)             build_write_double(self, self->insn->sa, v)
#define READ_FCC                       build_condition_code(self, (unsigned)self->insn->imm)
#define READ_FCC_BRANCH                build_condition_code(self, self->insn->rt >> 2)
#define LOAD(type, name, address)      const value name = build_load(self, IR_LOAD, IR_##type, address)
#define LOAD64(name, address)          const value name = build_load(self, IR_LOAD64, IR_U32, address)
#define LOAD_UNALIGNED(name, address)  const value name = build_unaligned(self, address)
#define LOAD_LINKED(name, address)     const value name = build_load(self, IR_LOAD_LINKED, IR_U32, address)
#define STORE(type, address, v)        IN_ORDER(address, v, build_store(self, IR_STORE, IR_##type, first, second))
#define STORE64(address, v)            IN_ORDER(address, v, build_store(self, IR_STORE64, IR_U32, first, second))
#define STORE_MERGED(address, v, mask) IN_ORDER_3(address, v, mask, build_store_merged(self, first, second, third))
#define STORE_CONDITIONAL(name, address, v)                                                                            \
    const value name = IN_ORDER(address, v, build_store_conditional(self, first, second))
#define JUMP_TARGET           ir_const(isa_jump_target(self->pc, (uint32_t)self->insn->imm))
#define LINK                  ir_const(self->pc + 8)
#define BRANCH_TARGET         (self->pc + 4 + (uint32_t)self->insn->imm)
#define BRANCH(c)             set_branch(self, c, BRANCH_TARGET, false)
#define BRANCH_LIKELY(c)      set_branch(self, c, BRANCH_TARGET, true)
#define JUMP(v)               set_jump(self, v)
#define TRAP_IF(c, code)      trap_if(self, c, code)
#define CALL(function)        call(self, function)
#define CACHE_OPERATION       call(self, cache_operation)
#define SYNCHRONIZE_CODE      call(self, synchronize_code)
#define PREFETCH_LINE         prefetch_line(self, translate_on_prefetch)
#define PREFETCH_INDEXED      prefetch_line(self, translate_on_prefetch_indexed)
#define RETURN_FROM_EXCEPTION (self->branch = BRANCH_ERET)

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    static void build_##id(struct builder *self)                                                                       \
    {                                                                                                                  \
        (void)self;                                                                                                    \
        __VA_ARGS__                                                                                                    \
    }
#include "cpu/isa/isa.def"
#undef ISA

static void (*const build_functions[ISA_COUNT])(struct builder *) = {
#define ISA(id, ...) build_##id,
#include "cpu/isa/isa.def"
#undef ISA
};

/* Instructions for which simpler operations exist than their bodies produce. */

static unsigned cp0_number(const struct insn *insn)
{
    return CP0_NUMBER(insn->rd & 31u, (uint32_t)insn->imm & 7);
}

/* A CP0 register without side effects is an ordinary state word, in kernel mode. */
static bool build_plain_cp0(struct builder *b)
{
    unsigned number = cp0_number(b->insn), word = STATE_CP0 + number;
    const struct cp0_register *row = &b->context->core->architecture->cp0[number];
    if (b->context->user)
        return false;
    if (b->id == ISA_MFC0 && row->read == NULL) {
        build_write_state(b, b->insn->rt, row->name != NULL ? ir_state(word) : ir_const(0));
        return true;
    }
    if (b->id != ISA_MTC0 || row->write != NULL)
        return false;
    if (row->write_mask == 0)
        return true;
    value kept = build_arithmetic(b, IR_AND, ir_state(word), ir_const(~row->write_mask));
    value written = build_arithmetic(b, IR_AND, build_read_register(b, b->insn->rt), ir_const(row->write_mask));
    build_write_state(b, word, row->write_mask == 0xffffffff ? written : build_arithmetic(b, IR_OR, written, kept));
    return true;
}

/* Condition of a conditional move between FPRs, as a separate operation; IR_NONE: the move is unconditional. */
static value move_condition(struct builder *b)
{
    unsigned cc = (unsigned)b->insn->imm & 7;
    switch (b->id) {
    case ISA_MOVF_F_S:
    case ISA_MOVF_F_D: return build_compare(b, IR_EQ, build_condition_code(b, cc), ir_const(0));
    case ISA_MOVT_F_S:
    case ISA_MOVT_F_D: return build_compare(b, IR_NE, build_condition_code(b, cc), ir_const(0));
    case ISA_MOVZ_F_S:
    case ISA_MOVZ_F_D: return build_compare(b, IR_EQ, build_read_register(b, b->insn->rt), ir_const(0));
    case ISA_MOVN_F_S:
    case ISA_MOVN_F_D: return build_compare(b, IR_NE, build_read_register(b, b->insn->rt), ir_const(0));
    default: return (value){0};
    }
}

static void build_word_move(struct builder *b, unsigned to, unsigned from)
{
    value condition = move_condition(b);
    if (condition.kind == IR_NONE)
        build_write_state(b, to, ir_state(from));
    else
        build_write_state(b, to, build_select_value(b, condition, ir_state(from), ir_state(to)));
}

/* State word of half HALF of the double in FPR NUMBER. */
static unsigned double_word(const struct builder *b, unsigned number, unsigned half)
{
    return b->context->fr ? build_fpr_word(number, half) : build_fpr_word((number & ~1u) | half, 0);
}

/* Moves of floating-point registers, which need no FPU arithmetic. */
static bool build_fp_move(struct builder *b)
{
    const struct insn *insn = b->insn;
    switch (b->id) {
    case ISA_FMOV_S:
    case ISA_MOVF_F_S:
    case ISA_MOVT_F_S:
    case ISA_MOVZ_F_S:
    case ISA_MOVN_F_S:
        build_need_fpu(b);
        build_word_move(b, build_fpr_word(insn->sa, 0), build_fpr_word(insn->rd, 0));
        return true;
    case ISA_FMOV_D:
        build_need_fpu(b);
        build_write_double(b, insn->sa, build_read_double(b, insn->rd));
        return true;
    case ISA_MOVF_F_D:
    case ISA_MOVT_F_D:
    case ISA_MOVZ_F_D:
    case ISA_MOVN_F_D:
        build_need_fpu(b);
        build_word_move(b, double_word(b, insn->sa, 0), double_word(b, insn->rd, 0));
        build_word_move(b, double_word(b, insn->sa, 1), double_word(b, insn->rd, 1));
        return true;
    case ISA_MFHC1:
        build_need_fpu(b);
        build_write_state(b, insn->rt, ir_state(double_word(b, insn->rd, 1)));
        return true;
    case ISA_MTHC1:
        build_need_fpu(b);
        build_write_state(b, double_word(b, insn->rd, 1), build_read_register(b, insn->rt));
        return true;
    default: return false;
    }
}

void build_instruction(struct builder *b)
{
    if ((b->id == ISA_MFC0 || b->id == ISA_MTC0) && build_plain_cp0(b))
        return;
    if (isa_table[b->id].flags & INSN_FPU && build_fp_move(b))
        return;
    build_functions[b->id](b);
}
