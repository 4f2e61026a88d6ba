/* A miss in kseg2 goes through the general vector, not the UTLB's, with TLBL and TLBS, BadVAddr, EntryHi and Context
 * (whose page number leaves out the uppermost bit). */
#include "test.h"
TEST
        SET_CP0 C0_CONTEXT, 0x00200000
        SET_ASID 0x15
        li      $t0, 0xc2345678
        EXPECT_AT EXC_TLBL, VECTOR_GENERAL, 0xc2345678, lw $t1, 0($t0)
        CHECK_STATE S_ENTRYHI, HI(0xc2345000, 0x15)
        CHECK_STATE S_CONTEXT, 0x00200000 | (0x42345 << 2)
        EXPECT_AT EXC_TLBS, VECTOR_GENERAL, 0xc2345678, sw $t1, 0($t0)
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, 0xc2345678
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
TEST_END
