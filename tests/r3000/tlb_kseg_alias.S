/* kseg0 and kseg1 are two views of the same 512 MB: what one stores the other loads, as no cache holds the word yet. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, KSEG1(FREE_PA)
        li      $t2, 0x1234abcd
        sw      $t2, 0x100($t1)
        CHECK_WORD 0x100, $t0, 0x1234abcd
        li      $t2, 0x55667788         /* the caches write through */
        sw      $t2, 0x100($t0)
        CHECK_WORD 0x100, $t1, 0x55667788
TEST_END
