/* FCCR, FEXR, FENR are views of FCSR; FIR says what there is and is read-only; reserved bits of FCSR stay clear. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR 0
        li      $t0, 0xa5
        ctc1    $t0, $25
        cfc1    $t1, $31
        CHECK   $t1, 0xa4000000 | FC_C
        cfc1    $t1, $25
        CHECK   $t1, 0xa5
        li      $t0, FC_V | FC_I | FC_CAUSE(FC_Z)
        ctc1    $t0, $26
        cfc1    $t1, $31
        CHECK   $t1, 0xa4000000 | FC_C | FC_V | FC_I | FC_CAUSE(FC_Z)
        cfc1    $t1, $26
        CHECK_SAME $t0, $t1
        SET_FCSR 0
        li      $t0, FC_ENABLE(FC_O) | RM_DOWN | 4
        ctc1    $t0, $28
        cfc1    $t1, $31
        CHECK   $t1, FC_ENABLE(FC_O) | RM_DOWN | FC_FS
        cfc1    $t1, $28
        CHECK_SAME $t0, $t1
        SET_FCSR 0xffffffff & ~FC_CAUSES & ~FC_ENABLE(FC_FLAGS)
        cfc1    $t1, $31
        CHECK_BITS $t1, 0xff8c0000 & ~FC_CAUSES, 0xff800000
        SET_FCSR 0
        cfc1    $t1, $0
        CHECK_BITS $t1, 0x00330000, 0x00330000  /* S, D, W, L */
        li      $t0, 0
        ctc1    $t0, $0
        cfc1    $t2, $0
        CHECK_SAME $t1, $t2
TEST_END
