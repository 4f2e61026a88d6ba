/* Of two causes of one instruction the earlier stage's wins: a fetch that misses before anything of the instruction,
 * RI and CpU before an address, an address error before a miss, an invalid entry before Mod. */
#include "test.h"
TEST
        MAP     1, 0x00701000, LO(FREE_PA, LO_D)
        PUT_CODE 0, 0x0000000c          /* syscall on a page that is not there */
        SET_ASID 0
        li      $t0, 0x00700000
        RESUME_AT 1f
        jr      $t0
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_TLBL, 0x00700000
        EXPECT  EXC_RI, .word 0xdd090001        /* ld $t1, 1($t0) */
        EXPECT_UNUSABLE 1, lwc1 $f0, 1($t0)
        EXPECT  EXC_ADES, sw $t1, 0x1001($t0)
        EXPECT  EXC_TLBS, sw $t1, 0x1000($t0)
TEST_END
