/* The ASID counts for fetches: the same address is another program's code after a change of EntryHi. */
#include "test.h"
TEST
        PUT_CODE 0x0000, 0x24020011     /* addiu $v0, $zero, 0x11 */
        PUT_CODE 0x0004, CODE_JR_RA
        PUT_CODE 0x0008, CODE_NOP
        PUT_CODE 0x1000, 0x24020022
        PUT_CODE 0x1004, CODE_JR_RA
        PUT_CODE 0x1008, CODE_NOP
        MAP     1, HI(0x00700000, 1), LO(FREE_PA, LO_V)
        MAP     2, HI(0x00700000, 2), LO(FREE_PA + 0x1000, LO_V)
        li      $t0, 0x00700000
        li      $s0, 3
1:      SET_ASID 1
        jalr    $t0
        nop
        CHECK   $v0, 0x11
        SET_ASID 2
        jalr    $t0
        nop
        CHECK   $v0, 0x22
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        nop
        SET_ASID 3
        RESUME_AT 2f
        jr      $t0
        nop
        FAIL
2:      CHECK_EXCEPTION EXC_TLBL, 0x00700000
TEST_END
