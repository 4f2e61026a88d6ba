/* tlbwi reaches the 8 wired entries as any other. */
#include "test.h"
TEST
        .irp    entry, 0, 7, 8
        MAP     \entry, 0x00700000 + (\entry << 12), LO(FREE_PA, LO_RW)
        .endr
        SET_ASID 0
        li      $t0, 0x00700000
        lw      $t1, 0($t0)
        lw      $t1, 0x7000($t0)
        ori     $t0, $t0, 0x8000
        lw      $t1, 0($t0)
        CHECK_STATE S_COUNT, 0
        ori     $t0, $t0, 0x9000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
TEST_END
