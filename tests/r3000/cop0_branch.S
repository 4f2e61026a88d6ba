/* bc0t and bc0f branch by the pin CpCond0, whatever it says: one of them is taken, the other not; their delay slots
 * execute. In user mode without CU0 they are unusable.
 * gxemul: no (it has no bc0t and bc0f) */
#include "test.h"
TEST
        MAP_PROGRAM
        li      $s0, 0
        li      $s1, 0
        .word   0x41010003              /* bc0t 1f */
        addiu   $s1, $s1, 1
        b       2f
        nop
1:      addiu   $s0, $s0, 1
2:      .word   0x41000003              /* bc0f 3f */
        addiu   $s1, $s1, 1
        b       4f
        nop
3:      addiu   $s0, $s0, 2
4:      CHECK   $s1, 2
        addiu   $s0, $s0, -1            /* 1 or 2 */
        sltiu   $s0, $s0, 2
        CHECK   $s0, 1
        RUN_USER user
        CHECK_EXCEPTION EXC_CPU, USER(user)
        CHECK_STATE_BITS S_CAUSE, 0x30000000, 0
        b       9f
        nop
user:   .word   0x41000001
        nop
        nop
9:
TEST_END
