/* tlbp sets Index to the number of the entry that matches EntryHi, P clear; or sets P when none does. An entry that
 * is not valid matches too; another ASID does not, unless the entry is global. */
#include "test.h"
TEST
        MAP     9, HI(0x00700000, 5), LO(FREE_PA, LO_RW)
        MAP     63, HI(0x00701000, 5), LO(FREE_PA, 0)
        MAP     0, HI(0x00702000, 5), LO(FREE_PA, LO_RW | LO_G)
        .macro  PROBE va, asid, result, mask=0xffffffff
        SET_CP0 C0_ENTRYHI, HI(\va, \asid)
        tlbp
        SETTLE
        CHECK_CP0_BITS C0_INDEX, \mask, \result
        CHECK_CP0 C0_ENTRYHI, HI(\va, \asid)
        .endm
        PROBE   0x00700000, 5, INDEX(9)
        PROBE   0x00701000, 5, INDEX(63)
        PROBE   0x00702000, 5, INDEX(0)
        PROBE   0x00702000, 6, INDEX(0)
        PROBE   0x00700000, 6, INDEX_P, INDEX_P
        PROBE   0x00703000, 5, INDEX_P, INDEX_P
        PROBE   0x00700000, 5, INDEX(9)
        CHECK_STATE S_COUNT, 0
TEST_END
