/* addi: an overflow raises Ov and leaves the destination, also where that is $zero. */
#include "alu.h"
TEST
        li      $t0, 0x7fffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, 1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, 32767
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, 4660
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, -1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, -32768
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80007fff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, -32768
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        EXPECT  EXC_OV, addi $t0, $t0, 1
        CHECK   $t0, 0x7fffffff
        EXPECT  EXC_OV, addi $zero, $t0, 1
TEST_END
