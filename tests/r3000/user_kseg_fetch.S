/* A fetch in user mode from an address above kuseg raises AdEL with EPC and BadVAddr the address.
 * gxemul: no (it checks the mode on the first fetch from a page only) */
#include "test.h"
TEST
        MAP_PROGRAM
        .irp    va, 0x80000000, 0x80000080, 0xa0400000, 0xc0000000
        li      $t0, \va
        RUN_USER user
        CHECK_EXCEPTION EXC_ADEL, \va
        CHECK_STATE S_BADVADDR, \va
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        .endr
        b       1f
        nop
user:   jr      $t0
        nop
1:
TEST_END
