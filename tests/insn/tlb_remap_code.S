/* The same code address on one frame, then on another, by tlbwi and by ASID; and one frame at two addresses. */
#include "test.h"
#define VA 0x00c00000
.macro CALL_AT address, result
        li      $t0, \address
        li      $v0, 0
        jalr.hb $t0
        nop
        CHECK   $v0, \result
.endm
TEST
        li      $t1, 0x03e00008         /* jr $ra; addiu $v0, $zero, N */
        li      $t2, 0x24020001
        li      $t0, KSEG0(FREE_PA)
        sw      $t1, 0($t0)
        sw      $t2, 4($t0)
        synci   0($t0)
        addiu   $t2, $t2, 1
        li      $t0, KSEG0(FREE_PA + 0x1000)
        sw      $t1, 0($t0)
        sw      $t2, 4($t0)
        synci   0($t0)
        sync
        MAP     1, VA, LO(FREE_PA, LO_RW), 0
        CALL_AT VA, 1
        MAP     1, VA, LO(FREE_PA + 0x1000, LO_RW), 0
        CALL_AT VA, 2
        MAP     1, VA, LO(FREE_PA, LO_RW), LO(FREE_PA + 0x1000, LO_RW)
        CALL_AT VA, 1
        CALL_AT VA + 0x1000, 2
        MAP     1, VA | 1, LO(FREE_PA, LO_RW), 0
        MAP     2, VA | 2, LO(FREE_PA + 0x1000, LO_RW), 0
        li      $s0, 20
1:      SET_ASID 1
        CALL_AT VA, 1
        SET_ASID 2
        CALL_AT VA, 2
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        nop
        MAP     3, 0xc0000000, LO(FREE_PA, LO_RW | LO_G), LO(FREE_PA, LO_RW | LO_G)
        CALL_AT 0xc0000000, 1
        CALL_AT 0xc0001000, 1
        CALL_AT KSEG0(FREE_PA), 1
        CALL_AT KSEG1(FREE_PA), 1
TEST_END
