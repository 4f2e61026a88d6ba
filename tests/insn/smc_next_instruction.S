/* A store into the instruction right after it, and into its own branch's delay slot: without caches between stores and
 * fetches the new instruction executes. qemu: no (unpredictable before a barrier; here fetches see every store) */
#include "test.h"
TEST
        la      $t0, 1f
        li      $t1, 0x24020007         /* addiu $v0, $zero, 7 */
        sw      $t1, 0($t0)
1:      addiu   $v0, $zero, -1
        CHECK   $v0, 7
        la      $t0, 2f
        sw      $t1, 4($t0)
2:      b       3f
        addiu   $v0, $zero, -1
        FAIL
3:      CHECK   $v0, 7
        la      $t0, 4f + 4             /* a store in a delay slot to the branch's target */
        b       4f
        sw      $t1, 0($t0)
        FAIL
4:      li      $v0, 1
        addiu   $v0, $zero, -1
        CHECK   $v0, 7
TEST_END
