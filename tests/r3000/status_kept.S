/* An exception changes the stack of Status and nothing else of it: masks, CU bits and IsC's neighbours stay. */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, 0xe000aa00
        EXPECT  EXC_SYS, syscall
        CHECK_STATE_BITS S_STATUS, 0xf043ff3f, 0xe000aa00
        CHECK_CP0_BITS C0_STATUS, 0xf043ffff, 0xe000aa00
        SET_CP0 C0_STATUS, 0x10005500
        EXPECT  EXC_BP, break
        CHECK_STATE_BITS S_STATUS, 0xf043ff3f, 0x10005500
TEST_END
