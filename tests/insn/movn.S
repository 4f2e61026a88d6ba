/* movn: moves or leaves rd, by rt. */
#include "alu.h"
TEST
        BINARY movn, 0x00000000, 0x00000000, 0x5a5a5a5a
        BINARY movn, 0x00000000, 0x00000001, 0x00000000
        BINARY movn, 0x00000000, 0x80000000, 0x00000000
        BINARY movn, 0x00000000, 0xffffffff, 0x00000000
        BINARY movn, 0x00000001, 0x00000000, 0x5a5a5a5a
        BINARY movn, 0x00000001, 0x00000001, 0x00000001
        BINARY movn, 0x00000001, 0x80000000, 0x00000001
        BINARY movn, 0x00000001, 0xffffffff, 0x00000001
        BINARY movn, 0xffffffff, 0x00000000, 0x5a5a5a5a
        BINARY movn, 0xffffffff, 0x00000001, 0xffffffff
        BINARY movn, 0xffffffff, 0x80000000, 0xffffffff
        BINARY movn, 0xffffffff, 0xffffffff, 0xffffffff
        li      $t0, 7
        li      $t1, 1
        movn    $zero, $t0, $t1
        CHECK   $zero, 0
        movn    $t0, $t0, $t0
        CHECK   $t0, 7
TEST_END
