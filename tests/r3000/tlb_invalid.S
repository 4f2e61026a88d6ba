/* An entry that matches and is not valid goes through the general vector, with TLBL for a load or fetch, TLBS for a
 * store, and BadVAddr, EntryHi and Context as a miss sets them. V comes before D. */
#include "test.h"
TEST
        MAP     1, HI(0x12345000, 0x15), LO(FREE_PA, LO_D)
        SET_CP0 C0_CONTEXT, 0xffe00000
        SET_ASID 0x15
        li      $t0, 0x12345678
        EXPECT_AT EXC_TLBL, VECTOR_GENERAL, 0x12345678, lw $t1, 0($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 0x15)
        CHECK_STATE S_CONTEXT, 0xffe00000 | (0x12345 << 2)
        EXPECT_AT EXC_TLBS, VECTOR_GENERAL, 0x1234567c, sw $t1, 4($t0)
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, 0x12345678
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        MAP     1, HI(0x12345000, 0x15), LO(FREE_PA, 0)
        EXPECT_AT EXC_TLBS, VECTOR_GENERAL, 0x1234567c, sw $t1, 4($t0)
TEST_END
