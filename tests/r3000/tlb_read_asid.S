/* tlbr loads EntryHi with the entry's ASID, which is the current one from then on. */
#include "test.h"
TEST
        MAP     1, HI(0x00700000, 7), LO(FREE_PA, LO_RW)
        SET_ASID 0
        li      $t0, 0x00700000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        SET_ASID 0
        SET_CP0 C0_INDEX, INDEX(1)
        tlbr
        SETTLE
        lw      $t1, 0($t0)
        CHECK_CP0 C0_ENTRYHI, HI(0x00700000, 7)
        CHECK_STATE S_COUNT, 1
TEST_END
