/* After a byte store to its line while the data cache is isolated, a word is loaded from memory again: what a
 * device, or a store by kseg1, has put there meanwhile. The byte store itself reaches nothing. */
#include "cache.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, KSEG1(FREE_PA)
        li      $t2, 0x11
        sw      $t2, 0($t1)
        CHECK_WORD 0, $t0, 0x11
        li      $t2, 0x22
        sw      $t2, 0($t1)
        INVALIDATE DATA_CACHE, $t0, 64
        CHECK_WORD 0, $t0, 0x22
        CHECK_WORD 0, $t1, 0x22
TEST_END
