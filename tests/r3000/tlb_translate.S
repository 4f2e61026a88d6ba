/* A page's frame is the entry's; the offset goes through. Two pages may share a frame, a page reaches the frame
 * alone. */
#include "test.h"
TEST
        MAP     1, 0x00700000, LO(FREE_PA, LO_RW)
        MAP     2, 0x00701000, LO(FREE_PA + 0x5000, LO_RW)
        MAP     3, 0x7ffff000, LO(FREE_PA, LO_RW)
        SET_ASID 0
        li      $t0, 0x00700000
        li      $t1, 0x7ffff000
        li      $t2, 0x11111111
        sw      $t2, 0xffc($t0)
        li      $t2, 0x22222222
        sw      $t2, 0x1000($t0)
        CHECK_WORD 0xffc, $t1, 0x11111111
        li      $t3, KSEG0(FREE_PA)
        CHECK_WORD 0xffc, $t3, 0x11111111
        li      $t3, KSEG0(FREE_PA + 0x5000)
        CHECK_WORD 0, $t3, 0x22222222
        CHECK_STATE S_COUNT, 0
TEST_END
