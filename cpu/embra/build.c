/*
 * From guest code to the intermediate form, by executing the bodies of isa.def with a vocabulary that writes operations
 * down instead of doing them. Constants are folded on the way, and what an instruction computes goes straight to the
 * register that it writes.
 */
#include "cpu/embra/build.h"

#include "cpu/cp0.h"
#include "cpu/embra/fp.h"
#include "cpu/inorder/inorder.h"
#include "cpu/semantics.h"
#include <string.h>

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

struct builder {
    const struct build_context *context;
    struct ir_segment *segment;
    const struct insn *insn;
    enum isa_id id;
    unsigned index; /* of the instruction in the segment */
    vaddr pc;

    value known[REGISTERS];  /* IR_CONST: what the register holds */
    bool aligned[REGISTERS]; /* the register is a multiple of 4 */
    bool fpu_checked;

    /* What the branch at hand does after its delay slot. */
    enum { BRANCH_NONE, BRANCH_CONDITIONAL, BRANCH_TO, BRANCH_INDIRECT, BRANCH_ERET, BRANCH_EXCEPTION } branch;
    enum ir_condition condition;
    value x, y; /* compared; x: where an indirect jump goes */
    vaddr target;
    bool likely;
};

/* Operations */

static struct ir_op *last_op(struct builder *b)
{
    return &b->segment->ops[b->segment->count - 1];
}

static struct ir_op *add_op(struct builder *b, enum ir_opcode opcode)
{
    struct ir_op *op = &b->segment->ops[b->segment->count++];
    *op = (struct ir_op){.opcode = (uint8_t)opcode, .index = (uint8_t)b->index};
    return op;
}

static value new_temp(struct builder *b)
{
    return (value){.kind = IR_TEMP, .number = (uint16_t)b->segment->temps++};
}

static value op2(struct builder *b, enum ir_opcode opcode, value x, value y)
{
    struct ir_op *op = add_op(b, opcode);
    op->a = x;
    op->b = y;
    op->dst = new_temp(b);
    return op->dst;
}

static value op1(struct builder *b, enum ir_opcode opcode, value x)
{
    return op2(b, opcode, x, (value){0});
}

/* Is V the result of the last operation, which is an OPCODE? */
static bool is_last(struct builder *b, value v, enum ir_opcode opcode)
{
    return v.kind == IR_TEMP && b->segment->count > 0 && ir_same(last_op(b)->dst, v) && last_op(b)->opcode == opcode;
}

static struct ir_op take_last(struct builder *b)
{
    return b->segment->ops[--b->segment->count];
}

/* Arithmetic */

static uint32_t fold(enum ir_opcode opcode, uint32_t x, uint32_t y)
{
    switch (opcode) {
    case IR_ADD: return x + y;
    case IR_SUB: return x - y;
    case IR_AND: return x & y;
    case IR_OR: return x | y;
    case IR_XOR: return x ^ y;
    case IR_SHL: return x << (y & 31);
    case IR_SHR: return x >> (y & 31);
    case IR_SAR: return (uint32_t)((int32_t)x >> (y & 31));
    case IR_ROTR: return x >> (y & 31) | x << (-y & 31);
    default: log_bug("no such arithmetic: %u", (unsigned)opcode);
    }
}

static bool is_commutative(enum ir_opcode opcode)
{
    return opcode == IR_ADD || opcode == IR_AND || opcode == IR_OR || opcode == IR_XOR;
}

/* X OP constant Y that is X itself. */
static bool is_neutral(enum ir_opcode opcode, uint32_t y)
{
    return opcode == IR_AND ? y == 0xffffffff : y == 0;
}

static value arithmetic(struct builder *b, enum ir_opcode opcode, value x, value y)
{
    if (x.kind == IR_CONST && y.kind == IR_CONST)
        return ir_const(fold(opcode, x.constant, y.constant));
    if (x.kind == IR_CONST && is_commutative(opcode)) {
        value swap = x;
        x = y;
        y = swap;
    }
    if (opcode == IR_SUB && y.kind == IR_CONST) {
        opcode = IR_ADD;
        y.constant = -y.constant;
    }
    bool shift = opcode == IR_SHL || opcode == IR_SHR || opcode == IR_SAR || opcode == IR_ROTR;
    if (shift && is_last(b, y, IR_AND) && ir_is_const(last_op(b)->b, 31))
        y = take_last(b).a; /* the count is taken modulo 32 anyway */
    if (shift && y.kind == IR_CONST)
        y.constant &= 31;
    if (y.kind == IR_CONST && is_neutral(opcode, y.constant))
        return x;
    if (opcode == IR_AND && ir_is_const(y, 0))
        return y;
    return op2(b, opcode, x, y);
}

static value invert(struct builder *b, value x)
{
    return x.kind == IR_CONST ? ir_const(~x.constant) : op1(b, IR_NOT, x);
}

static value extend(struct builder *b, enum ir_opcode opcode, value x)
{
    if (x.kind != IR_CONST)
        return op1(b, opcode, x);
    return ir_const(opcode == IR_SEXT8 ? (uint32_t)(int8_t)x.constant : (uint32_t)(int16_t)x.constant);
}

static value leading_zeros(struct builder *b, value x)
{
    if (x.kind != IR_CONST)
        return op1(b, IR_CLZ, x);
    return ir_const(x.constant ? (uint32_t)__builtin_clz(x.constant) : 32);
}

static bool holds(enum ir_condition condition, uint32_t x, uint32_t y)
{
    switch (condition) {
    case IR_EQ: return x == y;
    case IR_NE: return x != y;
    case IR_LT_S: return (int32_t)x < (int32_t)y;
    case IR_GE_S: return (int32_t)x >= (int32_t)y;
    case IR_LT_U: return x < y;
    default: return x >= y;
    }
}

static value compare(struct builder *b, enum ir_condition condition, value x, value y)
{
    if (x.kind == IR_CONST && y.kind == IR_CONST)
        return ir_const(holds(condition, x.constant, y.constant));
    if (ir_same(x, y))
        return ir_const(holds(condition, 0, 0));
    if ((condition == IR_EQ || condition == IR_NE) && ir_is_const(y, 0) && is_last(b, x, IR_COMPARE)) {
        if (condition == IR_EQ)
            last_op(b)->condition = (uint8_t)ir_inverse((enum ir_condition)last_op(b)->condition);
        return x;
    }
    value result = op2(b, IR_COMPARE, x, y);
    last_op(b)->condition = (uint8_t)condition;
    return result;
}

/* The comparison behind V, taken out of the list if it is the last operation. */
static void condition_of(struct builder *b, value v, enum ir_condition *condition, value *x, value *y)
{
    if (is_last(b, v, IR_COMPARE)) {
        struct ir_op op = take_last(b);
        *condition = (enum ir_condition)op.condition;
        *x = op.a;
        *y = op.b;
    } else {
        *condition = IR_NE;
        *x = v;
        *y = ir_const(0);
    }
}

/* C is looked at first, so it must be the operation before the two values. */
static value select_value(struct builder *b, value c, value if_true, value if_false)
{
    if (c.kind == IR_CONST)
        return c.constant ? if_true : if_false;
    enum ir_condition condition;
    value x, y;
    condition_of(b, c, &condition, &x, &y);
    struct ir_op *op = add_op(b, IR_SELECT);
    op->condition = (uint8_t)condition;
    op->a = x;
    op->b = y;
    op->c = if_true;
    op->d = if_false;
    op->dst = new_temp(b);
    return op->dst;
}

static value low(struct builder *b, value p)
{
    if (is_last(b, p, IR_MUL_S64) || is_last(b, p, IR_MUL_U64)) {
        last_op(b)->opcode = IR_MUL;
        return p;
    }
    return op1(b, IR_LOW, p);
}

/* Registers */

static value read_register(struct builder *b, unsigned number)
{
    if (number == 0)
        return ir_const(0);
    return b->known[number].kind == IR_CONST ? b->known[number] : ir_state(number);
}

/* Is what the last operation leaves in its register a multiple of 4, given that its operands are what they are? */
static bool result_is_aligned(const struct builder *b, const struct ir_op *op)
{
    bool from_aligned = op->a.kind == IR_STATE && op->a.number < REGISTERS && b->aligned[op->a.number];
    if (op->opcode == IR_ADD)
        return from_aligned && op->b.kind == IR_CONST && op->b.constant % 4 == 0;
    if (op->opcode == IR_MOV)
        return from_aligned;
    if (op->opcode == IR_SHL)
        return op->b.kind == IR_CONST && op->b.constant >= 2;
    return op->opcode == IR_AND && op->b.kind == IR_CONST && op->b.constant % 4 == 0;
}

static void write_state(struct builder *b, unsigned number, value v)
{
    if (number == 0 || number == GPR_SINK || b->branch == BRANCH_EXCEPTION)
        return;
    bool tracked = number < REGISTERS;
    if (v.kind == IR_CONST) {
        if (tracked && ir_same(b->known[number], v))
            return;
        struct ir_op *op = add_op(b, IR_MOV);
        op->a = v;
        op->dst = ir_state(number);
    } else if (v.kind == IR_TEMP && ir_same(last_op(b)->dst, v)) {
        last_op(b)->dst = ir_state(number);
    } else if (v.kind == IR_STATE && v.number == number) {
        return;
    } else {
        struct ir_op *op = add_op(b, IR_MOV);
        op->a = v;
        op->dst = ir_state(number);
    }
    if (tracked) {
        b->aligned[number] = result_is_aligned(b, last_op(b));
        b->known[number] = v.kind == IR_CONST ? v : (value){0};
    }
}

static void forget_register(struct builder *b, unsigned number)
{
    b->known[number] = (value){0};
    b->aligned[number] = false;
}

/* Floating-point registers */

static void need_fpu(struct builder *b)
{
    if (b->fpu_checked)
        return;
    add_op(b, IR_NEED_FPU)->target = b->context->fr;
    b->fpu_checked = true;
}

static unsigned fpr_word(unsigned number, unsigned half)
{
    return STATE_FPR + 2 * number + half;
}

static value read_double(struct builder *b, unsigned number)
{
    if (!b->context->fr)
        return op2(b, IR_JOIN64, ir_state(fpr_word(number | 1, 0)), ir_state(fpr_word(number & ~1u, 0)));
    return ir_state(fpr_word(number, 0)); /* operations on 64 bits take two words from there */
}

static void write_double(struct builder *b, unsigned number, value v)
{
    if (!b->context->fr) {
        value words[2] = {op1(b, IR_LOW, v), (value){0}};
        write_state(b, fpr_word(number & ~1u, 0), words[0]);
        words[1] = op1(b, IR_HIGH, v);
        write_state(b, fpr_word(number | 1, 0), words[1]);
        return;
    }
    if (is_last(b, v, IR_LOAD64)) {
        last_op(b)->dst = ir_state(fpr_word(number, 0));
        return;
    }
    struct ir_op *op = add_op(b, IR_SET_STATE64);
    op->target = fpr_word(number, 0);
    op->a = v;
}

/* Bodies only ask whether it is 0, so it may stay where it is in FCSR. */
static value condition_code(struct builder *b, unsigned cc)
{
    return arithmetic(b, IR_AND, ir_state(STATE_FCR31), ir_const((uint32_t)1 << (cc == 0 ? 23 : 24 + cc)));
}

/* Memory */

static void set_address(struct builder *b, struct ir_op *op, value base, int32_t displacement)
{
    op->a = base;
    op->displacement = displacement;
    if (base.kind == IR_CONST) {
        op->a.constant += (uint32_t)displacement;
        op->displacement = 0;
        op->aligned = op->a.constant % 4 == 0;
    } else if (base.kind == IR_STATE && base.number < REGISTERS) {
        op->aligned = b->aligned[base.number] && displacement % 4 == 0;
    }
}

/* If ADDRESS is a sum with a constant that was computed just now, take that out of the list: the access does it. The
 * value to be stored may have been computed after it. */
static bool take_sum(struct builder *b, value address, struct ir_op *sum)
{
    struct ir_segment *segment = b->segment;
    for (unsigned i = segment->count; address.kind == IR_TEMP && i > 0 && i + 2 > segment->count; i--) {
        struct ir_op *op = &segment->ops[i - 1];
        if (!ir_same(op->dst, address))
            continue;
        if (op->opcode != IR_ADD || op->b.kind != IR_CONST)
            return false;
        *sum = *op;
        memmove(op, op + 1, (segment->count - i) * sizeof *op);
        segment->count--;
        return true;
    }
    return false;
}

static struct ir_op *memory_op(struct builder *b, enum ir_opcode opcode, value address)
{
    struct ir_op sum;
    value base = address;
    int32_t displacement = 0;
    if (take_sum(b, address, &sum)) {
        base = sum.a;
        displacement = (int32_t)sum.b.constant;
    }
    struct ir_op *op = add_op(b, opcode);
    set_address(b, op, base, displacement);
    return op;
}

/* A word at OP's address has been accessed without an address error. */
static void note_alignment(struct builder *b, const struct ir_op *op, bool word)
{
    if (word && op->a.kind == IR_STATE && op->a.number < REGISTERS && op->displacement % 4 == 0)
        b->aligned[op->a.number] = true;
}

static value load(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address)
{
    struct ir_op *op = memory_op(b, opcode, address);
    op->type = (uint8_t)type;
    note_alignment(b, op, opcode == IR_LOAD64 || (opcode == IR_LOAD && type == IR_U32));
    op->dst = new_temp(b);
    return op->dst;
}

static void store(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address, value v)
{
    struct ir_op *op = memory_op(b, opcode, address);
    op->type = (uint8_t)type;
    op->b = v;
    note_alignment(b, op, opcode == IR_STORE64 || (opcode == IR_STORE && type == IR_U32));
}

static void store_merged(struct builder *b, value address, value v, value mask)
{
    struct ir_op *op = add_op(b, IR_STORE_MERGED);
    op->a = address;
    op->b = v;
    op->c = mask;
}

static value unaligned(struct builder *b, value address)
{
    struct ir_op *op = add_op(b, IR_LOAD_UNALIGNED);
    op->a = address;
    op->dst = new_temp(b);
    return op->dst;
}

static value store_conditional(struct builder *b, value address, value v)
{
    struct ir_op *op = memory_op(b, IR_STORE_CONDITIONAL, address);
    op->b = v;
    op->dst = new_temp(b);
    return op->dst;
}

/* Control */

/* The name that a body gives to V. A body that writes the register behind V before it uses the name needs a copy: only
 * jalr does. */
static value let(struct builder *b, value v)
{
    bool overwritten = b->id == ISA_JALR && v.kind == IR_STATE && v.number == b->insn->rd;
    return overwritten ? op1(b, IR_MOV, v) : v;
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
    if (taken.kind == IR_CONST) { /* never: the delay slot of a likely one is annulled, which the general case does */
        taken = ir_const(0);
    }
    b->branch = BRANCH_CONDITIONAL;
    condition_of(b, taken, &b->condition, &b->x, &b->y);
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
    condition_of(b, c, &condition, &x, &y);
    struct ir_op *op = add_op(b, IR_TRAP_IF);
    op->condition = (uint8_t)condition;
    op->a = x;
    op->b = y;
    op->target = code;
}

static void call(struct builder *b, semantic_fn *function)
{
    const struct isa_row *row = &isa_table[b->id];
    bool is_fpu = row->flags & INSN_FPU;
    enum fp_operation operation = is_fpu ? embra_fp_operation(b->id) : FP_NONE;
    if (operation != FP_NONE)
        need_fpu(b);
    struct ir_op *op = add_op(b, is_fpu ? IR_FP : IR_CALL);
    op->type = (uint8_t)operation;
    op->function = function;
    op->insn = *b->insn;
    op->uses = row->uses;
    op->defines = row->defines;
    op->serial = row->flags & INSN_SERIAL;
    if (row->defines & OPERAND_T)
        forget_register(b, b->insn->rt);
    if (row->defines & OPERAND_D)
        forget_register(b, b->insn->rd);
    if (op->serial)
        b->fpu_checked = false;
}

static int cache_operation(struct core *core, const struct insn *insn)
{
    return inorder_cache_operation(core->model, insn);
}

static int synchronize_code(struct core *core, const struct insn *insn)
{
    return inorder_synchronize_code(core->model, insn);
}

/* The vocabulary. */
#define S(n)                                read_register(self, n)
#define READ_S                              S(self->insn->rs)
#define READ_T                              S(self->insn->rt)
#define READ_D                              S(self->insn->rd)
#define READ_STORED                         S(self->insn->sa)
#define READ_HI                             S(STATE_HI)
#define READ_LO                             S(STATE_LO)
#define WRITE_T(v)                          write_state(self, self->insn->rt, v)
#define WRITE_D(v)                          write_state(self, self->insn->rd, v)
#define WRITE_31(v)                         write_state(self, 31, v)
#define WRITE_HI(v)                         write_state(self, STATE_HI, v)
#define WRITE_LO(v)                         write_state(self, STATE_LO, v)
#define IMM                                 ir_const((uint32_t)self->insn->imm)
#define SHIFT_AMOUNT                        ir_const(self->insn->sa)
#define LET(name, v)                        const value name = let(self, v)
#define LET64(name, v)                      const value name = (v)
#define CONST(n)                            ir_const((uint32_t)(n))
#define ADD(x, y)                           arithmetic(self, IR_ADD, x, y)
#define SUB(x, y)                           arithmetic(self, IR_SUB, x, y)
#define AND(x, y)                           arithmetic(self, IR_AND, x, y)
#define OR(x, y)                            arithmetic(self, IR_OR, x, y)
#define XOR(x, y)                           arithmetic(self, IR_XOR, x, y)
#define SHL(x, y)                           arithmetic(self, IR_SHL, x, y)
#define SHR(x, y)                           arithmetic(self, IR_SHR, x, y)
#define SAR(x, y)                           arithmetic(self, IR_SAR, x, y)
#define ROTR(x, y)                          arithmetic(self, IR_ROTR, x, y)
#define NOT(x)                              invert(self, x)
#define LT_S(x, y)                          compare(self, IR_LT_S, x, y)
#define LT_U(x, y)                          compare(self, IR_LT_U, x, y)
#define GE_S(x, y)                          compare(self, IR_GE_S, x, y)
#define EQ(x, y)                            compare(self, IR_EQ, x, y)
#define NE(x, y)                            compare(self, IR_NE, x, y)
#define SELECT(c, x, y)                     select_value(self, c, x, y)
#define SEXT8(x)                            extend(self, IR_SEXT8, x)
#define SEXT16(x)                           extend(self, IR_SEXT16, x)
#define CLZ(x)                              leading_zeros(self, x)
#define MUL_S64(x, y)                       op2(self, IR_MUL_S64, x, y)
#define MUL_U64(x, y)                       op2(self, IR_MUL_U64, x, y)
#define ADD64(x, y)                         op2(self, IR_ADD64, x, y)
#define SUB64(x, y)                         op2(self, IR_SUB64, x, y)
#define JOIN(x, y)                          op2(self, IR_JOIN64, x, y)
#define HIGH(p)                             op1(self, IR_HIGH, p)
#define LOW(p)                              low(self, p)
#define DIV_S(x, y)                         op2(self, IR_DIV_S, x, y)
#define REM_S(x, y)                         op2(self, IR_REM_S, x, y)
#define DIV_U(x, y)                         op2(self, IR_DIV_U, x, y)
#define REM_U(x, y)                         op2(self, IR_REM_U, x, y)
#define NEED_FPU                            need_fpu(self)
#define READ_FT_WORD                        ir_state(fpr_word(self->insn->rt, 0))
#define READ_FS_WORD                        ir_state(fpr_word(self->insn->rd, 0))
#define WRITE_FT_WORD(v)                    write_state(self, fpr_word(self->insn->rt, 0), v)
#define WRITE_FS_WORD(v)                    write_state(self, fpr_word(self->insn->rd, 0), v)
#define WRITE_FD_WORD(v)                    write_state(self, fpr_word(self->insn->sa, 0), v)
#define READ_FT_DOUBLE                      read_double(self, self->insn->rt)
#define READ_FS_DOUBLE                      read_double(self, self->insn->rd)
#define WRITE_FT_DOUBLE(v)                  write_double(self, self->insn->rt, v)
#define WRITE_FD_DOUBLE(v)                  write_double(self, self->insn->sa, v)
#define READ_FCC                            condition_code(self, (unsigned)self->insn->imm)
#define READ_FCC_BRANCH                     condition_code(self, self->insn->rt >> 2)
#define LOAD(type, name, address)           const value name = load(self, IR_LOAD, IR_##type, address)
#define LOAD64(name, address)               const value name = load(self, IR_LOAD64, IR_U32, address)
#define LOAD_UNALIGNED(name, address)       const value name = unaligned(self, address)
#define LOAD_LINKED(name, address)          const value name = load(self, IR_LOAD_LINKED, IR_U32, address)
#define STORE(type, address, v)             store(self, IR_STORE, IR_##type, address, v)
#define STORE64(address, v)                 store(self, IR_STORE64, IR_U32, address, v)
#define STORE_MERGED(address, v, mask)      store_merged(self, address, v, mask)
#define STORE_CONDITIONAL(name, address, v) const value name = store_conditional(self, address, v)
#define JUMP_TARGET                         ir_const(((self->pc + 4) & 0xf0000000) | (uint32_t)self->insn->imm)
#define LINK                                ir_const(self->pc + 8)
#define BRANCH_TARGET                       (self->pc + 4 + (uint32_t)self->insn->imm)
#define BRANCH(c)                           set_branch(self, c, BRANCH_TARGET, false)
#define BRANCH_LIKELY(c)                    set_branch(self, c, BRANCH_TARGET, true)
#define JUMP(v)                             set_jump(self, v)
#define TRAP_IF(c, code)                    trap_if(self, c, code)
#define CALL(function)                      call(self, function)
#define CACHE_OPERATION                     call(self, cache_operation)
#define SYNCHRONIZE_CODE                    call(self, synchronize_code)
#define RETURN_FROM_EXCEPTION               (self->branch = BRANCH_ERET)

#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, unit, flags, ...)                                 \
    static void build_##id(struct builder *self)                                                                       \
    {                                                                                                                  \
        (void)self;                                                                                                    \
        __VA_ARGS__                                                                                                    \
    }
#include "cpu/isa.def"
#undef ISA

static void (*const build_functions[ISA_COUNT])(struct builder *) = {
#define ISA(id, ...) build_##id,
#include "cpu/isa.def"
#undef ISA
};

/* Instructions that are simpler here than their bodies say. */

static unsigned cp0_number(const struct insn *insn)
{
    return CP0_NUMBER(insn->rd & 31u, (uint32_t)insn->imm & 7);
}

/* A CP0 register without side effects is a word like any other, in kernel mode. */
static bool build_plain_cp0(struct builder *b)
{
    unsigned number = cp0_number(b->insn), word = STATE_CP0 + number;
    const struct cp0_register *row = &cp0_table[number];
    if (b->context->user)
        return false;
    if (b->id == ISA_MFC0 && row->read == NULL) {
        write_state(b, b->insn->rt, ir_state(word));
        return true;
    }
    if (b->id != ISA_MTC0 || row->write != NULL)
        return false;
    if (row->write_mask == 0)
        return true;
    value kept = arithmetic(b, IR_AND, ir_state(word), ir_const(~row->write_mask));
    value written = arithmetic(b, IR_AND, read_register(b, b->insn->rt), ir_const(row->write_mask));
    write_state(b, word, row->write_mask == 0xffffffff ? written : arithmetic(b, IR_OR, written, kept));
    return true;
}

/* The condition of a conditional move between FPRs, as an operation of its own; nothing: there is none. */
static value move_condition(struct builder *b)
{
    unsigned cc = (unsigned)b->insn->imm & 7;
    switch (b->id) {
    case ISA_MOVF_F_S:
    case ISA_MOVF_F_D: return compare(b, IR_EQ, condition_code(b, cc), ir_const(0));
    case ISA_MOVT_F_S:
    case ISA_MOVT_F_D: return compare(b, IR_NE, condition_code(b, cc), ir_const(0));
    case ISA_MOVZ_F_S:
    case ISA_MOVZ_F_D: return compare(b, IR_EQ, read_register(b, b->insn->rt), ir_const(0));
    case ISA_MOVN_F_S:
    case ISA_MOVN_F_D: return compare(b, IR_NE, read_register(b, b->insn->rt), ir_const(0));
    default: return (value){0};
    }
}

static void build_word_move(struct builder *b, unsigned to, unsigned from)
{
    value condition = move_condition(b);
    if (condition.kind == IR_NONE)
        write_state(b, to, ir_state(from));
    else
        write_state(b, to, select_value(b, condition, ir_state(from), ir_state(to)));
}

/* Word HALF of the double in register NUMBER. */
static unsigned double_word(const struct builder *b, unsigned number, unsigned half)
{
    return b->context->fr ? fpr_word(number, half) : fpr_word((number & ~1u) | half, 0);
}

/* Moves of floating-point registers, which the FPU does not look at. */
static bool build_fp_move(struct builder *b)
{
    const struct insn *insn = b->insn;
    switch (b->id) {
    case ISA_FMOV_S:
    case ISA_MOVF_F_S:
    case ISA_MOVT_F_S:
    case ISA_MOVZ_F_S:
    case ISA_MOVN_F_S:
        need_fpu(b);
        build_word_move(b, fpr_word(insn->sa, 0), fpr_word(insn->rd, 0));
        return true;
    case ISA_FMOV_D:
        need_fpu(b);
        write_double(b, insn->sa, read_double(b, insn->rd));
        return true;
    case ISA_MOVF_F_D:
    case ISA_MOVT_F_D:
    case ISA_MOVZ_F_D:
    case ISA_MOVN_F_D:
        need_fpu(b);
        build_word_move(b, double_word(b, insn->sa, 0), double_word(b, insn->rd, 0));
        build_word_move(b, double_word(b, insn->sa, 1), double_word(b, insn->rd, 1));
        return true;
    case ISA_MFHC1:
        need_fpu(b);
        write_state(b, insn->rt, ir_state(double_word(b, insn->rd, 1)));
        return true;
    case ISA_MTHC1:
        need_fpu(b);
        write_state(b, double_word(b, insn->rd, 1), read_register(b, insn->rt));
        return true;
    default: return false;
    }
}

static void build_instruction(struct builder *b)
{
    if ((b->id == ISA_MFC0 || b->id == ISA_MTC0) && build_plain_cp0(b))
        return;
    if (isa_table[b->id].flags & INSN_FPU && build_fp_move(b))
        return;
    build_functions[b->id](b);
}

/* Segments */

bool build_is_hooked(const struct core *core, vaddr pc)
{
    for (unsigned i = 0; i < core->cpus; i++)
        if (core_hook_present(core->peers[i], pc))
            return true;
    return false;
}

static uint32_t word_at(const struct builder *b, vaddr pc)
{
    return b->context->words[(pc & (PAGE_SIZE - 1)) >> 2];
}

static bool is_first_of_page(vaddr pc)
{
    return (pc & (PAGE_SIZE - 1)) == 0;
}

static bool is_first_of_line(const struct builder *b, vaddr pc)
{
    return b->context->line_mask != 0 && (pc & ~b->context->line_mask) == 0;
}

/* Is the branch or jump at PC one whose delay slot is as it should be? */
static bool has_plain_delay_slot(const struct builder *b, vaddr pc)
{
    if (is_first_of_page(pc + 4) || build_is_hooked(b->context->core, pc + 4))
        return false;
    enum isa_id id = isa_identify(b->context->core->decoder, word_at(b, pc + 4));
    return !(isa_table[id].flags & INSN_DELAY_SLOT) && id != ISA_ERET;
}

/* Does the instruction in the delay slot write the register that V is? */
static bool overwrites(enum isa_id id, const struct insn *insn, value v)
{
    unsigned defines = isa_table[id].defines;
    if (v.kind != IR_STATE)
        return false;
    return ((defines & OPERAND_T) && insn->rt == v.number) || ((defines & OPERAND_D) && insn->rd == v.number) ||
           ((defines & OPERAND_31) && v.number == 31) || v.number == STATE_FCR31;
}

/* What the branch will look at after its delay slot must survive that. */
static void keep_operands(struct builder *b, vaddr delay_slot)
{
    struct insn insn;
    enum isa_id id = isa_decode(b->context->core->decoder, word_at(b, delay_slot), &insn);
    if (overwrites(id, &insn, b->x))
        b->x = op1(b, IR_MOV, b->x);
    if (overwrites(id, &insn, b->y))
        b->y = op1(b, IR_MOV, b->y);
}

static void begin_instruction(struct builder *b, vaddr pc, struct insn *insn)
{
    b->pc = pc;
    b->id = isa_decode(b->context->core->decoder, word_at(b, pc), insn);
    b->insn = insn;
    if (b->context->line_mask != 0 && (b->index == 0 || is_first_of_line(b, pc)))
        add_op(b, IR_FETCH_LINE);
    b->segment->words = b->index + 1;
}

static void end_conditional(struct builder *b, enum ir_opcode opcode, vaddr target, bool inverse)
{
    struct ir_op *op = add_op(b, opcode);
    op->condition = (uint8_t)(inverse ? ir_inverse(b->condition) : b->condition);
    op->a = b->x;
    op->b = b->y;
    op->target = target;
}

static void end_at(struct builder *b, enum ir_opcode opcode, vaddr target)
{
    add_op(b, opcode)->target = target;
}

static void build_delay_slot(struct builder *b, vaddr pc)
{
    struct insn insn;
    b->index++;
    b->branch = BRANCH_NONE;
    begin_instruction(b, pc, &insn);
    build_instruction(b);
    b->segment->ends_in_branch = true;
}

/* The branch at hand has been built; its delay slot follows. */
static void end_in_branch(struct builder *b)
{
    vaddr branch = b->pc;
    bool likely = b->likely;
    enum ir_condition condition = b->condition;
    vaddr target = b->target;
    int kind = (int)b->branch;
    bool calls = b->id == ISA_JALR ? b->insn->rd == 31 : isa_table[b->id].defines & OPERAND_31;
    bool returns = b->id == ISA_JR && b->insn->rs == 31;
    if (likely && kind == BRANCH_CONDITIONAL)
        end_conditional(b, IR_ANNUL, branch + 8, true);
    else
        keep_operands(b, branch + 4);
    build_delay_slot(b, branch + 4);
    if (b->branch == BRANCH_EXCEPTION) { /* a trap that is certain */
        end_at(b, IR_EXCEPTION, b->target);
        return;
    }
    b->condition = condition;
    if (kind == BRANCH_INDIRECT) {
        struct ir_op *op = add_op(b, IR_INDIRECT);
        op->a = b->x;
        op->calls = calls;
        op->returns = returns;
    } else if (kind == BRANCH_TO || likely) {
        end_at(b, IR_GOTO, target);
        last_op(b)->calls = calls && kind == BRANCH_TO;
    } else {
        end_conditional(b, IR_BRANCH, target, false);
    }
}

/* Count the loads and stores of SEGMENT at its beginning, those of a delay slot that may be annulled behind ANNUL; and
 * tell every operation how many come after its instruction. */
static void count_accesses(struct ir_segment *segment)
{
    unsigned loads = 0, stores = 0;
    for (unsigned i = segment->count; i-- > 0;) {
        struct ir_op *op = &segment->ops[i];
        switch (op->opcode) {
        case IR_LOAD:
        case IR_LOAD64:
        case IR_LOAD_UNALIGNED:
        case IR_LOAD_LINKED:
            op->loads = (uint8_t)loads++;
            op->stores = (uint8_t)stores;
            break;
        case IR_STORE:
        case IR_STORE64:
        case IR_STORE_MERGED:
        case IR_STORE_CONDITIONAL:
            op->loads = (uint8_t)loads;
            op->stores = (uint8_t)stores++;
            break;
        case IR_COUNT:
            op->loads = (uint8_t)loads;
            op->stores = (uint8_t)stores;
            loads = stores = 0;
            break;
        default: op->loads = (uint8_t)loads; op->stores = (uint8_t)stores;
        }
    }
}

/* One instruction that is not a branch; false if the segment ends before it, or with it. */
static bool build_next(struct builder *b, vaddr pc)
{
    const struct build_context *context = b->context;
    struct insn insn;
    bool may_end = b->index > 0 && (context->line_mask == 0 || is_first_of_line(b, pc));
    if (b->index > 0 && is_first_of_page(pc)) {
        end_at(b, IR_GOTO, pc);
        return false;
    }
    if (may_end && (b->index >= context->max_insns || context->has_code(context->opaque, pc))) {
        end_at(b, IR_GOTO, pc);
        return false;
    }
    enum isa_id id = isa_identify(context->core->decoder, word_at(b, pc));
    bool branches = isa_table[id].flags & INSN_DELAY_SLOT;
    if (build_is_hooked(context->core, pc) || (branches && !has_plain_delay_slot(b, pc))) {
        end_at(b, IR_STEP, pc);
        return false;
    }
    begin_instruction(b, pc, &insn);
    if (branches && (isa_table[isa_identify(context->core->decoder, word_at(b, pc + 4))].flags & INSN_FPU))
        need_fpu(b); /* of the delay slot: another engine can take over here, but not there */
    build_instruction(b);
    switch (b->branch) {
    case BRANCH_NONE: return true;
    case BRANCH_ERET: end_at(b, IR_ERET, 0); break;
    case BRANCH_EXCEPTION: end_at(b, IR_EXCEPTION, b->target); break;
    default: end_in_branch(b);
    }
    b->index++;
    return false;
}

struct ir_segment *build_segment(struct ir_trace *trace, const struct build_context *context, vaddr pc)
{
    const struct ir_segment *last = trace->count > 0 ? &trace->segments[trace->count - 1] : NULL;
    struct ir_op *ops = last != NULL ? last->ops + last->count : trace->ops;
    unsigned temps = last != NULL ? last->temps : 0;
    if (trace->count == IR_MAX_SEGMENTS || trace->ops + IR_MAX_OPS - ops < IR_SEGMENT_OPS ||
        temps + IR_SEGMENT_OPS > IR_MAX_TEMPS)
        return NULL;
    struct ir_segment *segment = &trace->segments[trace->count++];
    *segment = (struct ir_segment){.pc = pc, .first_temp = temps, .temps = temps, .ops = ops};
    struct builder b = {.context = context, .segment = segment};
    add_op(&b, IR_COUNT);
    while (build_next(&b, pc + b.index * 4))
        b.index++;
    segment->insns = b.index;
    count_accesses(segment);
    return segment;
}
