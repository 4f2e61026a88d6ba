/* Code in a mapped page replaces the entry it runs under with one for the same address on another frame. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, KSEG0(FREE_PA)     /* two copies that differ in one instruction */
        la      $t1, code
        li      $t2, (code_end - code) / 4
1:      lw      $t3, 0($t1)
        sw      $t3, 0($t0)
        sw      $t3, 0x1000($t0)
        synci   0($t0)
        synci   0x1000($t0)
        addiu   $t0, $t0, 4
        addiu   $t1, $t1, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        nop
        li      $t3, 0x24020022         /* addiu $v0, $zero, 0x22 */
        sw      $t3, 0x1000 - 12($t0)
        synci   0x1000 - 12($t0)
        sync
        MAP     1, VA, LO(FREE_PA, LO_RW), 0
        li      $t1, LO(FREE_PA + 0x1000, LO_RW)
        mtc0    $t1, C0_ENTRYLO0
        ehb
        li      $t0, VA
        li      $v0, 0
        addiu   $t9, $t0, 16
        jalr.hb $t0
        nop
        CHECK   $v0, 0x22
        b       end
        nop
code:   tlbwi
        ehb
        jr.hb   $t9
        nop
        addiu   $v0, $zero, 0x11        /* in the second copy 0x22 */
        jr      $ra
        nop
code_end:
end:
TEST_END
