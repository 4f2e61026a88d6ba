/* break raises Bp with EPC at itself, through the general vector, whatever its code field holds. */
#include "test.h"
TEST
        EXPECT  EXC_BP, break
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        EXPECT  EXC_BP, break 7
        EXPECT  EXC_BP, .word 0x03ffffcd
        CHECK_STATE S_COUNT, 3
TEST_END
