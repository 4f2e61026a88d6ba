/* tlbwr writes the entry of Random: never one of the 8 wired entries, however often; and the page is there
 * afterwards. */
#include "test.h"
TEST
        .irp    entry, 0, 1, 2, 3, 4, 5, 6, 7
        MAP     \entry, HI(0x00700000 + (\entry << 12), 1), LO(FREE_PA, LO_RW)
        .endr
        li      $s0, 1000
        lui     $s1, 0x0200             /* always another page */
1:      mtc0    $s1, C0_ENTRYHI
        li      $t0, LO(FREE_PA, LO_RW)
        mtc0    $t0, C0_ENTRYLO
        SETTLE
        tlbwr
        SETTLE
        mtc0    $s1, C0_ENTRYHI
        SETTLE
        tlbp
        SETTLE
        mfc0    $t0, C0_INDEX
        nop
        slti    $t1, $t0, INDEX(8)      /* also when P is set */
        CHECK   $t1, 0
        addiu   $s1, $s1, 0x1000
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        nop
        .irp    entry, 0, 1, 2, 3, 4, 5, 6, 7
        READ_TLB \entry
        CHECK_CP0 C0_ENTRYHI, HI(0x00700000 + (\entry << 12), 1)
        .endr
        CHECK_STATE S_COUNT, 0
TEST_END
