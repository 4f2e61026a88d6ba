/* Code written through another address of the same frame (kseg1, a mapped page) executes at its kseg0 address; byte and
 * halfword stores, swl and sc change code too. */
#include "test.h"
.macro RUN result
        synci   4($t0)
        sync
        li      $v0, 0
        jalr.hb $t0
        nop
        CHECK   $v0, \result
.endm
TEST
        MAP     1, 0x00c00000, LO(FREE_PA, LO_RW), LO(FREE_PA + 0x1000, LO_RW)
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x03e00008         /* jr $ra */
        sw      $t1, 0($t0)
        li      $t1, 0x24020001         /* addiu $v0, $zero, 1 */
        sw      $t1, 4($t0)
        RUN     1
        li      $t3, KSEG1(FREE_PA)
        addiu   $t1, $t1, 1
        sw      $t1, 4($t3)
        RUN     2
        li      $t3, 0x00c00000
        addiu   $t1, $t1, 1
        sw      $t1, 4($t3)
        RUN     3
        li      $t1, 4
        sb      $t1, 4($t0)
        RUN     4
        li      $t1, 0x105
        sh      $t1, 4($t3)
        RUN     0x105
        li      $t2, 0x24020001
        sw      $t2, 4($t0)
        RUN     1
        li      $t2, 0x24020007
        swr     $t2, 4($t0)
        RUN     7
        ll      $t2, 4($t0)
        addiu   $t2, $t2, 1
        sc      $t2, 4($t0)
        RUN     8
TEST_END
