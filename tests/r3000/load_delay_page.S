/* The delay holds over the end of a page: a load in a page's last word and its slot in the next page's first, in kseg0, in
 * mapped memory, and from a branch's slot at a page's end.
 * gxemul: no (it has no load delays) */
#include "test.h"
#define LW_T2  0x8d0a0000               /* lw $t2, 0($t0) */
#define MOVE_3 0x01405821               /* move $t3, $t2 */
#define MOVE_4 0x01406021               /* move $t4, $t2 */
        .macro  CALL address
        li      $t5, \address
        li      $t2, 0x33
        li      $t3, 0
        jalr    $t5
        nop
        CHECK   $t2, 0x11
        CHECK   $t3, 0x33
        CHECK   $t4, 0x11
        .endm
TEST
        li      $t0, KSEG0(FREE_PA + 0x8000)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        PUT_CODE 0x0ffc, LW_T2
        PUT_CODE 0x1000, MOVE_3
        PUT_CODE 0x1004, CODE_JR_RA
        PUT_CODE 0x1008, MOVE_4
        PUT_CODE 0x2ff8, 0x10000003     /* b to 0x3008 */
        PUT_CODE 0x2ffc, LW_T2
        PUT_CODE 0x3008, MOVE_3
        PUT_CODE 0x300c, CODE_JR_RA
        PUT_CODE 0x3010, MOVE_4
        .irp    entry, 0, 1, 2, 3
        MAP     \entry + 1, 0x00700000 + (\entry << 12), LO(FREE_PA + (\entry << 12), LO_V)
        .endr
        SET_ASID 0
        li      $s0, 3
1:      CALL    KSEG0(FREE_PA) + 0xffc
        CALL    KSEG0(FREE_PA) + 0x2ff8
        CALL    0x00700ffc
        CALL    0x00702ff8
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        nop
TEST_END
