/* cache: index and hit operations on all caches lose no data; an unmapped address misses the TLB. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x12345678
        sw      $t1, 0($t0)
        cache   0x15, 0($t0)            /* hit writeback invalidate D */
        lw      $t2, 0($t0)
        CHECK   $t2, 0x12345678
        sw      $t0, 4($t0)
        cache   0x01, 0($t0)            /* index writeback invalidate D */
        lw      $t2, 4($t0)
        CHECK_SAME $t2, $t0
        sw      $t1, 8($t0)
        cache   0x19, 0($t0)            /* hit writeback D */
        lw      $t2, 8($t0)
        CHECK   $t2, 0x12345678
        cache   0x10, 0($t0)            /* hit invalidate I */
        cache   0x00, 0($t0)            /* index invalidate I */
        cache   0x17, 0($t0)            /* hit writeback invalidate L2 */
        cache   0x03, 0($t0)
        lw      $t2, 8($t0)
        CHECK   $t2, 0x12345678
        CHECK_STATE S_COUNT, 0
TEST_END
