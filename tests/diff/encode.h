/*
 * Encodings that the tests write by hand: MIPS32 volume II.
 */
#ifndef SIMOS_TESTS_DIFF_ENCODE_H
#define SIMOS_TESTS_DIFF_ENCODE_H

#include <stdint.h>

#define FIELD(value, shift) ((uint32_t)(value) << (shift))

#define E_NOP                  0u
#define E_SYSCALL              0x0000000cu
#define E_I(op, rs, rt, imm)   (FIELD(op, 26) | FIELD(rs, 21) | FIELD(rt, 16) | ((uint32_t)(imm)&0xffff))
#define E_R(rs, rt, rd, func)  (FIELD(rs, 21) | FIELD(rt, 16) | FIELD(rd, 11) | (func))
#define E_ADDIU(rt, rs, imm)   E_I(9, rs, rt, imm)
#define E_ORI(rt, rs, imm)     E_I(13, rs, rt, imm)
#define E_LUI(rt, imm)         E_I(15, 0, rt, imm)
#define E_LW(rt, offset, base) E_I(35, base, rt, offset)
#define E_SW(rt, offset, base) E_I(43, base, rt, offset)
#define E_LL(rt, offset, base) E_I(48, base, rt, offset)
#define E_SC(rt, offset, base) E_I(56, base, rt, offset)
#define E_BEQ(rs, rt, words)   E_I(4, rs, rt, words)
#define E_BNE(rs, rt, words)   E_I(5, rs, rt, words)
#define E_BGTZ(rs, words)      E_I(7, rs, 0, words)
#define E_J(address)           (FIELD(2, 26) | ((uint32_t)(address) >> 2 & 0x3ffffff))
#define E_JR(rs)               E_R(rs, 0, 0, 8)
#define E_ADDU(rd, rs, rt)     E_R(rs, rt, rd, 0x21)
#define E_XOR(rd, rs, rt)      E_R(rs, rt, rd, 0x26)
#define E_NOR(rd, rs, rt)      E_R(rs, rt, rd, 0x27)
#define E_SRL(rd, rt, sa)      (E_R(0, rt, rd, 2) | FIELD(sa, 6))
#define E_MFC0(rt, number)     (0x40000000u | FIELD(rt, 16) | FIELD((number) / 8, 11) | (number) % 8)
#define E_MTC0(rt, number)     (0x40800000u | FIELD(rt, 16) | FIELD((number) / 8, 11) | (number) % 8)

#endif
