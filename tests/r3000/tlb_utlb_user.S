/* A miss in kuseg goes through the UTLB vector from user mode as from kernel mode, and pushes Status as every
 * exception. */
#include "test.h"
TEST
        MAP_PROGRAM
        SET_ASID 0x15
        li      $t0, 0x12345678
        RUN_USER user
        CHECK_EXCEPTION EXC_TLBL, USER(user)
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        CHECK_STATE S_BADVADDR, 0x12345678
        CHECK_STATE S_ENTRYHI, HI(0x12345000, 0x15)
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP
        b       1f
        nop
user:   lw      $t1, 0($t0)
        nop
1:
TEST_END
