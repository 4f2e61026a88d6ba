/* A UTLB miss inside a handler is an exception as any other: it goes through the UTLB vector, pushes Status once
 * more and overwrites EPC, Cause, BadVAddr, EntryHi and Context of the first. */
#include "test.h"
TEST
        SET_ASID 3
        HOOK    first
        li      $t0, 0x00711000
        li      $s1, 0
        SET_CP0 C0_STATUS, ST_IEC | ST_CU1
        syscall
1:      FAIL
first:  lw      $s0, S_EPC($k0)
        UNHOOK
        RESUME_AT 2f
3:      lw      $t1, 4($t0)
        FAIL
2:      la      $t2, 1b - 4
        CHECK_SAME $s0, $t2
        CHECK_EXCEPTION EXC_TLBL, 3b
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        CHECK_STATE S_BADVADDR, 0x00711004
        CHECK_STATE S_ENTRYHI, HI(0x00711000, 3)
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_IEO
        CHECK_STATE S_COUNT, 2
TEST_END
