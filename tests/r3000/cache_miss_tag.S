/* CM is set for a load of another address with the same place in the cache: the tag does not match. 256 KB and 16 MB
 * away are the same place in every cache an R3000 may have.
 * gxemul: no (its isolated caches keep no tags) */
#include "cache.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, KSEG0(FREE_PA + 0x40000)
        li      $t3, KSEG0(FREE_PA + 0x1000000)
        li      $t2, 0x11
        UNCACHED
        ISOLATE DATA_CACHE
        sw      $t2, 0($t0)
        lw      $s0, 0($t1)
        nop
        mfc0    $s1, C0_STATUS
        lw      $s0, 0($t3)
        nop
        mfc0    $s2, C0_STATUS
        lw      $s0, 0($t0)
        nop
        mfc0    $s3, C0_STATUS
        nop
        JOIN
        CACHED
        CHECK_BITS $s1, ST_CM, ST_CM
        CHECK_BITS $s2, ST_CM, ST_CM
        CHECK_BITS $s3, ST_CM, 0
        CHECK   $s0, 0x11
        INVALIDATE DATA_CACHE, $t0, 64
TEST_END
