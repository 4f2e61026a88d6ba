/*
 * Values of the intermediate form under construction: constants are folded, results are assigned directly to the
 * register that the instruction writes, sums become displacements.
 */
#include "cpu/translate/builder.h"
#include "src/base/log.h"
#include <string.h>

/* Operations */

struct ir_op *build_last_op(struct builder *b)
{
    return &b->block->ops[b->block->count - 1];
}

struct ir_op *build_add_op(struct builder *b, enum ir_opcode opcode)
{
    struct ir_op *op = &b->block->ops[b->block->count++];
    *op = (struct ir_op){.opcode = (uint8_t)opcode, .index = (uint8_t)b->index};
    return op;
}

static value new_temp(struct builder *b)
{
    return (value){.kind = IR_TEMP, .number = (uint16_t)b->block->temps++};
}

value build_op2(struct builder *b, enum ir_opcode opcode, value x, value y)
{
    struct ir_op *op = build_add_op(b, opcode);
    op->a = x;
    op->b = y;
    op->dst = new_temp(b);
    return op->dst;
}

value build_op1(struct builder *b, enum ir_opcode opcode, value x)
{
    return build_op2(b, opcode, x, (value){0});
}

/* Is V the result of the last operation, and is that an OPCODE? */
bool build_is_last(struct builder *b, value v, enum ir_opcode opcode)
{
    return v.kind == IR_TEMP && b->block->count > 0 && ir_same(build_last_op(b)->dst, v) &&
           build_last_op(b)->opcode == opcode;
}

struct ir_op build_take_last(struct builder *b)
{
    return b->block->ops[--b->block->count];
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

/* Is X OP Y equal to X? */
static bool is_neutral(enum ir_opcode opcode, uint32_t y)
{
    return opcode == IR_AND ? y == 0xffffffff : y == 0;
}

value build_arithmetic(struct builder *b, enum ir_opcode opcode, value x, value y)
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
    if (shift && build_is_last(b, y, IR_AND) && ir_is_const(build_last_op(b)->b, 31))
        y = build_take_last(b).a; /* shift counts are modulo 32 anyway */
    if (shift && y.kind == IR_CONST)
        y.constant &= 31;
    if (y.kind == IR_CONST && is_neutral(opcode, y.constant))
        return x;
    if (opcode == IR_AND && ir_is_const(y, 0))
        return y;
    return build_op2(b, opcode, x, y);
}

value build_invert(struct builder *b, value x)
{
    return x.kind == IR_CONST ? ir_const(~x.constant) : build_op1(b, IR_NOT, x);
}

value build_extend(struct builder *b, enum ir_opcode opcode, value x)
{
    if (x.kind != IR_CONST)
        return build_op1(b, opcode, x);
    return ir_const(opcode == IR_SEXT8 ? (uint32_t)(int8_t)x.constant : (uint32_t)(int16_t)x.constant);
}

value build_leading_zeros(struct builder *b, value x)
{
    if (x.kind != IR_CONST)
        return build_op1(b, IR_CLZ, x);
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

value build_compare(struct builder *b, enum ir_condition condition, value x, value y)
{
    if (x.kind == IR_CONST && y.kind == IR_CONST)
        return ir_const(holds(condition, x.constant, y.constant));
    if (ir_same(x, y))
        return ir_const(holds(condition, 0, 0));
    if ((condition == IR_EQ || condition == IR_NE) && ir_is_const(y, 0) && build_is_last(b, x, IR_COMPARE)) {
        if (condition == IR_EQ)
            build_last_op(b)->condition = (uint8_t)ir_inverse((enum ir_condition)build_last_op(b)->condition);
        return x;
    }
    if ((condition == IR_EQ || condition == IR_NE) && ir_is_const(y, 0) && x.kind == IR_STATE && x.number < REGISTERS &&
        b->compared[x.number].valid) { /* slt, bne: the branch makes the comparison itself */
        const struct comparison *earlier = &b->compared[x.number];
        condition = condition == IR_NE ? earlier->condition : ir_inverse(earlier->condition);
        x = earlier->a;
        y = earlier->b;
    }
    value result = build_op2(b, IR_COMPARE, x, y);
    build_last_op(b)->condition = (uint8_t)condition;
    return result;
}

/* The comparison that computed V. If it is the last operation it is removed from the list; otherwise the condition is V
 * != 0. */
void build_condition_of(struct builder *b, value v, enum ir_condition *condition, value *x, value *y)
{
    if (build_is_last(b, v, IR_COMPARE)) {
        struct ir_op op = build_take_last(b);
        *condition = (enum ir_condition)op.condition;
        *x = op.a;
        *y = op.b;
    } else {
        *condition = IR_NE;
        *x = v;
        *y = ir_const(0);
    }
}

/* C is evaluated first, so its operation must precede those of the two values. */
value build_select_value(struct builder *b, value c, value if_true, value if_false)
{
    if (c.kind == IR_CONST)
        return c.constant ? if_true : if_false;
    enum ir_condition condition;
    value x, y;
    build_condition_of(b, c, &condition, &x, &y);
    struct ir_op *op = build_add_op(b, IR_SELECT);
    op->condition = (uint8_t)condition;
    op->a = x;
    op->b = y;
    op->c = if_true;
    op->d = if_false;
    op->dst = new_temp(b);
    return op->dst;
}

value build_low(struct builder *b, value p)
{
    if (build_is_last(b, p, IR_MUL_S64) || build_is_last(b, p, IR_MUL_U64)) {
        build_last_op(b)->opcode = IR_MUL;
        return p;
    }
    return build_op1(b, IR_LOW, p);
}

/* Registers */

value build_read_register(struct builder *b, unsigned number)
{
    if (number == 0)
        return ir_const(0);
    return b->known[number].kind == IR_CONST ? b->known[number] : ir_state(number);
}

/* Is the result of OP known to be a multiple of 4, from what is known of its operands? */
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

static bool is_register(value v, unsigned number)
{
    return v.kind == IR_STATE && v.number == number;
}

/* Register NUMBER has a new value, computed by OP; NULL: unknown. */
static void note_comparison(struct builder *b, unsigned number, const struct ir_op *op)
{
    for (unsigned i = 0; i < REGISTERS; i++)
        if (is_register(b->compared[i].a, number) || is_register(b->compared[i].b, number))
            b->compared[i].valid = false;
    b->compared[number].valid = false;
    if (op == NULL || op->opcode != IR_COMPARE || is_register(op->a, number) || is_register(op->b, number))
        return;
    if (op->a.kind != IR_TEMP && op->b.kind != IR_TEMP)
        b->compared[number] =
            (struct comparison){.valid = true, .condition = (enum ir_condition)op->condition, .a = op->a, .b = op->b};
}

void build_write_state(struct builder *b, unsigned number, value v)
{
    if (number == 0 || number == GPR_SINK || b->branch == BRANCH_EXCEPTION)
        return;
    bool tracked = number < REGISTERS;
    if (v.kind == IR_CONST) {
        if (tracked && ir_same(b->known[number], v))
            return;
        struct ir_op *op = build_add_op(b, IR_MOV);
        op->a = v;
        op->dst = ir_state(number);
    } else if (v.kind == IR_TEMP && ir_same(build_last_op(b)->dst, v)) {
        build_last_op(b)->dst = ir_state(number);
    } else if (v.kind == IR_STATE && v.number == number) {
        return;
    } else {
        struct ir_op *op = build_add_op(b, IR_MOV);
        op->a = v;
        op->dst = ir_state(number);
    }
    if (tracked) {
        b->aligned[number] = result_is_aligned(b, build_last_op(b));
        b->known[number] = v.kind == IR_CONST ? v : (value){0};
        note_comparison(b, number, build_last_op(b));
    }
}

void build_forget_register(struct builder *b, unsigned number)
{
    b->known[number] = (value){0};
    b->aligned[number] = false;
    note_comparison(b, number, NULL);
}

/* Floating-point registers */

void build_need_fpu(struct builder *b)
{
    if (b->fpu_checked)
        return;
    build_add_op(b, IR_NEED_FPU)->target = b->context->fr;
    b->fpu_checked = true;
}

unsigned build_fpr_word(unsigned number, unsigned half)
{
    return STATE_FPR + 2 * number + half;
}

value build_read_double(struct builder *b, unsigned number)
{
    if (!b->context->fr)
        return build_op2(b, IR_JOIN64, ir_state(build_fpr_word(number | 1, 0)),
                         ir_state(build_fpr_word(number & ~1u, 0)));
    return ir_state(build_fpr_word(number, 0)); /* operations on 64 bits use this word and the next */
}

void build_write_double(struct builder *b, unsigned number, value v)
{
    if (!b->context->fr) {
        value words[2] = {build_op1(b, IR_LOW, v), (value){0}};
        build_write_state(b, build_fpr_word(number & ~1u, 0), words[0]);
        words[1] = build_op1(b, IR_HIGH, v);
        build_write_state(b, build_fpr_word(number | 1, 0), words[1]);
        return;
    }
    if (build_is_last(b, v, IR_LOAD64)) {
        build_last_op(b)->dst = ir_state(build_fpr_word(number, 0));
        return;
    }
    struct ir_op *op = build_add_op(b, IR_SET_STATE64);
    op->target = build_fpr_word(number, 0);
    op->a = v;
}

/* Callers only test for nonzero, so the bit is not shifted out of its position in FCSR. */
value build_condition_code(struct builder *b, unsigned cc)
{
    return build_arithmetic(b, IR_AND, ir_state(STATE_FCR31), ir_const((uint32_t)1 << (cc == 0 ? 23 : 24 + cc)));
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

/* If ADDRESS is the sum of a value and a constant that one of the last two operations computed, remove that addition:
 * the access does it. The value to be stored may have been computed after it. */
static bool take_sum(struct builder *b, value address, struct ir_op *sum)
{
    struct ir_block *block = b->block;
    for (unsigned i = block->count; address.kind == IR_TEMP && i > 0 && i + 2 > block->count; i--) {
        struct ir_op *op = &block->ops[i - 1];
        if (!ir_same(op->dst, address))
            continue;
        if (op->opcode != IR_ADD || op->b.kind != IR_CONST)
            return false;
        *sum = *op;
        memmove(op, op + 1, (block->count - i) * sizeof *op);
        block->count--;
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
    struct ir_op *op = build_add_op(b, opcode);
    set_address(b, op, base, displacement);
    return op;
}

/* A word access (WORD) at OP's address did not raise an address error, so its base register is aligned. */
static void note_alignment(struct builder *b, const struct ir_op *op, bool word)
{
    if (word && op->a.kind == IR_STATE && op->a.number < REGISTERS && op->displacement % 4 == 0)
        b->aligned[op->a.number] = true;
}

value build_load(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address)
{
    struct ir_op *op = memory_op(b, opcode, address);
    op->type = (uint8_t)type;
    note_alignment(b, op, opcode == IR_LOAD64 || (opcode == IR_LOAD && type == IR_U32));
    op->dst = new_temp(b);
    return op->dst;
}

void build_store(struct builder *b, enum ir_opcode opcode, enum ir_type type, value address, value v)
{
    struct ir_op *op = memory_op(b, opcode, address);
    op->type = (uint8_t)type;
    op->b = v;
    note_alignment(b, op, opcode == IR_STORE64 || (opcode == IR_STORE && type == IR_U32));
}

void build_store_merged(struct builder *b, value address, value v, value mask)
{
    struct ir_op *op = build_add_op(b, IR_STORE_MERGED);
    op->a = address;
    op->b = v;
    op->c = mask;
}

value build_unaligned(struct builder *b, value address)
{
    struct ir_op *op = build_add_op(b, IR_LOAD_UNALIGNED);
    op->a = address;
    op->dst = new_temp(b);
    return op->dst;
}

value build_store_conditional(struct builder *b, value address, value v)
{
    struct ir_op *op = memory_op(b, IR_STORE_CONDITIONAL, address);
    op->b = v;
    op->dst = new_temp(b);
    return op->dst;
}
