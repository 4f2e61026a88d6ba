/* c.cond.s: the 16 conditions over less, equal, greater and unordered (a quiet NaN). Bit 0 of the condition takes
 * unordered, bit 1 equal, bit 2 less. Bit 3 makes unordered an invalid operation, whose flag is set.
 * gxemul: no (it lacks conditions ngl and nge) */
#define C_COND 0x4616a030
#include "fp_compare.h"
        .macro  OPERAND reg, bits
        SINGLE  \reg, \bits
        .endm
FP_TEST
        RELATION 0x3f800000, 0x40000000, 4
        RELATION 0x3f800000, 0x3f800000, 2
        RELATION 0x40000000, 0x3f800000, 0
        RELATION 0x7fbfffff, 0x3f800000, 1
        RELATION 0x3f800000, 0x7fbfffff, 1
TEST_END
