/* Isolated stores leave the memory they seem to go to as it is, all of a cache's size; after the invalidation loads
 * see it. */
#include "cache.h"
TEST
        li      $t0, KSEG1(FREE_PA)
        li      $t1, KSEG1(FREE_PA + 0x10000)
        move    $t2, $t0
1:      sw      $t2, 0($t2)             /* every word its own address */
        addiu   $t2, $t2, 4
        bne     $t2, $t1, 1b
        nop
        li      $t0, KSEG0(FREE_PA)
        li      $t1, KSEG0(FREE_PA + 0x10000)
        UNCACHED
        ISOLATE DATA_CACHE
        move    $t2, $t0
2:      sw      $zero, 0($t2)
        addiu   $t2, $t2, 4
        bne     $t2, $t1, 2b
        nop
        move    $t2, $t0
3:      sb      $zero, 0($t2)
        addiu   $t2, $t2, 4
        bne     $t2, $t1, 3b
        nop
        JOIN
        CACHED
        move    $t2, $t0
        li      $t5, KSEG1(0) - KSEG0(0)
4:      lw      $t3, 0($t2)
        addu    $t4, $t2, $t5
        CHECK_SAME $t3, $t4
        addiu   $t2, $t2, 4
        bne     $t2, $t1, 4b
        nop
TEST_END
