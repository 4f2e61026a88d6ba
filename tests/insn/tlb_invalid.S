/* An entry matches but its half is not valid: the general vector with TLBL or TLBS; the other half works. */
#include "test.h"
#define VA 0x00c00000
.macro CHECK_INVALID address
        CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE S_BADVADDR, \address
        CHECK_STATE S_ENTRYHI, (\address) & 0xffffe000
        CHECK_STATE S_CONTEXT, ((\address) >> 13) << 4
.endm
TEST
        MAP     1, VA, LO(FREE_PA, LO_RW), LO(FREE_PA, LO_D)
        li      $t0, VA
        sw      $zero, 0($t0)
        EXPECT  EXC_TLBL, lw $t1, 0x1004($t0)
        CHECK_INVALID VA + 0x1004
        EXPECT  EXC_TLBS, sw $t1, 0x1008($t0)
        CHECK_INVALID VA + 0x1008
        RESUME_AT 1f
        addiu   $t1, $t0, 0x1010
        jr      $t1
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, VA + 0x1010
        CHECK_INVALID VA + 0x1010
        lw      $t1, 0($t0)
        CHECK   $t1, 0
TEST_END
