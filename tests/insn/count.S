/* Count counts, also through rdhwr; writing sets it; Cause.DC stops it. */
#include "test.h"
TEST
        li      $t0, 0x1000
        mtc0    $t0, C0_COUNT
        ehb
        mfc0    $t1, C0_COUNT
        subu    $t2, $t1, $t0
        sltiu   $t2, $t2, 30000
        CHECK   $t2, 1
        li      $t3, 5000
1:      bnez    $t3, 1b
        addiu   $t3, $t3, -1
        mfc0    $t2, C0_COUNT
        sltu    $t3, $t1, $t2
        CHECK   $t3, 1
        li      $t0, 0xfffffff0         /* wraps */
        mtc0    $t0, C0_COUNT
        li      $t3, 5000
1:      bnez    $t3, 1b
        addiu   $t3, $t3, -1
        mfc0    $t2, C0_COUNT
        srl     $t2, $t2, 31
        CHECK   $t2, 0
        li      $t0, CA_DC
        mtc0    $t0, C0_CAUSE
        ehb
        mfc0    $t1, C0_COUNT
        li      $t3, 1000
1:      bnez    $t3, 1b
        addiu   $t3, $t3, -1
        mfc0    $t2, C0_COUNT
        CHECK_SAME $t1, $t2
        mtc0    $zero, C0_CAUSE
        ehb
        li      $t3, 5000
1:      bnez    $t3, 1b
        addiu   $t3, $t3, -1
        mfc0    $t2, C0_COUNT
        subu    $t2, $t2, $t1
        CHECK_TRUE $t2
TEST_END
