/* kseg0 and kseg1 are not translated: entries with their page numbers change nothing. */
#include "test.h"
TEST
        MAP     1, KSEG0(FREE_PA), LO(FREE_PA + 0x1000, LO_RW | LO_G)
        MAP     2, KSEG1(FREE_PA), LO(FREE_PA + 0x1000, 0)
        li      $t0, KSEG1(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t1, 0x22
        sw      $t1, 0x1000($t0)
        CHECK_WORD 0, $t0, 0x11
        li      $t0, KSEG0(FREE_PA)
        CHECK_WORD 0, $t0, 0x11
        CHECK_STATE S_COUNT, 0
TEST_END
