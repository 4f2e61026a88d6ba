/* Values of an instruction, and arithmetic on them. */
#include "cpu/mipsy/x86_emitter.h"

int value_new(struct mipsy_translator *t)
{
    if (t->free == 0) {
        t->failed = true;
        return temporary(0);
    }
    const unsigned number = (unsigned)__builtin_ctz(t->free);
    t->free &= t->free - 1;
    return temporary(number);
}

static struct value host_value(int reg)
{
    return (struct value){.kind = VALUE_HOST, .reg = (int8_t)reg};
}

void value_done(struct mipsy_translator *t, struct value v)
{
    if (v.kind != VALUE_HOST || v.named)
        return;
    for (unsigned i = 0; i < TEMPORARIES; i++)
        if (temporary(i) == v.reg)
            t->free |= 1u << i;
}

static struct value from_operand(struct operand o)
{
    return (struct value){.kind = o.kind, .reg = o.reg, .named = o.named, .guest = o.guest, .constant = o.constant};
}

static struct operand to_operand(struct value v)
{
    return (struct operand){
        .kind = (uint8_t)v.kind, .reg = v.reg, .named = v.named, .guest = v.guest, .constant = v.constant};
}

void value_load(struct mipsy_translator *t, int reg, struct value v)
{
    struct x86 *x = &t->x;
    switch (v.kind) {
    case VALUE_CONST: x86_mov_imm(x, reg, v.constant); break;
    case VALUE_GUEST: x86_mov(x, reg, at_guest(v.guest)); break;
    case VALUE_SUM:
        x86_mov(x, reg, at_guest(v.guest));
        x86_alu_imm(x, X86_ADD, x86_reg(reg), v.constant);
        break;
    case VALUE_HOST:
        if (v.reg != reg)
            x86_mov(x, reg, x86_reg(v.reg));
        break;
    case VALUE_CONDITION: {
        const enum x86_condition condition = value_test(t, v);
        x86_set(x, condition, RAX);
        x86_movzx8(x, reg, x86_reg(RAX));
        break;
    }
    }
}

int value_in(struct mipsy_translator *t, struct value v, int scratch)
{
    if (v.kind == VALUE_HOST)
        return v.reg;
    value_load(t, scratch, v);
    return scratch;
}

/* V in a temporary that may be changed. */
static int owned(struct mipsy_translator *t, struct value v)
{
    if (v.kind == VALUE_HOST && !v.named)
        return v.reg;
    const int reg = value_new(t);
    value_load(t, reg, v);
    return reg;
}

/* V as it can be read by an instruction; no constant. */
static struct x86_operand readable(struct mipsy_translator *t, struct value v, int scratch)
{
    return v.kind == VALUE_GUEST ? at_guest(v.guest) : x86_reg(value_in(t, v, scratch));
}

struct value value_named(struct mipsy_translator *t, struct value v)
{
    if (v.kind == VALUE_CONST)
        return v;
    struct value named = host_value(owned(t, v));
    named.named = true;
    return named;
}

static uint32_t fold(enum x86_alu op, uint32_t a, uint32_t b)
{
    switch (op) {
    case X86_ADD: return a + b;
    case X86_SUB: return a - b;
    case X86_AND: return a & b;
    case X86_OR: return a | b;
    default: return a ^ b;
    }
}

struct value value_binary(struct mipsy_translator *t, enum x86_alu op, struct value a, struct value b)
{
    if (a.kind == VALUE_CONST && b.kind == VALUE_CONST)
        return value_const(fold(op, a.constant, b.constant));
    const bool is_own = a.kind == VALUE_HOST && !a.named, may_own = b.kind == VALUE_HOST && !b.named;
    if (op != X86_SUB && (a.kind == VALUE_CONST || (may_own && !is_own))) {
        const struct value swap = a;
        a = b;
        b = swap;
    }
    if (b.kind == VALUE_CONST && b.constant == (op == X86_AND ? UINT32_MAX : 0))
        return a;
    if (b.kind == VALUE_CONST && b.constant == 0 && op == X86_AND) {
        value_done(t, a);
        return b;
    }
    if (op == X86_ADD && a.kind == VALUE_GUEST && b.kind == VALUE_CONST) {
        a.kind = VALUE_SUM;
        a.constant = b.constant;
        return a;
    }
    const int reg = owned(t, a);
    if (b.kind == VALUE_CONST)
        x86_alu_imm(&t->x, op, x86_reg(reg), b.constant);
    else
        x86_alu(&t->x, op, reg, readable(t, b, RCX));
    value_done(t, b);
    return host_value(reg);
}

struct value value_shift(struct mipsy_translator *t, enum x86_shift op, struct value a, struct value b)
{
    if (a.kind == VALUE_CONST && b.kind == VALUE_CONST && op == X86_SHL)
        return value_const(a.constant << (b.constant & 31));
    if (a.kind == VALUE_CONST && b.kind == VALUE_CONST && op == X86_SHR)
        return value_const(a.constant >> (b.constant & 31));
    if (b.kind == VALUE_CONST) {
        const int reg = owned(t, a);
        x86_shift_imm(&t->x, op, x86_reg(reg), b.constant & 31);
        return host_value(reg);
    }
    const int reg = owned(t, a);
    value_load(t, RCX, b);
    x86_shift_cl(&t->x, op, x86_reg(reg));
    value_done(t, b);
    return host_value(reg);
}

struct value value_not(struct mipsy_translator *t, struct value a)
{
    if (a.kind == VALUE_CONST)
        return value_const(~a.constant);
    const int reg = owned(t, a);
    x86_not(&t->x, x86_reg(reg));
    return host_value(reg);
}

struct value value_extend(struct mipsy_translator *t, bool is_byte, struct value a)
{
    if (a.kind == VALUE_CONST)
        return value_const(is_byte ? (uint32_t)(int8_t)a.constant : (uint32_t)(int16_t)a.constant);
    const struct x86_operand from = readable(t, a, RAX);
    value_done(t, a);
    const int reg = value_new(t);
    if (is_byte)
        x86_movsx8(&t->x, reg, from);
    else
        x86_movsx16(&t->x, reg, from);
    return host_value(reg);
}

struct value value_leading_zeros(struct mipsy_translator *t, struct value a)
{
    struct x86 *x = &t->x;
    value_load(t, RCX, a);
    value_done(t, a);
    x86_bsr(x, RCX, x86_reg(RCX));
    x86_mov_imm_keeping_flags(x, RAX, 63);
    x86_cmov(x, X86_E, RCX, x86_reg(RAX)); /* of 0: 63 ^ 31 = 32 */
    x86_alu_imm(x, X86_XOR, x86_reg(RCX), 31);
    const int reg = value_new(t);
    x86_mov(x, reg, x86_reg(RCX));
    return host_value(reg);
}

static enum x86_condition swapped(enum x86_condition condition)
{
    switch (condition) {
    case X86_L: return X86_G;
    case X86_GE: return X86_LE;
    case X86_B: return X86_A;
    default: return condition; /* equal, not equal */
    }
}

static bool holds(enum x86_condition condition, uint32_t a, uint32_t b)
{
    switch (condition) {
    case X86_L: return (int32_t)a < (int32_t)b;
    case X86_GE: return (int32_t)a >= (int32_t)b;
    case X86_B: return a < b;
    case X86_E: return a == b;
    default: return a != b;
    }
}

struct value value_compare(struct mipsy_translator *t, enum x86_condition condition, struct value a, struct value b)
{
    if (a.kind == VALUE_CONST && b.kind == VALUE_CONST)
        return value_const(holds(condition, a.constant, b.constant));
    if (a.kind == VALUE_CONDITION)
        a = host_value(owned(t, a));
    if (b.kind == VALUE_CONDITION)
        b = host_value(owned(t, b));
    struct value result = {.kind = VALUE_CONDITION, .condition = condition, .x = to_operand(a), .y = to_operand(b)};
    if (a.kind == VALUE_CONST) {
        result.condition = swapped(condition);
        result.x = to_operand(b);
        result.y = to_operand(a);
    }
    return result;
}

enum x86_condition value_test(struct mipsy_translator *t, struct value c)
{
    struct x86 *x = &t->x;
    const struct value a = from_operand(c.x), b = from_operand(c.y);
    if (b.kind == VALUE_CONST && a.kind == VALUE_HOST && b.constant == 0)
        x86_test(x, a.reg, a.reg);
    else if (b.kind == VALUE_CONST)
        x86_alu_imm(x, X86_CMP, readable(t, a, RAX), b.constant);
    else
        x86_alu(x, X86_CMP, value_in(t, a, RAX), readable(t, b, RCX));
    value_done(t, a);
    value_done(t, b);
    return c.condition;
}

struct value value_select(struct mipsy_translator *t, struct value c, struct value a, struct value b)
{
    struct x86 *x = &t->x;
    if (c.kind == VALUE_CONST) {
        value_done(t, c.constant ? b : a);
        return c.constant ? a : b;
    }
    const int to = owned(t, b);
    if (a.kind == VALUE_CONST)
        a = host_value(owned(t, a));
    const enum x86_condition condition = value_test(t, c);
    x86_cmov(x, condition, to, readable(t, a, RAX));
    value_done(t, a);
    return host_value(to);
}

/* Extended to 64 bits. */
static void load_wide(struct mipsy_translator *t, int reg, struct value v, bool is_signed)
{
    value_load(t, reg, v);
    if (is_signed)
        x86_movsxd(&t->x, reg, x86_reg(reg));
}

struct value value_product(struct mipsy_translator *t, bool is_signed, struct value a, struct value b)
{
    const int reg = value_new(t);
    load_wide(t, reg, a, is_signed);
    load_wide(t, RAX, b, is_signed);
    x86_imul64(&t->x, reg, x86_reg(RAX));
    return host_value(reg);
}

struct value value_joined(struct mipsy_translator *t, struct value high, struct value low)
{
    const int reg = value_new(t);
    value_load(t, reg, high);
    value_load(t, RAX, low);
    x86_shift64_imm(&t->x, X86_SHL, x86_reg(reg), 32);
    x86_alu64(&t->x, X86_OR, reg, x86_reg(RAX));
    return host_value(reg);
}

struct value value_binary64(struct mipsy_translator *t, enum x86_alu op, struct value a, struct value b)
{
    x86_alu64(&t->x, op, a.reg, x86_reg(b.reg));
    value_done(t, b);
    return a;
}

struct value value_high(struct mipsy_translator *t, struct value a)
{
    const int reg = value_new(t);
    x86_mov64(&t->x, reg, x86_reg(a.reg));
    x86_shift64_imm(&t->x, X86_SHR, x86_reg(reg), 32);
    return host_value(reg);
}

struct value value_address(struct mipsy_translator *t, uint32_t offset)
{
    const int reg = value_new(t);
    x86_lea(&t->x, reg, x86_mem(R14, (int32_t)offset));
    return host_value(reg);
}

bool value_is_aligned(const struct mipsy_translator *t, struct value v)
{
    return (v.kind == VALUE_GUEST || (v.kind == VALUE_SUM && v.constant % 4 == 0)) && v.guest < 64 &&
           (t->aligned >> v.guest & 1);
}

/* Register GUEST becomes V: is it a multiple of 4? */
static void note_alignment(struct mipsy_translator *t, unsigned guest, struct value v)
{
    if (guest >= 64)
        return;
    if (v.kind == VALUE_CONST ? v.constant % 4 == 0 : value_is_aligned(t, v))
        t->aligned |= 1ull << guest;
    else
        t->aligned &= ~(1ull << guest);
}

void value_write(struct mipsy_translator *t, unsigned guest, struct value v)
{
    struct x86 *x = &t->x;
    note_alignment(t, guest, v);
    if (guest == GPR_SINK) {
        value_done(t, v);
    } else if (v.kind == VALUE_CONST) {
        x86_store_imm(x, at_guest(guest), v.constant);
    } else if (v.kind == VALUE_SUM && v.guest == guest) {
        x86_alu_imm(x, X86_ADD, at_guest(guest), v.constant);
    } else {
        x86_store(x, at_guest(guest), value_in(t, v, RAX));
        value_done(t, v);
    }
}
