/* A global entry matches under every ASID; G in one half only makes it not global. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x77
        sw      $t1, 0($t0)
        MAP     1, VA | 5, LO(FREE_PA, LO_RW | LO_G), LO(FREE_PA, LO_RW | LO_G)
        li      $t0, VA
        lw      $t1, 0($t0)
        CHECK   $t1, 0x77
        SET_ASID 99
        lw      $t1, 0($t0)
        CHECK   $t1, 0x77
        SET_ASID 0
        lw      $t1, 0($t0)
        CHECK   $t1, 0x77
        MAP     1, VA | 5, LO(FREE_PA, LO_RW | LO_G), LO(FREE_PA, LO_RW)
        lw      $t1, 0($t0)
        CHECK   $t1, 0x77
        SET_ASID 99
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        MAP     1, VA | 5, LO(FREE_PA, LO_RW), LO(FREE_PA, LO_RW | LO_G)
        SET_ASID 99
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
TEST_END
