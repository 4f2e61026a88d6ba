/* lui: clears the low half. */
#include "alu.h"
TEST
        li      $t0, 0x5a5a5a5a
        lui     $t0, 0x0
        CHECK   $t0, 0x00000000
        li      $t0, 0x5a5a5a5a
        lui     $t0, 0x1
        CHECK   $t0, 0x00010000
        li      $t0, 0x5a5a5a5a
        lui     $t0, 0x7fff
        CHECK   $t0, 0x7fff0000
        li      $t0, 0x5a5a5a5a
        lui     $t0, 0x8000
        CHECK   $t0, 0x80000000
        li      $t0, 0x5a5a5a5a
        lui     $t0, 0xffff
        CHECK   $t0, 0xffff0000
        lui     $zero, 0xffff
        CHECK   $zero, 0
TEST_END
