/* c.cond.s: the 16 conditions over less, equal, greater and unordered (a quiet NaN). Bit 0 of the condition takes
 * unordered, bit 1 equal, bit 2 less. Bit 3 makes unordered an invalid operation, whose flag is set.
 * gxemul: no (it lacks conditions ngl and nge) */
#include "fp.h"
        .macro  RELATION a, b, bit
        .set    cond, 0
        .rept   16
        SET_FCSR 0
        SINGLE  20, \a
        SINGLE  22, \b
        .word   0x4616a030 | cond           /* c.cond.s $f20, $f22 */
        nop
        .if     cond & \bit
        CHECK_FCSR FC_C, FC_C
        .else
        CHECK_FCSR FC_C, 0
        .endif
        .if     (\bit == 1) && (cond & 8)
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_V | FC_CAUSE(FC_V)
        .else
        CHECK_FCSR FC_FLAGS | FC_CAUSES, 0
        .endif
        .set    cond, cond + 1
        .endr
        .endm
FP_TEST
        RELATION 0x3f800000, 0x40000000, 4
        RELATION 0x3f800000, 0x3f800000, 2
        RELATION 0x40000000, 0x3f800000, 0
        RELATION 0x7fbfffff, 0x3f800000, 1
        RELATION 0x3f800000, 0x7fbfffff, 1
TEST_END
