/* A TLB miss in a delay slot, repaired by the handler: the branch executes again and leaves what it would have left
 * without the miss; taken, not taken, likely, with link, to a register. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x13572468
        sw      $t1, 16($t0)
        HOOK    fill
        li      $t9, VA

        li      $t2, 0
8:      b       1f
        lw      $t3, 16($t9)
        FAIL
1:      CHECK   $t3, 0x13572468
        CHECK_EXCEPTION EXC_TLBL, 8b, 1
        CHECK_STATE S_VECTOR, 0

        UNMAP   1
        li      $t3, 0
        li      $t0, 1
        beqz    $t0, 2f
        lw      $t3, 16($t9)
        b       3f
        nop
2:      FAIL
3:      CHECK   $t3, 0x13572468
        CHECK_STATE S_COUNT, 2

        UNMAP   1
        li      $ra, 0
        jal     4f
        sw      $ra, 20($t9)
8:      FAIL
4:      CHECK   $ra, 8b
        lw      $t3, 20($t9)
        CHECK   $t3, 8b
        CHECK_STATE S_COUNT, 3
        lw      $t3, S_CAUSE($gp)
        ext     $t3, $t3, 2, 5
        CHECK   $t3, EXC_TLBS

        UNMAP   1
        li      $t3, 0
        beql    $zero, $zero, 5f
        lw      $t3, 16($t9)
        FAIL
5:      CHECK   $t3, 0x13572468
        CHECK_STATE S_COUNT, 4

        UNMAP   1
        la      $t4, 6f
        jalr    $t5, $t4
        lw      $t4, 16($t9)
8:      FAIL
6:      CHECK   $t5, 8b
        CHECK   $t4, 0x13572468
        CHECK_STATE S_COUNT, 5
        UNMAP   1                       /* annulled: no miss */
        bnel    $zero, $zero, 7f
        lw      $t4, 16($t9)
7:      CHECK_STATE S_COUNT, 5
        b       end
        nop

fill:   li      $k1, LO(FREE_PA, LO_RW)
        mtc0    $k1, C0_ENTRYLO0
        mtc0    $k1, C0_ENTRYLO1
        li      $k1, 1
        mtc0    $k1, C0_INDEX
        ehb
        tlbwi
        eret
end:
TEST_END
