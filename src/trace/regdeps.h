/*
 * MIPS instructions in DynamoRIO's synthetic instruction set DR_ISA_REGDEPS,
 * which has of an instruction its categories, the size of its operands, and the registers that it writes and reads.
 *
 * Registers have the numbers of isa.h (enum ISA_REG_HI ...) + 2: general registers are 2 to 33, HI and LO 35 and 36,
 * $f0 to $f31 37 to 68, the floating-point condition codes 69 to 76. $zero is none. A 64-bit floating-point operand is
 * the pair of registers that it has with Status.FR = 0. Coprocessor 0 has no registers here.
 */
#ifndef SIMOS_TRACE_REGDEPS_H
#define SIMOS_TRACE_REGDEPS_H

#include "cpu/isa/isa.h"

enum { REGDEPS_MAX = 12 /* bytes */ };

/* Encode an instruction to TO. Returns the number of bytes, a multiple of 4. */
unsigned regdeps_encode(enum isa_id id, const struct insn *insn, uint8_t to[REGDEPS_MAX]);

#endif
