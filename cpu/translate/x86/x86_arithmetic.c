/* Operations on values, except memory accesses and control transfers. */
#include "cpu/translate/x86/x86_emitter.h"

/* Register in which to compute the result: that of DST, unless B still needs it. */
static int target_register(struct place dst, struct place b)
{
    if (dst.kind != PLACE_REG || place_is_reg(b, dst.reg))
        return RAX;
    return dst.reg;
}

static void alu_from(struct host_emitter *e, enum x86_alu op, int to, struct place from)
{
    if (from.kind == PLACE_CONST)
        x86_alu_imm(&e->x, op, x86_reg(to), from.constant);
    else
        x86_alu(&e->x, op, to, place_operand(from));
}

static bool same_memory(struct place a, struct place b)
{
    return a.kind == PLACE_MEM && b.kind == PLACE_MEM && a.mem.displacement == b.mem.displacement &&
           a.mem.base == b.mem.base;
}

/* Sum of registers and constants into a different register: a single lea. */
static bool sum_by_lea(struct host_emitter *e, struct place dst, struct place a, struct place b)
{
    if (dst.kind != PLACE_REG || a.kind != PLACE_REG || place_is_reg(a, dst.reg))
        return false;
    if (b.kind == PLACE_CONST)
        x86_lea(&e->x, dst.reg, x86_mem(a.reg, (int32_t)b.constant));
    else if (b.kind == PLACE_REG && b.reg != dst.reg)
        x86_lea(&e->x, dst.reg, x86_indexed(a.reg, b.reg, 0, 0));
    else
        return false;
    return true;
}

static void emit_alu(struct host_emitter *e, enum x86_alu alu, struct place dst, struct place a, struct place b)
{
    struct x86 *x = &e->x;
    if (alu != X86_SUB && (place_is_reg(b, dst.kind == PLACE_REG ? dst.reg : X86_NONE) || same_memory(b, dst))) {
        struct place swap = a;
        a = b;
        b = swap;
    }
    if (alu == X86_ADD && sum_by_lea(e, dst, a, b))
        return;
    if (same_memory(dst, a) && b.kind != PLACE_MEM) {
        if (b.kind == PLACE_CONST)
            x86_alu_imm(x, alu, dst.mem, b.constant);
        else
            x86_alu_store(x, alu, dst.mem, b.reg);
        return;
    }
    int to = target_register(dst, b);
    if (alu == X86_AND && b.kind == PLACE_CONST && (b.constant == 0xff || b.constant == 0xffff) &&
        a.kind != PLACE_CONST) {
        if (b.constant == 0xff)
            x86_movzx8(x, to, place_operand(a));
        else
            x86_movzx16(x, to, place_operand(a));
    } else {
        place_load(e, to, a);
        alu_from(e, alu, to, b);
    }
    place_store(e, dst, to);
}

static void emit_shift(struct host_emitter *e, enum x86_shift shift, struct place dst, struct place a, struct place b)
{
    struct x86 *x = &e->x;
    if (b.kind == PLACE_CONST) {
        if (same_memory(dst, a)) {
            x86_shift_imm(x, shift, dst.mem, b.constant);
            return;
        }
        int to = target_register(dst, b);
        place_load(e, to, a);
        x86_shift_imm(x, shift, x86_reg(to), b.constant);
        place_store(e, dst, to);
        return;
    }
    place_load(e, RAX, a); /* before B: A may be in rcx */
    place_load(e, RCX, b);
    x86_shift_cl(x, shift, x86_reg(RAX));
    place_store(e, dst, RAX);
}

enum x86_condition emit_compare(struct host_emitter *e, enum ir_condition condition, struct ir_value va,
                                struct ir_value vb)
{
    static const enum x86_condition conditions[] = {X86_E, X86_NE, X86_L, X86_GE, X86_B, X86_AE};
    static const enum x86_condition swapped[] = {X86_E, X86_NE, X86_G, X86_LE, X86_A, X86_BE};
    struct x86 *x = &e->x;
    struct place a = place_of(e, va), b = place_of(e, vb);
    enum x86_condition result = conditions[condition];
    if (a.kind == PLACE_CONST && b.kind != PLACE_CONST) {
        struct place swap = a;
        a = b;
        b = swap;
        result = swapped[condition];
    }
    if (a.kind == PLACE_CONST || (a.kind == PLACE_MEM && b.kind == PLACE_MEM)) {
        place_load(e, RAX, a);
        a = (struct place){.kind = PLACE_REG, .reg = RAX};
    }
    if (b.kind == PLACE_CONST && b.constant == 0 && a.kind == PLACE_REG)
        x86_test(x, a.reg, a.reg);
    else if (b.kind == PLACE_CONST)
        x86_alu_imm(x, X86_CMP, place_operand(a), b.constant);
    else if (a.kind == PLACE_MEM)
        x86_alu_store(x, X86_CMP, a.mem, b.reg);
    else
        x86_alu(x, X86_CMP, a.reg, place_operand(b));
    return result;
}

static void emit_set(struct host_emitter *e, const struct ir_op *op, struct place dst)
{
    struct x86 *x = &e->x;
    enum x86_condition condition = emit_compare(e, (enum ir_condition)op->condition, op->a, op->b);
    x86_set(x, condition, RAX);
    int to = dst.kind == PLACE_REG ? dst.reg : RAX;
    x86_movzx8(x, to, x86_reg(RAX));
    place_store(e, dst, to);
}

/* Load P without changing the flags. */
static void load_keeping_flags(struct host_emitter *e, int reg, struct place p)
{
    if (p.kind == PLACE_CONST)
        x86_mov_imm_keeping_flags(&e->x, reg, p.constant);
    else
        place_load(e, reg, p);
}

static void emit_select(struct host_emitter *e, const struct ir_op *op, struct place dst)
{
    struct x86 *x = &e->x;
    struct place yes = place_of(e, op->c), no = place_of(e, op->d);
    enum x86_condition condition = emit_compare(e, (enum ir_condition)op->condition, op->a, op->b);
    if (yes.kind == PLACE_CONST) { /* cmov takes no constant */
        struct place swap = yes;
        yes = no;
        no = swap;
        condition = x86_inverse(condition);
    }
    int to = target_register(dst, yes);
    if (yes.kind == PLACE_CONST) { /* both are constants */
        uint8_t *over;
        load_keeping_flags(e, RAX, no);
        over = x86_jcc_short(x, x86_inverse(condition));
        load_keeping_flags(e, RAX, yes);
        x86_patch_short(over, x->at);
        place_store(e, dst, RAX);
        return;
    }
    load_keeping_flags(e, to, no);
    x86_cmov(x, condition, to, place_operand(yes));
    place_store(e, dst, to);
}

/* Load P, sign- or zero-extended to 64 bits, into REG. */
static void load_wide(struct host_emitter *e, int reg, struct place p, bool is_signed)
{
    if (p.kind == PLACE_CONST && is_signed)
        x86_mov_imm64(&e->x, reg, (uint64_t)(int64_t)(int32_t)p.constant);
    else if (is_signed)
        x86_movsxd(&e->x, reg, place_operand(p));
    else
        place_load(e, reg, p);
}

static void emit_multiply_wide(struct host_emitter *e, struct place dst, struct place a, struct place b, bool is_signed)
{
    load_wide(e, RAX, a, is_signed); /* before B: A may be in rcx */
    load_wide(e, RCX, b, is_signed);
    x86_imul64(&e->x, RAX, x86_reg(RCX));
    place_store64(e, dst, RAX);
}

static void emit_multiply(struct host_emitter *e, struct place dst, struct place a, struct place b)
{
    if (b.kind == PLACE_CONST) {
        struct place swap = a;
        a = b;
        b = swap;
    }
    if (b.kind == PLACE_CONST) {
        place_load(e, RAX, (struct place){.kind = PLACE_CONST, .constant = a.constant * b.constant});
        place_store(e, dst, RAX);
        return;
    }
    int to = target_register(dst, b);
    place_load(e, to, a);
    x86_imul(&e->x, to, place_operand(b));
    place_store(e, dst, to);
}

/* Quotient into eax, remainder into edx; on division by zero or overflow the dividend and 0. */
static void divide(struct host_emitter *e, struct place a, struct place b, bool is_signed)
{
    struct x86 *x = &e->x;
    place_load(e, RAX, a);
    place_load(e, RCX, b);
    x86_mov_imm(x, RDX, 0);
    x86_test(x, RCX, RCX);
    uint8_t *by_zero = x86_jcc_short(x, X86_E);
    if (!is_signed) {
        x86_div(x, RCX);
        x86_patch_short(by_zero, x->at);
        return;
    }
    x86_alu_imm(x, X86_CMP, x86_reg(RCX), 0xffffffff);
    uint8_t *by_minus_one = x86_jcc_short(x, X86_E);
    x86_cdq(x);
    x86_idiv(x, RCX);
    uint8_t *done = x86_jump_short(x);
    x86_patch_short(by_minus_one, x->at);
    x86_neg(x, x86_reg(RAX)); /* the least integer negated is itself */
    x86_patch_short(by_zero, x->at);
    x86_patch_short(done, x->at);
}

static bool emit_division(struct host_emitter *e, const struct ir_op *op, struct place dst)
{
    bool is_signed = op->opcode == IR_DIV_S || op->opcode == IR_REM_S;
    bool quotient = op->opcode == IR_DIV_S || op->opcode == IR_DIV_U;
    /* A remainder that follows its division is still in edx: DIV and REM come in pairs (isa.def). */
    bool follows = !quotient && op > e->block->ops && op[-1].opcode == (is_signed ? IR_DIV_S : IR_DIV_U) &&
                   ir_same(op[-1].a, op->a) && ir_same(op[-1].b, op->b);
    if (!follows)
        divide(e, place_of(e, op->a), place_of(e, op->b), is_signed);
    place_store(e, dst, quotient ? RAX : RDX);
    return true;
}

static void emit_leading_zeros(struct host_emitter *e, struct place dst, struct place a)
{
    struct x86 *x = &e->x;
    place_load(e, RCX, a);
    x86_bsr(x, RCX, x86_reg(RCX));
    x86_mov_imm_keeping_flags(x, RAX, 63);
    x86_cmov(x, X86_E, RCX, x86_reg(RAX)); /* for 0: 63 ^ 31 = 32 */
    x86_alu_imm(x, X86_XOR, x86_reg(RCX), 31);
    place_store(e, dst, RCX);
}

static void emit_join(struct host_emitter *e, struct place dst, struct place high, struct place low)
{
    struct x86 *x = &e->x;
    place_load(e, RAX, high);
    place_load(e, RCX, low);
    x86_shift64_imm(x, X86_SHL, x86_reg(RAX), 32);
    x86_alu64(x, X86_OR, RAX, x86_reg(RCX));
    place_store64(e, dst, RAX);
}

static void emit_unary(struct host_emitter *e, const struct ir_op *op, struct place dst, struct place a)
{
    struct x86 *x = &e->x;
    int to = dst.kind == PLACE_REG ? dst.reg : RAX;
    switch (op->opcode) {
    case IR_MOV:
        if (dst.kind == PLACE_MEM && a.kind == PLACE_CONST) {
            x86_store_imm(x, dst.mem, a.constant);
            return;
        }
        if (dst.kind == PLACE_MEM && a.kind == PLACE_REG)
            to = a.reg;
        place_load(e, to, a);
        break;
    case IR_NOT:
        place_load(e, to, a);
        x86_not(x, x86_reg(to));
        break;
    case IR_SEXT8: x86_movsx8(x, to, place_operand(a)); break;
    case IR_SEXT16: x86_movsx16(x, to, place_operand(a)); break;
    case IR_HIGH:
        place_load64(e, RAX, a);
        x86_shift64_imm(x, X86_SHR, x86_reg(RAX), 32);
        to = RAX;
        break;
    default: /* IR_LOW */ x86_mov(x, to, place_operand(a)); break;
    }
    place_store(e, dst, to);
}

static void emit_wide_sum(struct host_emitter *e, const struct ir_op *op, struct place dst)
{
    struct place b = place_of(e, op->b);
    place_load64(e, RAX, place_of(e, op->a));
    x86_alu64(&e->x, op->opcode == IR_ADD64 ? X86_ADD : X86_SUB, RAX, place_operand(b));
    place_store64(e, dst, RAX);
}

static void emit_set_wide_state(struct host_emitter *e, const struct ir_op *op)
{
    struct place a = place_of(e, op->a);
    int from = a.kind == PLACE_REG ? a.reg : RAX;
    place_load64(e, from, a);
    x86_store64(&e->x, x86_state(op->target), from);
}

bool emit_arithmetic(struct host_emitter *e, const struct ir_op *op)
{
    struct place dst = op->dst.kind != IR_NONE ? place_of(e, op->dst) : (struct place){.kind = PLACE_REG, .reg = RAX};
    struct place a = op->a.kind != IR_NONE ? place_of(e, op->a) : dst;
    struct place b = op->b.kind != IR_NONE ? place_of(e, op->b) : dst;
    switch (op->opcode) {
    case IR_MOV:
    case IR_NOT:
    case IR_SEXT8:
    case IR_SEXT16:
    case IR_HIGH:
    case IR_LOW: emit_unary(e, op, dst, a); return true;
    case IR_ADD: emit_alu(e, X86_ADD, dst, a, b); return true;
    case IR_SUB: emit_alu(e, X86_SUB, dst, a, b); return true;
    case IR_AND: emit_alu(e, X86_AND, dst, a, b); return true;
    case IR_OR: emit_alu(e, X86_OR, dst, a, b); return true;
    case IR_XOR: emit_alu(e, X86_XOR, dst, a, b); return true;
    case IR_SHL: emit_shift(e, X86_SHL, dst, a, b); return true;
    case IR_SHR: emit_shift(e, X86_SHR, dst, a, b); return true;
    case IR_SAR: emit_shift(e, X86_SAR, dst, a, b); return true;
    case IR_ROTR: emit_shift(e, X86_ROR, dst, a, b); return true;
    case IR_CLZ: emit_leading_zeros(e, dst, a); return true;
    case IR_COMPARE: emit_set(e, op, dst); return true;
    case IR_SELECT: emit_select(e, op, dst); return true;
    case IR_MUL: emit_multiply(e, dst, a, b); return true;
    case IR_MUL_S64: emit_multiply_wide(e, dst, a, b, true); return true;
    case IR_MUL_U64: emit_multiply_wide(e, dst, a, b, false); return true;
    case IR_ADD64:
    case IR_SUB64: emit_wide_sum(e, op, dst); return true;
    case IR_JOIN64: emit_join(e, dst, a, b); return true;
    case IR_SET_STATE64: emit_set_wide_state(e, op); return true;
    case IR_DIV_S:
    case IR_REM_S:
    case IR_DIV_U:
    case IR_REM_U: return emit_division(e, op, dst);
    default: return false;
    }
}
