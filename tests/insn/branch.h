/* Shapes of the tests of conditional branches: a row of a table is an instruction and the relation of its operands for
 * which it is taken. */
#ifndef SIMOS_TESTS_INSN_BRANCH_H
#define SIMOS_TESTS_INSN_BRANCH_H

#include "test.h"

/* What becomes of the delay slot of a branch that is not taken. */
#define EXECUTED 1
#define ANNULLED 0

#ifdef __ASSEMBLER__
/* BRANCH (with its operands, in quotes) has operands of this RELATION and is taken for those of TAKEN_FOR. */
.macro CHECK_BRANCH branch, relation, taken_for, slot
        li      $t2, 0
        \branch, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        .if     (\relation) & (\taken_for)
        CHECK   $t2, 1 + 4
        .else
        CHECK   $t2, (\slot) + 2
        .endif
.endm

/* OP $t0, $t1, LABEL with A and B. */
.macro COMPARE op, taken_for, slot, a, b, relation
        li      $t0, \a
        li      $t1, \b
        CHECK_BRANCH "\op $t0, $t1", \relation, \taken_for, \slot
.endm

/* OP $t0, LABEL with A. */
.macro COMPARE_ZERO op, taken_for, slot, a, relation
        li      $t0, \a
        CHECK_BRANCH "\op $t0", \relation, \taken_for, \slot
.endm

/* The same for an instruction that also writes the address behind its delay slot to $ra, taken or not. */
.macro COMPARE_ZERO_LINK op, taken_for, slot, a, relation
        li      $ra, 0
        COMPARE_ZERO \op, \taken_for, \slot, \a, \relation
        CHECK   $ra, 8b
.endm

/* One of the two macros above with each value. */
.macro COMPARE_VALUES with, op, taken_for, slot
        \with \op, \taken_for, \slot, 0x00000000, EQUAL
        \with \op, \taken_for, \slot, 0x00000001, GREATER
        \with \op, \taken_for, \slot, 0xffffffff, LESS
        \with \op, \taken_for, \slot, 0x7fffffff, GREATER
        \with \op, \taken_for, \slot, 0x80000000, LESS
.endm
#endif
#endif
