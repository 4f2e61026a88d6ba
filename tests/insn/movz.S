/* movz: moves or leaves rd, by rt. */
#include "alu.h"
TEST
        BINARY movz, 0x00000000, 0x00000000, 0x00000000
        BINARY movz, 0x00000000, 0x00000001, 0x5a5a5a5a
        BINARY movz, 0x00000000, 0x80000000, 0x5a5a5a5a
        BINARY movz, 0x00000000, 0xffffffff, 0x5a5a5a5a
        BINARY movz, 0x00000001, 0x00000000, 0x00000001
        BINARY movz, 0x00000001, 0x00000001, 0x5a5a5a5a
        BINARY movz, 0x00000001, 0x80000000, 0x5a5a5a5a
        BINARY movz, 0x00000001, 0xffffffff, 0x5a5a5a5a
        BINARY movz, 0xffffffff, 0x00000000, 0xffffffff
        BINARY movz, 0xffffffff, 0x00000001, 0x5a5a5a5a
        BINARY movz, 0xffffffff, 0x80000000, 0x5a5a5a5a
        BINARY movz, 0xffffffff, 0xffffffff, 0x5a5a5a5a
        li      $t0, 7
        li      $t1, 0
        movz    $zero, $t0, $t1
        CHECK   $zero, 0
        movz    $t0, $t0, $t0
        CHECK   $t0, 7
TEST_END
