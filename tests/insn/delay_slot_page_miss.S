/* A branch in the last word of a mapped page whose delay slot lies in the next one, not mapped: the fetch of the slot
 * misses with EPC = branch, BD = 1 and BadVAddr = the slot; after the handler has mapped it the branch completes. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, KSEG0(FREE_PA)     /* code: branch at 0xffc, slot at 0x1000, target at 0x10 */
        la      $t1, code
        li      $t2, 4
1:      lw      $t3, 0($t1)             /* four words at 0x10 */
        sw      $t3, 0x10($t0)
        addiu   $t1, $t1, 4
        addiu   $t0, $t0, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        nop
        li      $t0, KSEG0(FREE_PA)
        lw      $t3, 0($t1)
        sw      $t3, 0xffc($t0)
        synci   0($t0)
        synci   0xffc($t0)
        li      $t0, KSEG0(FREE_PA) + 0x2000
        lw      $t3, 4($t1)             /* the slot lies in another frame */
        sw      $t3, 0($t0)
        synci   0($t0)
        sync
        ehb
        MAP     1, VA, LO(FREE_PA, LO_RW), 0
        HOOK    fill
        li      $t0, VA + 0xffc
        li      $t5, 0
        la      $ra, back
        jr      $t0
        nop

code:   jr      $ra                     /* at 0x10 */
        addiu   $t5, $t5, 4
        nop
        nop
        .word   0x1000fc04              /* at 0xffc: beq $zero, $zero, 0x10 */
        addiu   $t5, $t5, 1             /* at 0x1000 */

back:   CHECK   $t5, 5
        CHECK_STATE S_COUNT, 1
        CHECK_STATE S_EPC, VA + 0xffc
        CHECK_STATE S_BADVADDR, VA + 0x1000
        CHECK_STATE S_ENTRYHI, VA
        CHECK_STATE S_VECTOR, 0x180
        lw      $t0, S_CAUSE($gp)
        li      $t1, 0x8000007c
        and     $t0, $t0, $t1
        CHECK   $t0, 0x80000000 | EXC_TLBL << 2
        b       end
        nop

fill:   li      $k1, LO(FREE_PA, LO_RW)
        mtc0    $k1, C0_ENTRYLO0
        li      $k1, LO(FREE_PA + 0x2000, LO_RW)
        mtc0    $k1, C0_ENTRYLO1
        li      $k1, 1
        mtc0    $k1, C0_INDEX
        ehb
        tlbwi
        eret
end:
TEST_END
