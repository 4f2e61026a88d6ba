/* Swapping selects another cache: what an isolated store put into the instruction cache is not in the data cache,
 * and the other way round.
 * gxemul: no (its isolated caches keep no tags) */
#include "cache.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x11
        li      $t3, 0x22
        UNCACHED
        ISOLATE DATA_CACHE
        sw      $t2, 0($t0)
        ISOLATE INSTRUCTION_CACHE
        sw      $t3, 0($t0)
        lw      $s1, 0($t0)
        nop
        ISOLATE DATA_CACHE
        lw      $s0, 0($t0)
        nop
        sb      $zero, 0($t0)
        ISOLATE INSTRUCTION_CACHE
        sb      $zero, 0($t0)
        JOIN
        CACHED
        CHECK   $s0, 0x11
        CHECK   $s1, 0x22
        INVALIDATE DATA_CACHE, $t0, 64
        INVALIDATE INSTRUCTION_CACHE, $t0, 64
TEST_END
