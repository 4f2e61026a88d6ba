/* tlbwi, tlbwr, tlbr and tlbp work while the data cache is isolated.
 * gxemul: no (it has no TLB instructions with isolated caches) */
#include "test.h"
TEST
        li      $t0, HI(0x00700000, 7)
        li      $t1, LO(FREE_PA, LO_RW)
        li      $t2, INDEX(5)
        li      $t3, HI(0x00701000, 7)
        li      $s0, ST_ISC
        mtc0    $s0, C0_STATUS
        SETTLE
        mtc0    $t0, C0_ENTRYHI
        mtc0    $t1, C0_ENTRYLO
        mtc0    $t2, C0_INDEX
        SETTLE
        tlbwi
        SETTLE
        mtc0    $t3, C0_ENTRYHI
        SETTLE
        tlbwr
        SETTLE
        mtc0    $t0, C0_ENTRYHI
        mtc0    $zero, C0_INDEX
        SETTLE
        tlbp
        SETTLE
        mfc0    $s1, C0_INDEX
        mtc0    $t3, C0_ENTRYHI
        SETTLE
        tlbp
        SETTLE
        mfc0    $s2, C0_INDEX
        mtc0    $zero, C0_ENTRYHI
        mtc0    $zero, C0_ENTRYLO
        mtc0    $t2, C0_INDEX
        SETTLE
        tlbr
        SETTLE
        mfc0    $s3, C0_ENTRYHI
        mfc0    $s4, C0_ENTRYLO
        mtc0    $zero, C0_STATUS
        SETTLE
        CHECK   $s1, INDEX(5)
        srl     $s2, $s2, 8
        sltiu   $t4, $s2, 64
        CHECK   $t4, 1
        sltiu   $t4, $s2, 8
        CHECK   $t4, 0
        CHECK_SAME $s3, $t0
        CHECK_SAME $s4, $t1
TEST_END
