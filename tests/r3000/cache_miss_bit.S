/* CM of Status says whether the last load with the isolated cache missed: set after a byte store has invalidated the
 * line, clear after a load that hits.
 * gxemul: no (its isolated caches keep no tags) */
#include "cache.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x11
        UNCACHED
        ISOLATE DATA_CACHE
        sw      $t2, 0($t0)
        sw      $t2, 0x100($t0)
        sb      $zero, 0($t0)
        lw      $s0, 0($t0)
        nop
        mfc0    $s1, C0_STATUS
        lw      $s0, 0x100($t0)
        nop
        mfc0    $s2, C0_STATUS
        nop
        JOIN
        CACHED
        CHECK_BITS $s1, ST_CM, ST_CM
        CHECK_BITS $s2, ST_CM, 0
        INVALIDATE DATA_CACHE, $t0, 0x140
TEST_END
