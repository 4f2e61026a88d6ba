/* An entry with G matches whatever ASID EntryHi holds, and whatever the entry itself holds. */
#include "test.h"
TEST
        MAP     1, HI(0x00700000, 5), LO(FREE_PA, LO_RW | LO_G)
        li      $t0, 0x00700000
        li      $t1, 0x600d600d
        li      $t2, KSEG1(FREE_PA)
        sw      $t1, 0($t2)
        .irp    asid, 0, 5, 6, 63
        SET_ASID \asid
        CHECK_WORD 0, $t0, 0x600d600d
        .endr
        CHECK_STATE S_COUNT, 0
TEST_END
