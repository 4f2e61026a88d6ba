/* syscall raises Sys with EPC at itself, through the general vector, whatever its code field holds. */
#include "test.h"
TEST
        EXPECT  EXC_SYS, syscall
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        EXPECT  EXC_SYS, syscall 0x12345
        EXPECT  EXC_SYS, .word 0x03ffffcc
        CHECK_STATE S_COUNT, 3
TEST_END
