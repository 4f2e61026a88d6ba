/* A load while the data cache is isolated gets what an isolated store put there, with CM clear: a hit.
 * gxemul: no (its isolated caches keep no tags) */
#include "cache.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0xa5a55a5a
        li      $t3, 0x12345678
        UNCACHED
        ISOLATE DATA_CACHE
        sw      $t2, 0($t0)
        sw      $t3, 4($t0)
        lw      $s0, 0($t0)
        nop
        mfc0    $s1, C0_STATUS
        lw      $s2, 4($t0)
        nop
        JOIN
        CACHED
        CHECK   $s0, 0xa5a55a5a
        CHECK_BITS $s1, ST_CM, 0
        CHECK   $s2, 0x12345678
        INVALIDATE DATA_CACHE, $t0, 64
TEST_END
