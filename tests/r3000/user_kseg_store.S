/* A store in user mode from an address above kuseg (kseg0, kseg1, kseg2 alike) raises AdES, never a TLB miss;
 * BadVAddr is the address. The last word of kuseg is an ordinary miss. */
#include "test.h"
TEST
        MAP_PROGRAM
        .irp    va, 0x80000000, 0x80400000, 0xa0400000, 0xbfc00000, 0xc0000000, 0xfffffffc
        li      $t0, \va
        RUN_USER user
        CHECK_EXCEPTION EXC_ADES, USER(user)
        CHECK_STATE S_BADVADDR, \va
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP
        .endr
        li      $t0, 0x7ffffffc
        RUN_USER user
        CHECK_EXCEPTION EXC_TLBS, USER(user)
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        b       1f
        nop
user:   sw $t1, 0($t0)
        nop
1:
TEST_END
