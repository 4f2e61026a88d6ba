/* rfe changes Status and nothing else: control goes on behind it, EPC and Cause keep their values. */
#include "test.h"
TEST
        EXPECT  EXC_BP, break
        mfc0    $t0, C0_EPC
        mfc0    $t1, C0_CAUSE
        SET_CP0 C0_STATUS, ST_IEP
        rfe
        li      $t2, 1
        SETTLE
        CHECK   $t2, 1
        mfc0    $t3, C0_EPC
        mfc0    $t4, C0_CAUSE
        nop
        CHECK_SAME $t3, $t0
        CHECK_SAME $t4, $t1
        CHECK_CP0_BITS C0_STATUS, ST_STACK, ST_IEC
        SET_CP0 C0_STATUS, 0
TEST_END
