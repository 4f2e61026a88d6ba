/*
 * Arithmetic macros of isa.def for engines that execute a body directly, on host integers. To be included by such
 * engines only.
 */
#ifndef SIMOS_CPU_ISA_VALUES_H
#define SIMOS_CPU_ISA_VALUES_H

#include "cpu/isa/bits.h"

#define LET(name, v)    const uint32_t name = (v)
#define LET64(name, v)  const uint64_t name = (v)
#define CONST(n)        ((uint32_t)(n))
#define ADD(a, b)       ((a) + (b))
#define SUB(a, b)       ((a) - (b))
#define AND(a, b)       ((a) & (b))
#define OR(a, b)        ((a) | (b))
#define XOR(a, b)       ((a) ^ (b))
#define NOT(a)          (~(a))
#define SHL(a, n)       ((a) << (n))
#define SHR(a, n)       ((a) >> (n))
#define SAR(a, n)       ((uint32_t)((int32_t)(a) >> (n)))
#define ROTR(a, n)      rotate_right(a, n)
#define LT_S(a, b)      ((uint32_t)((int32_t)(a) < (int32_t)(b)))
#define LT_U(a, b)      ((uint32_t)((a) < (b)))
#define GE_S(a, b)      ((uint32_t)((int32_t)(a) >= (int32_t)(b)))
#define EQ(a, b)        ((uint32_t)((a) == (b)))
#define NE(a, b)        ((uint32_t)((a) != (b)))
#define SELECT(c, a, b) ((c) ? (a) : (b))
#define SEXT8(a)        ((uint32_t)(int8_t)(a))
#define SEXT16(a)       ((uint32_t)(int16_t)(a))
#define CLZ(a)          count_leading_zeros(a)
#define MUL_S64(a, b)   ((uint64_t)((int64_t)(int32_t)(a) * (int32_t)(b)))
#define MUL_U64(a, b)   ((uint64_t)(a) * (b))
#define ADD64(a, b)     ((a) + (b))
#define SUB64(a, b)     ((a) - (b))
#define JOIN(hi, lo)    ((uint64_t)(hi) << 32 | (lo))
#define HIGH(p)         ((uint32_t)((p) >> 32))
#define LOW(p)          ((uint32_t)(p))
/* Division by zero and INT_MIN / -1 are UNPREDICTABLE; the result here is the dividend and 0. */
#define DIV_S(a, b)                                                                                                    \
    ((b) == 0 || ((a) == 0x80000000 && (b) == 0xffffffff) ? (a) : (uint32_t)((int32_t)(a) / (int32_t)(b)))
#define REM_S(a, b) ((b) == 0 || ((a) == 0x80000000 && (b) == 0xffffffff) ? 0 : (uint32_t)((int32_t)(a) % (int32_t)(b)))
#define DIV_U(a, b) ((b) == 0 ? (a) : (a) / (b))
#define REM_U(a, b) ((b) == 0 ? 0 : (a) % (b))

/* Types for LOAD and STORE. */
#define TYPE_U8  uint8_t
#define TYPE_S8  int8_t
#define TYPE_U16 uint16_t
#define TYPE_S16 int16_t
#define TYPE_U32 uint32_t

#endif
