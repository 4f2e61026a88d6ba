/* When the fetch of the slot misses, the load arrives before the handler runs: the slot executes after the refill and sees
 * the new value. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA + 0x8000)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        PUT_CODE 0x0ffc, 0x8d0a0000     /* lw $t2, 0($t0) */
        PUT_CODE 0x1000, 0x01405821     /* move $t3, $t2 */
        PUT_CODE 0x1004, CODE_JR_RA
        PUT_CODE 0x1008, CODE_NOP
        MAP     1, 0x00700000, LO(FREE_PA, LO_V)
        SET_ASID 0
        HOOK    fill
        li      $t5, 0x00700ffc
        li      $t2, 0x33
        jalr    $t5
        nop
        UNHOOK
        CHECK   $t3, 0x11
        CHECK_STATE S_COUNT, 1
        CHECK_STATE S_EPC, 0x00701000
        CHECK_STATE_BITS S_CAUSE, CA_BD, 0
        b       9f
        nop
fill:   li      $k1, LO(FREE_PA + 0x1000, LO_V)
        mtc0    $k1, C0_ENTRYLO
        SETTLE
        tlbwr
        SETTLE
        HOOK_RETURN
9:
TEST_END
