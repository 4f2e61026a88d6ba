/* EBase moves all vectors but those of BEV; its low bits number the processor, its high ones keep it in kseg0. */
#include "test.h"
#define OLD 0x80000000
#define NEW KSEG0(FREE_PA)
TEST
        li      $a0, NEW
        jal     test_vectors
        nop
        mfc0    $t0, C0_EBASE
        CHECK   $t0, OLD
        li      $t0, OLD                /* the old ones fail */
        addiu   $t1, $t0, 0x400
        la      $t3, fail_vector
1:      lw      $t2, 0($t3)
        sw      $t2, 0($t0)
        lw      $t2, 4($t3)
        sw      $t2, 4($t0)
        sw      $zero, 8($t0)
        synci   0($t0)
        addiu   $t0, $t0, 32
        bne     $t0, $t1, 1b
        nop
        sync
        SET_STATUS ST_BEV
        li      $t0, NEW
        mtc0    $t0, C0_EBASE
        ehb
        mfc0    $t0, C0_EBASE
        CHECK   $t0, NEW
        SET_STATUS 0
        EXPECT  EXC_SYS, syscall
        CHECK_STATE S_VECTOR, 0x180
        li      $t0, 0x00c00000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_STATE S_VECTOR, 0
        HOOK    taken
        li      $t0, CA_IV | CA_IP1
        mtc0    $t0, C0_CAUSE
        li      $t0, 0x20
        mtc0    $t0, C0_INTCTL
        SET_STATUS ST_IE | ST_IM1
        nop
        nop
        SET_STATUS 0
        CHECK_STATE S_VECTOR, 0x220
        SET_STATUS ST_BEV
        li      $t0, 0xfffffffe
        mtc0    $t0, C0_EBASE
        ehb
        mfc0    $t0, C0_EBASE
        CHECK   $t0, 0xbffff000
        mtc0    $zero, C0_EBASE
        ehb
        mfc0    $t0, C0_EBASE
        CHECK   $t0, 0x80000000
        b       end
        nop
taken:  mtc0    $zero, C0_CAUSE
        ehb
        eret
fail_vector:
        j       test_finish
        li      $a0, 191
end:
TEST_END
