/* Branches that compare two registers: taken and not taken; the delay slot executed in both cases, or annulled where a
 * likely branch is not taken. */
#include "branch.h"
.macro COMPARE_PAIRS op, taken_for, slot
        COMPARE \op, \taken_for, \slot, 0x00000000, 0x00000000, EQUAL
        COMPARE \op, \taken_for, \slot, 0x00000000, 0x00000001, LESS
        COMPARE \op, \taken_for, \slot, 0x00000001, 0x00000000, GREATER
        COMPARE \op, \taken_for, \slot, 0xffffffff, 0xffffffff, EQUAL
        COMPARE \op, \taken_for, \slot, 0x80000000, 0x7fffffff, LESS
        COMPARE \op, \taken_for, \slot, 0x12345678, 0x12345678, EQUAL
        COMPARE \op, \taken_for, \slot, 0x12345678, 0x12345679, LESS
        li      $t0, 5                  /* a register with itself */
        CHECK_BRANCH "\op $t0, $t0", EQUAL, \taken_for, \slot
.endm
TEST
        COMPARE_PAIRS beq,  EQUAL,          EXECUTED
        COMPARE_PAIRS bne,  LESS | GREATER, EXECUTED
        COMPARE_PAIRS beql, EQUAL,          ANNULLED
        COMPARE_PAIRS bnel, LESS | GREATER, ANNULLED
TEST_END
