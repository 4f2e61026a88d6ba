/* A store while the data cache is isolated does not reach memory. */
#include "cache.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, KSEG1(FREE_PA)
        li      $t2, 0x11
        li      $t3, 0x22
        sw      $t2, 0($t1)
        UNCACHED
        ISOLATE DATA_CACHE
        sw      $t3, 0($t0)
        JOIN
        CACHED
        CHECK_WORD 0, $t1, 0x11
TEST_END
