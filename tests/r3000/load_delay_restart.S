/* When an exception comes between a load and its slot, the slot executes after the return and sees the new value: the
 * delay is the pipeline's, not the program's. Here a miss of the slot's own access. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t4, 0x00700000
        li      $t2, 0x33
        HOOK    fill
        lw      $t2, 0($t0)
        sw      $t2, 8($t4)
        UNHOOK
        CHECK_STATE S_COUNT, 1
        CHECK_WORD 8, $t4, 0x11
        b       9f
        nop
fill:   li      $k1, LO(FREE_PA, LO_RW)
        mtc0    $k1, C0_ENTRYLO
        SETTLE
        tlbwr
        SETTLE
        HOOK_RETURN
9:
TEST_END
