/* ctc1 that sets a cause together with its enable, or Unimplemented alone: FPE at once, FCSR written. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR 0
        li      $t0, FC_CAUSE(FC_V) | FC_ENABLE(FC_V)
        EXPECT  EXC_FPE, ctc1 $t0, $31
        CHECK_FCSR 0xffffffff, FC_CAUSE(FC_V) | FC_ENABLE(FC_V)
        SET_FCSR 0
        li      $t0, FC_CAUSE(FC_V) | FC_ENABLE(FC_Z)
        ctc1    $t0, $31
        CHECK_STATE S_COUNT, 1
        li      $t0, FC_ENABLE(FC_V)
        EXPECT  EXC_FPE, ctc1 $t0, $28
        SET_FCSR 0
        li      $t0, 0x00020000
        EXPECT  EXC_FPE, ctc1 $t0, $31
        SET_FCSR 0
        li      $t0, FC_ENABLE(FC_FLAGS)
        ctc1    $t0, $31
        li      $t0, FC_CAUSE(FC_I)
        EXPECT  EXC_FPE, ctc1 $t0, $26
        EXPECT_IN_SLOT EXC_FPE, "b 7f", ctc1 $t0, $26
TEST_END
