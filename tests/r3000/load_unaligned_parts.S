/* lwl and lwr alone replace the bytes that their word has and keep the register's others. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x44332211
        sw      $t1, 0($t0)
        .macro  PART load, place, value
        li      $t2, 0xaabbccdd
        \load   $t2, \place($t0)
        nop
        CHECK   $t2, \value
        .endm
        PART    lwl, 0, 0x11bbccdd
        PART    lwl, 1, 0x2211ccdd
        PART    lwl, 2, 0x332211dd
        PART    lwl, 3, 0x44332211
        PART    lwr, 0, 0x44332211
        PART    lwr, 1, 0xaa443322
        PART    lwr, 2, 0xaabb4433
        PART    lwr, 3, 0xaabbcc44
TEST_END
