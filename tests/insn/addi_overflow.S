/* addi: an overflow raises Ov and leaves the destination, also where that is $zero. */
#include "alu.h"
TEST
        OVERFLOW_IMMEDIATE addi, 0x7fffffff, 1
        OVERFLOW_IMMEDIATE addi, 0x7fffffff, 32767
        OVERFLOW_IMMEDIATE addi, 0x7fffffff, 4660
        OVERFLOW_IMMEDIATE addi, 0x80000000, -1
        OVERFLOW_IMMEDIATE addi, 0x80000000, -32768
        OVERFLOW_IMMEDIATE addi, 0x80007fff, -32768
        li      $t0, 0x7fffffff
        EXPECT  EXC_OV, addi $t0, $t0, 1
        CHECK   $t0, 0x7fffffff
        EXPECT  EXC_OV, addi $zero, $t0, 1
TEST_END
