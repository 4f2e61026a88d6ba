/* A load, a store or a fetch in kuseg without a matching entry goes through the UTLB vector, with TLBL or TLBS in
 * Cause, BadVAddr, EntryHi (page and ASID) and Context set. */
#include "test.h"
TEST
        SET_CP0 C0_CONTEXT, 0xffe00000
        SET_ASID 0x15
        li      $t0, 0x12345678
        EXPECT_AT EXC_TLBL, VECTOR_UTLB, 0x12345678, lw $t1, 0($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 0x15)
        CHECK_STATE S_CONTEXT, 0xffe00000 | (0x12345 << 2)
        EXPECT_AT EXC_TLBS, VECTOR_UTLB, 0x1234567b, sb $t1, 3($t0)
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 0x15)
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, 0x12345678
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        CHECK_STATE S_BADVADDR, 0x12345678
TEST_END
