/* A patched branch: its target, its kind, and the instruction before it change. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        la      $t1, code
        li      $t2, 8
1:      lw      $t3, 0($t1)
        sw      $t3, 0($t0)
        addiu   $t0, $t0, 4
        addiu   $t1, $t1, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        nop
        li      $t0, KSEG0(FREE_PA)
        synci   0($t0)
        sync
        jalr.hb $t0
        li      $v0, 0
        CHECK   $v0, 5
        lw      $t1, 0($t0)
        addiu   $t1, $t1, 1             /* one instruction further */
        sw      $t1, 0($t0)
        synci   0($t0)
        sync
        jalr.hb $t0
        li      $v0, 0
        CHECK   $v0, 1
        li      $t2, 0x44000000         /* beq becomes bnel */
        addu    $t1, $t1, $t2
        sw      $t1, 0($t0)
        synci   0($t0)
        sync
        jalr.hb $t0
        li      $v0, 0
        CHECK   $v0, 6
        b       end
        nop
code:   beq     $zero, $zero, 1f
        addiu   $v0, $v0, 1
        addiu   $v0, $v0, 2
1:      addiu   $v0, $v0, 4
        jr      $ra
        nop
        nop
        nop
end:
TEST_END
