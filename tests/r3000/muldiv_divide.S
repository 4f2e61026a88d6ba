/* div truncates towards zero, the remainder has the dividend's sign; divu takes both as unsigned. LO is the
 * quotient, HI the remainder. The form with $zero is the instruction itself, without the assembler's checks. */
#include "alu.h"
TEST
        TO_HI_LO "div $zero,", 7, 2, 1, 3
        TO_HI_LO "div $zero,", -7, 2, -1, -3
        TO_HI_LO "div $zero,", 7, -2, 1, -3
        TO_HI_LO "div $zero,", -7, -2, -1, 3
        TO_HI_LO "div $zero,", 0, 5, 0, 0
        TO_HI_LO "div $zero,", 0x80000000, 1, 0, 0x80000000
        TO_HI_LO "div $zero,", 0x7fffffff, 0x80000000, 0x7fffffff, 0
        TO_HI_LO "divu $zero,", 7, 2, 1, 3
        TO_HI_LO "divu $zero,", 0xfffffff9, 2, 1, 0x7ffffffc
        TO_HI_LO "divu $zero,", 0xffffffff, 0xffffffff, 0, 1
        TO_HI_LO "divu $zero,", 0x80000000, 0xffffffff, 0x80000000, 0
TEST_END
