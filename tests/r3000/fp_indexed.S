/* The opcode of COP1X of later architectures is coprocessor 3 here: unusable, CE 3.
 * gxemul: no (it stops at coprocessors 2 and 3) */
#include "fp.h"
FP_TEST
        EXPECT_UNUSABLE 3, .word 0x4ec4a620     /* "madd.s" */
        EXPECT_UNUSABLE 3, .word 0x4d0a0100     /* "lwxc1" */
        EXPECT_UNUSABLE 3, .word 0xcd090000     /* "pref": lwc3 */
TEST_END
