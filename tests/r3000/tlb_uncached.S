/* N makes a page uncached: its stores are in memory, and its loads see what kseg1 wrote. */
#include "test.h"
TEST
        MAP     1, 0x00700000, LO(FREE_PA, LO_RW | LO_N)
        SET_ASID 0
        li      $t0, 0x00700000
        li      $t2, KSEG1(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        CHECK_WORD 0, $t2, 0x11
        li      $t1, 0x22
        sw      $t1, 0($t2)
        CHECK_WORD 0, $t0, 0x22
        CHECK_STATE S_COUNT, 0
TEST_END
