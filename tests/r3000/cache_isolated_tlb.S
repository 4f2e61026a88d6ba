/* Isolated accesses to mapped addresses are translated first; the cache holds the physical address. Kernels use
 * kseg0 for this; the rule is the pipeline's. */
#include "cache.h"
TEST
        MAP     1, 0x00700000, LO(FREE_PA, LO_RW)
        SET_ASID 0
        li      $t0, 0x00700000
        li      $t1, KSEG1(FREE_PA)
        li      $t2, 0x11
        sw      $t2, 0($t1)
        li      $t3, 0x22
        UNCACHED
        ISOLATE DATA_CACHE
        sw      $t3, 0($t0)
        lw      $s0, 0($t0)
        nop
        sb      $zero, 0($t0)
        JOIN
        CACHED
        CHECK   $s0, 0x22
        CHECK_WORD 0, $t0, 0x11
        CHECK_WORD 0, $t1, 0x11
TEST_END
