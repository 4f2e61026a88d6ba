/* j and jal take the upper four bits of the delay slot's address, not of their own: a jump in the last word of a region
 * goes to the next one. Here the last words of the regions 0 and 1 are followed by a slot in the next.
 * gxemul: no (it takes the region of the jump) */
#include "test.h"
TEST
        PUT_CODE 0xff8, CODE_NOP
        PUT_CODE 0xffc, 0x08000000 | 0x0345   /* j 0x?0000d14 */
        PUT_CODE 0x1000, 0x25080001     /* addiu $t0, $t0, 1: the slot */
        PUT_CODE 0x1004, CODE_NOP
        PUT_CODE 0x1d14, 0x0000000c     /* syscall at the target */
        MAP     1, 0x0ffff000, LO(FREE_PA, LO_V)
        MAP     2, 0x10000000, LO(FREE_PA + 0x1000, LO_V)
        SET_ASID 0
        li      $t0, 0
        li      $t1, 0x0ffffff8
        RESUME_AT 1f
        jr      $t1
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_SYS, 0x10000d14
        CHECK   $t0, 1
        PUT_CODE 0x2ffc, 0x0c000000 | 0x0345
        PUT_CODE 0x3000, CODE_NOP
        MAP     3, 0x1ffff000, LO(FREE_PA + 0x2000, LO_V)
        MAP     4, 0x20000000, LO(FREE_PA + 0x1000, LO_V)
        SET_ASID 0
        li      $t0, 0
        li      $t1, 0x1ffffffc
        RESUME_AT 1f
        jr      $t1
        nop
        FAIL
1:      CHECK_EXCEPTION EXC_SYS, 0x20000d14
        CHECK   $ra, 0x20000004
        CHECK   $t0, 1
TEST_END
