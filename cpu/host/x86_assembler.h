/*
 * Assembler for x86-64: each function appends one instruction to a buffer. Only the instructions that the translator
 * uses. Source of the encodings: AMD64 Architecture Programmer's Manual vol. 3 (24594), Intel SDM vol. 2.
 *
 * Operands are 32 bits wide unless the name ends in 64 (or says otherwise); writing a 32-bit register clears its upper
 * half. The functions do not check for room: the caller reserves X86_MAX_INSN bytes per instruction (x86_room).
 *
 * For cpu/translate.
 */
#ifndef SIMOS_CPU_HOST_X86_ASSEMBLER_H
#define SIMOS_CPU_HOST_X86_ASSEMBLER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, X86_NONE = -1 };
enum { X86_MAX_INSN = 16 };

/* Condition codes, as in jcc, setcc, cmovcc. */
enum x86_condition {
    X86_O,
    X86_NO,
    X86_B,
    X86_AE,
    X86_E,
    X86_NE,
    X86_BE,
    X86_A,
    X86_S,
    X86_NS,
    X86_P,
    X86_NP,
    X86_L,
    X86_GE,
    X86_LE,
    X86_G,
};
static inline enum x86_condition x86_inverse(enum x86_condition condition)
{
    return (enum x86_condition)((unsigned)condition ^ 1);
}

struct x86 {
    uint8_t *at;  /* address of the next instruction */
    uint8_t *end; /* end of the buffer */
};

static inline bool x86_room(const struct x86 *x, unsigned instructions)
{
    return x->end - x->at >= (int64_t)instructions * X86_MAX_INSN;
}

/* An operand: a register, or memory at base + index * scale + displacement. */
struct x86_operand {
    int8_t reg; /* X86_NONE: a memory operand */
    int8_t base, index;
    uint8_t scale; /* log2 */
    int32_t displacement;
};
static inline struct x86_operand x86_reg(int reg)
{
    return (struct x86_operand){.reg = (int8_t)reg, .base = X86_NONE, .index = X86_NONE};
}
static inline struct x86_operand x86_mem(int base, int32_t displacement)
{
    return (struct x86_operand){.reg = X86_NONE, .base = (int8_t)base, .index = X86_NONE, .displacement = displacement};
}
static inline struct x86_operand x86_indexed(int base, int index, unsigned scale, int32_t displacement)
{
    return (struct x86_operand){.reg = X86_NONE,
                                .base = (int8_t)base,
                                .index = (int8_t)index,
                                .scale = (uint8_t)scale,
                                .displacement = displacement};
}
static inline bool x86_is_reg(struct x86_operand operand)
{
    return operand.reg != X86_NONE;
}

static inline void x86_byte(struct x86 *x, unsigned value)
{
    *x->at++ = (uint8_t)value;
}
static inline void x86_word32(struct x86 *x, uint32_t value)
{
    memcpy(x->at, &value, sizeof value);
    x->at += sizeof value;
}
static inline void x86_word64(struct x86 *x, uint64_t value)
{
    memcpy(x->at, &value, sizeof value);
    x->at += sizeof value;
}

enum {
    X86_W = 1 << 12,  /* 64-bit operation */
    X86_0F = 1 << 13, /* escape byte */
    X86_66 = 1 << 14, /* prefixes */
    X86_F2 = 1 << 15,
    X86_F3 = 1 << 16,
    X86_BYTE = 1 << 17,   /* `reg` is a byte register: sil, dil need a REX prefix */
    X86_BYTE_RM = 1 << 18 /* ... and so is a register in `rm` */
};

/* Emit OPCODE (a byte and X86_ flags) with REG in the reg field and RM. */
static inline void x86_op(struct x86 *x, unsigned opcode, int reg, struct x86_operand rm)
{
    if (opcode & X86_66)
        x86_byte(x, 0x66);
    if (opcode & X86_F2)
        x86_byte(x, 0xf2);
    if (opcode & X86_F3)
        x86_byte(x, 0xf3);
    int base = x86_is_reg(rm) ? rm.reg : rm.base;
    unsigned rex = (opcode & X86_W ? 8u : 0u) | (reg >= 8 ? 4u : 0u) | (!x86_is_reg(rm) && rm.index >= 8 ? 2u : 0u) |
                   (base >= 8 ? 1u : 0u);
    bool byte_rex = ((opcode & X86_BYTE) && reg >= 4) || ((opcode & X86_BYTE_RM) && rm.reg >= 4);
    if (rex || byte_rex)
        x86_byte(x, 0x40 | rex);
    if (opcode & X86_0F)
        x86_byte(x, 0x0f);
    x86_byte(x, opcode & 0xff);
    unsigned field = ((unsigned)reg & 7) << 3;
    if (x86_is_reg(rm)) {
        x86_byte(x, 0xc0 | field | ((unsigned)rm.reg & 7));
        return;
    }
    bool needs_sib = rm.index != X86_NONE || (base & 7) == RSP || base == X86_NONE;
    int32_t displacement = rm.displacement;
    unsigned mod = base == X86_NONE                         ? 0
                   : displacement == 0 && (base & 7) != RBP ? 0
                   : displacement == (int8_t)displacement   ? 0x40
                                                            : 0x80;
    if (needs_sib) {
        unsigned index = rm.index == X86_NONE ? 4 : (unsigned)rm.index & 7;
        x86_byte(x, mod | field | 4);
        x86_byte(x, (unsigned)rm.scale << 6 | index << 3 | (base == X86_NONE ? 5u : (unsigned)base & 7));
    } else {
        x86_byte(x, mod | field | ((unsigned)base & 7));
    }
    if (base == X86_NONE || mod == 0x80)
        x86_word32(x, (uint32_t)displacement);
    else if (mod == 0x40)
        x86_byte(x, (uint8_t)displacement);
}

/* Moves */
static inline void x86_mov(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0x8b, to, from);
}
static inline void x86_mov64(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0x8b | X86_W, to, from);
}
static inline void x86_store(struct x86 *x, struct x86_operand to, int from)
{
    x86_op(x, 0x89, from, to);
}
static inline void x86_store64(struct x86 *x, struct x86_operand to, int from)
{
    x86_op(x, 0x89 | X86_W, from, to);
}
static inline void x86_store16(struct x86 *x, struct x86_operand to, int from)
{
    x86_op(x, 0x89 | X86_66, from, to);
}
static inline void x86_store8(struct x86 *x, struct x86_operand to, int from)
{
    x86_op(x, 0x88 | X86_BYTE, from, to);
}
static inline void x86_store_imm(struct x86 *x, struct x86_operand to, uint32_t value)
{
    x86_op(x, 0xc7, 0, to);
    x86_word32(x, value);
}
/* VALUE is sign-extended to 64 bits. */
static inline void x86_store64_imm(struct x86 *x, struct x86_operand to, int32_t value)
{
    x86_op(x, 0xc7 | X86_W, 0, to);
    x86_word32(x, (uint32_t)value);
}
static inline void x86_store16_imm(struct x86 *x, struct x86_operand to, uint16_t value)
{
    x86_op(x, 0xc7 | X86_66, 0, to);
    x86_byte(x, value & 0xff);
    x86_byte(x, value >> 8);
}
static inline void x86_store8_imm(struct x86 *x, struct x86_operand to, uint8_t value)
{
    x86_op(x, 0xc6, 0, to);
    x86_byte(x, value);
}
static inline void x86_mov_imm(struct x86 *x, int to, uint32_t value)
{
    if (value == 0) { /* xor: changes the flags */
        x86_op(x, 0x33, to, x86_reg(to));
        return;
    }
    if (to >= 8)
        x86_byte(x, 0x41);
    x86_byte(x, 0xb8 | ((unsigned)to & 7));
    x86_word32(x, value);
}
/* As x86_mov_imm, but never changes the flags. */
static inline void x86_mov_imm_keeping_flags(struct x86 *x, int to, uint32_t value)
{
    if (to >= 8)
        x86_byte(x, 0x41);
    x86_byte(x, 0xb8 | ((unsigned)to & 7));
    x86_word32(x, value);
}
static inline void x86_mov_imm64(struct x86 *x, int to, uint64_t value)
{
    if (value <= UINT32_MAX) {
        x86_mov_imm_keeping_flags(x, to, (uint32_t)value);
        return;
    }
    x86_byte(x, to >= 8 ? 0x49 : 0x48);
    x86_byte(x, 0xb8 | ((unsigned)to & 7));
    x86_word64(x, value);
}
static inline void x86_movzx8(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xb6 | X86_0F | X86_BYTE_RM, to, from);
}
static inline void x86_movsx8(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xbe | X86_0F | X86_BYTE_RM, to, from);
}
static inline void x86_movzx16(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xb7 | X86_0F, to, from);
}
static inline void x86_movsx16(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xbf | X86_0F, to, from);
}
/* Sign-extend from 32 to 64 bits. */
static inline void x86_movsxd(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0x63 | X86_W, to, from);
}
static inline void x86_lea(struct x86 *x, int to, struct x86_operand address)
{
    x86_op(x, 0x8d, to, address);
}
static inline void x86_lea64(struct x86 *x, int to, struct x86_operand address)
{
    x86_op(x, 0x8d | X86_W, to, address);
}
static inline void x86_cmov(struct x86 *x, enum x86_condition condition, int to, struct x86_operand from)
{
    x86_op(x, 0x40 | X86_0F | condition, to, from);
}
/* Sets the low byte of TO. */
static inline void x86_set(struct x86 *x, enum x86_condition condition, int to)
{
    x86_op(x, 0x90 | X86_0F | X86_BYTE_RM | condition, 0, x86_reg(to));
}

/* Two-operand arithmetic; the enumerator is the reg field of opcode 0x81. */
enum x86_alu { X86_ADD, X86_OR, X86_ADC, X86_SBB, X86_AND, X86_SUB, X86_XOR, X86_CMP };

static inline void x86_alu(struct x86 *x, enum x86_alu op, int to, struct x86_operand from)
{
    x86_op(x, (unsigned)op << 3 | 3, to, from);
}
static inline void x86_alu64(struct x86 *x, enum x86_alu op, int to, struct x86_operand from)
{
    x86_op(x, (unsigned)op << 3 | 3 | X86_W, to, from);
}
/* TO may be memory. */
static inline void x86_alu_store(struct x86 *x, enum x86_alu op, struct x86_operand to, int from)
{
    x86_op(x, (unsigned)op << 3 | 1, from, to);
}
static inline void x86_alu64_store(struct x86 *x, enum x86_alu op, struct x86_operand to, int from)
{
    x86_op(x, (unsigned)op << 3 | 1 | X86_W, from, to);
}
static inline void x86_alu_flags(struct x86 *x, enum x86_alu op, struct x86_operand to, int32_t value, unsigned flags)
{
    if (value == (int8_t)value) {
        x86_op(x, 0x83 | flags, op, to);
        x86_byte(x, (uint8_t)value);
    } else {
        x86_op(x, 0x81 | flags, op, to);
        x86_word32(x, (uint32_t)value);
    }
}
static inline void x86_alu_imm(struct x86 *x, enum x86_alu op, struct x86_operand to, uint32_t value)
{
    x86_alu_flags(x, op, to, (int32_t)value, 0);
}
static inline void x86_alu64_imm(struct x86 *x, enum x86_alu op, struct x86_operand to, int32_t value)
{
    x86_alu_flags(x, op, to, value, X86_W);
}
/* cmp dword TO, VALUE, always with a 32-bit immediate, for patching. The immediate is the last 4 bytes. */
static inline void x86_cmp_imm32(struct x86 *x, struct x86_operand to, uint32_t value)
{
    x86_op(x, 0x81, X86_CMP, to);
    x86_word32(x, value);
}
/* TO: rax, rcx, rdx or rbx. */
static inline void x86_alu8(struct x86 *x, enum x86_alu op, int to, struct x86_operand from)
{
    x86_op(x, (unsigned)op << 3 | 2, to, from);
}
static inline void x86_alu8_imm(struct x86 *x, enum x86_alu op, struct x86_operand to, uint8_t value)
{
    x86_op(x, 0x80, (int)op, to);
    x86_byte(x, value);
}
static inline void x86_cmp8_imm(struct x86 *x, struct x86_operand to, uint8_t value)
{
    x86_alu8_imm(x, X86_CMP, to, value);
}
static inline void x86_test(struct x86 *x, int a, int b)
{
    x86_op(x, 0x85, a, x86_reg(b));
}
static inline void x86_test64(struct x86 *x, int a, int b)
{
    x86_op(x, 0x85 | X86_W, a, x86_reg(b));
}
static inline void x86_test8_imm(struct x86 *x, struct x86_operand a, uint8_t value)
{
    x86_op(x, 0xf6 | X86_BYTE_RM, 0, a);
    x86_byte(x, value);
}
static inline void x86_test_imm(struct x86 *x, struct x86_operand a, uint32_t value)
{
    x86_op(x, 0xf7, 0, a);
    x86_word32(x, value);
}
static inline void x86_not(struct x86 *x, struct x86_operand to)
{
    x86_op(x, 0xf7, 2, to);
}
static inline void x86_neg(struct x86 *x, struct x86_operand to)
{
    x86_op(x, 0xf7, 3, to);
}
/* Divide edx:eax by FROM: quotient in eax, remainder in edx. */
static inline void x86_div(struct x86 *x, int from)
{
    x86_op(x, 0xf7, 6, x86_reg(from));
}
static inline void x86_idiv(struct x86 *x, int from)
{
    x86_op(x, 0xf7, 7, x86_reg(from));
}
static inline void x86_cdq(struct x86 *x)
{
    x86_byte(x, 0x99);
}
static inline void x86_imul(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xaf | X86_0F, to, from);
}
static inline void x86_imul64(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xaf | X86_0F | X86_W, to, from);
}
static inline void x86_bsr(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0xbd | X86_0F, to, from);
}

/* Shifts; the enumerator is the reg field of opcode 0xc1. */
enum x86_shift { X86_ROL, X86_ROR, X86_SHL = 4, X86_SHR, X86_SAR = 7 };
static inline void x86_shift_imm(struct x86 *x, enum x86_shift op, struct x86_operand to, unsigned count)
{
    x86_op(x, 0xc1, op, to);
    x86_byte(x, count);
}
static inline void x86_shift64_imm(struct x86 *x, enum x86_shift op, struct x86_operand to, unsigned count)
{
    x86_op(x, 0xc1 | X86_W, op, to);
    x86_byte(x, count);
}
/* Shift by cl. */
static inline void x86_shift_cl(struct x86 *x, enum x86_shift op, struct x86_operand to)
{
    x86_op(x, 0xd3, op, to);
}
static inline void x86_inc(struct x86 *x, struct x86_operand to)
{
    x86_op(x, 0xff, 0, to);
}

/* Control transfer. x86_jump_to and x86_jcc_to take a known target; the other functions return the address of the
 * 32-bit displacement field, for x86_patch. */
static inline void x86_patch(uint8_t *distance, const uint8_t *target)
{
    int32_t value = (int32_t)(target - (distance + 4));
    memcpy(distance, &value, sizeof value);
}
static inline const uint8_t *x86_patched_target(const uint8_t *distance)
{
    int32_t value;
    memcpy(&value, distance, sizeof value);
    return distance + 4 + value;
}
static inline uint8_t *x86_jump(struct x86 *x)
{
    x86_byte(x, 0xe9);
    x86_word32(x, 0);
    return x->at - 4;
}
static inline uint8_t *x86_jcc(struct x86 *x, enum x86_condition condition)
{
    x86_byte(x, 0x0f);
    x86_byte(x, 0x80u | condition);
    x86_word32(x, 0);
    return x->at - 4;
}
static inline void x86_jump_to(struct x86 *x, const uint8_t *target)
{
    x86_patch(x86_jump(x), target);
}
static inline void x86_jcc_to(struct x86 *x, enum x86_condition condition, const uint8_t *target)
{
    x86_patch(x86_jcc(x, condition), target);
}
/* Short jumps, within 127 bytes. Return the address of the displacement field, for x86_patch_short. */
static inline uint8_t *x86_jcc_short(struct x86 *x, enum x86_condition condition)
{
    x86_byte(x, 0x70u | condition);
    x86_byte(x, 0);
    return x->at - 1;
}
static inline uint8_t *x86_jump_short(struct x86 *x)
{
    x86_byte(x, 0xeb);
    x86_byte(x, 0);
    return x->at - 1;
}
static inline void x86_patch_short(uint8_t *distance, const uint8_t *target)
{
    if (target - (distance + 1) > INT8_MAX || target - (distance + 1) < INT8_MIN)
        abort();
    *distance = (uint8_t)(target - (distance + 1));
}
/* Returns the address of the displacement field, as x86_jump. */
static inline uint8_t *x86_call(struct x86 *x)
{
    x86_byte(x, 0xe8);
    x86_word32(x, 0);
    return x->at - 4;
}
static inline void x86_call_to(struct x86 *x, const uint8_t *target)
{
    x86_patch(x86_call(x), target);
}
static inline void x86_call_reg(struct x86 *x, int reg)
{
    x86_op(x, 0xff, 2, x86_reg(reg));
}
static inline void x86_jump_reg(struct x86 *x, int reg)
{
    x86_op(x, 0xff, 4, x86_reg(reg));
}
/* The target address is in memory. */
static inline void x86_call_memory(struct x86 *x, struct x86_operand target)
{
    x86_op(x, 0xff, 2, target);
}
static inline void x86_jump_memory(struct x86 *x, struct x86_operand target)
{
    x86_op(x, 0xff, 4, target);
}
static inline void x86_ret(struct x86 *x)
{
    x86_byte(x, 0xc3);
}

/* Vector registers: XMM0 and up, in the reg field. A register operand from x86_reg() is a vector register too unless
 * noted. */
enum { XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7 };
/* Scalar arithmetic, single or double. */
enum x86_sse {
    X86_SSE_SQRT = 0x51,
    X86_SSE_ADD = 0x58,
    X86_SSE_MUL,
    X86_SSE_TO_OTHER,
    X86_SSE_SUB = 0x5c,
    X86_SSE_DIV = 0x5e
};
static inline unsigned x86_sse_format(bool is_double)
{
    return X86_0F | (is_double ? X86_F2 : X86_F3);
}
/* X86_SSE_TO_OTHER: convert from the given format to the other. */
static inline void x86_sse(struct x86 *x, enum x86_sse op, bool is_double, int to, struct x86_operand from)
{
    x86_op(x, (unsigned)op | x86_sse_format(is_double), to, from);
}
static inline void x86_sse_load(struct x86 *x, bool is_double, int to, struct x86_operand from)
{
    x86_op(x, 0x10 | x86_sse_format(is_double), to, from);
}
static inline void x86_sse_store(struct x86 *x, bool is_double, struct x86_operand to, int from)
{
    x86_op(x, 0x11 | x86_sse_format(is_double), from, to);
}
static inline void x86_sse_copy(struct x86 *x, int to, int from)
{
    x86_op(x, 0x28 | X86_0F, to, x86_reg(from)); /* movaps */
}
static inline void x86_sse_clear(struct x86 *x, int to)
{
    x86_op(x, 0x57 | X86_0F, to, x86_reg(to)); /* xorps */
}
/* Compare: sets the parity flag if unordered, otherwise the flags as an unsigned integer comparison. */
static inline void x86_sse_compare(struct x86 *x, bool is_double, int a, struct x86_operand b)
{
    x86_op(x, 0x2e | X86_0F | (is_double ? X86_66 : 0), a, b);
}
/* Convert a signed 32-bit integer; FROM is a general register or memory. */
static inline void x86_sse_from_integer(struct x86 *x, bool is_double, int to, struct x86_operand from)
{
    x86_op(x, 0x2a | x86_sse_format(is_double), to, from);
}
/* Convert to a signed 32-bit integer in a general register; 0x80000000 if out of range. */
static inline void x86_sse_to_integer(struct x86 *x, bool is_double, bool truncate, int to, struct x86_operand from)
{
    x86_op(x, (truncate ? 0x2c : 0x2d) | x86_sse_format(is_double), to, from);
}
/* Move 32 or 64 bits between a vector register and a general register or memory. */
static inline void x86_movd_in(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0x6e | X86_0F | X86_66, to, from);
}
static inline void x86_movq_in(struct x86 *x, int to, struct x86_operand from)
{
    x86_op(x, 0x6e | X86_0F | X86_66 | X86_W, to, from);
}
static inline void x86_movd_out(struct x86 *x, struct x86_operand to, int from)
{
    x86_op(x, 0x7e | X86_0F | X86_66, from, to);
}
static inline void x86_movq_out(struct x86 *x, struct x86_operand to, int from)
{
    x86_op(x, 0x7e | X86_0F | X86_66 | X86_W, from, to);
}
/* Interleave the low words of TO and FROM into the low two words of TO. */
static inline void x86_punpckldq(struct x86 *x, int to, int from)
{
    x86_op(x, 0x62 | X86_0F | X86_66, to, x86_reg(from));
}
static inline void x86_pshufd(struct x86 *x, int to, int from, unsigned order)
{
    x86_op(x, 0x70 | X86_0F | X86_66, to, x86_reg(from));
    x86_byte(x, order);
}
static inline void x86_ldmxcsr(struct x86 *x, struct x86_operand from)
{
    x86_op(x, 0xae | X86_0F, 2, from);
}
static inline void x86_stmxcsr(struct x86 *x, struct x86_operand to)
{
    x86_op(x, 0xae | X86_0F, 3, to);
}
/* Set the bit of REG whose number is in register NUMBER. */
static inline void x86_bts(struct x86 *x, int reg, int number)
{
    x86_op(x, 0xab | X86_0F, number, x86_reg(reg));
}
/* Clear (btr) or invert (btc) bit NUMBER of a 64-bit register. */
static inline void x86_btr64(struct x86 *x, int reg, unsigned number)
{
    x86_op(x, 0xba | X86_0F | X86_W, 6, x86_reg(reg));
    x86_byte(x, number);
}
static inline void x86_btc64(struct x86 *x, int reg, unsigned number)
{
    x86_op(x, 0xba | X86_0F | X86_W, 7, x86_reg(reg));
    x86_byte(x, number);
}

/* VALUE is sign-extended to 64 bits. */
static inline void x86_push_imm(struct x86 *x, uint32_t value)
{
    x86_byte(x, 0x68);
    x86_word32(x, value);
}
static inline void x86_push(struct x86 *x, int reg)
{
    if (reg >= 8)
        x86_byte(x, 0x41);
    x86_byte(x, 0x50u | ((unsigned)reg & 7));
}
static inline void x86_pop(struct x86 *x, int reg)
{
    if (reg >= 8)
        x86_byte(x, 0x41);
    x86_byte(x, 0x58u | ((unsigned)reg & 7));
}

#endif
