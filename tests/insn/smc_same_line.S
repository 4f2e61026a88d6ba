/* Code changed just ahead in the line that executes, with the barrier the architecture asks for, and a loop that
 * changes its own first instruction. */
#include "test.h"
TEST
        la      $t0, 2f
        la      $t2, 2f
        li      $t1, 0x24020007         /* addiu $v0, $zero, 7 */
        b       1f
        nop
        .balign 32
1:      sw      $t1, 0($t0)             /* one line holds both the store and the patched instruction */
        synci   0($t0)
        sync
        jr.hb   $t2
        nop
2:      addiu   $v0, $zero, -1
        CHECK   $v0, 7

        la      $t0, 3f
        li      $t5, 2
        li      $t1, 0x24840010         /* addiu $a0, $a0, 16 */
        li      $a0, 0
3:      addiu   $a0, $a0, 1
        sw      $t1, 0($t0)
        synci   0($t0)
        sync
        addiu   $t5, $t5, -1
        beqz    $t5, 5f
        nop
        jr.hb   $t0
        nop
5:      CHECK   $a0, 17
TEST_END
