/* A reserved instruction is one in user mode too, and in a delay slot. */
#include "test.h"
TEST
        MAP_PROGRAM
        RUN_USER u0
        CHECK_EXCEPTION EXC_RI, USER(u0)
        RUN_USER u1
        CHECK_EXCEPTION EXC_RI, USER(u1)
        EXPECT_IN_SLOT EXC_RI, "b 7f", .word 0x0000003f
        EXPECT_IN_SLOT EXC_RI, "jal 7f", .word 0x0109502d
        b       9f
        nop
u0:     .word   0x0000003f
u1:     .word   0x0109502c              /* dadd */
9:
TEST_END
