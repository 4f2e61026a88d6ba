/* Returning to EPC when BD is set executes the branch again, with its condition, and then the slot. */
#include "test.h"
TEST
        HOOK    fill
        li      $t0, 0x00600010
        li      $t1, 0
        li      $t2, 0
        bnez    $t0, 1f
        lw      $t1, 0($t0)
        li      $t2, 1
1:      nop
        UNHOOK
        CHECK   $t1, 0x1234abcd
        CHECK   $t2, 0
        CHECK_STATE S_COUNT, 1
        CHECK_STATE_BITS S_CAUSE, CA_BD, CA_BD
        b       2f
        nop
fill:   li      $k1, KSEG1(FREE_PA)     /* maps the page at fault */
        li      $at, 0x1234abcd
        sw      $at, 0x10($k1)
        li      $at, LO(FREE_PA, LO_RW)
        mtc0    $at, C0_ENTRYLO
        SETTLE
        tlbwr
        SETTLE
        HOOK_RETURN
2:
TEST_END
