/* A page of kuseg that is mapped and in use: while ERL is set its address means physical memory instead, for loads and
 * stores; afterwards it is the mapped page again. */
#include "test.h"
TEST
        li      $t0, KSEG1(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        MAP     1, FREE_PA, LO(FREE_PA + 0x2000, LO_RW), LO(FREE_PA + 0x2000, LO_RW)
        li      $t0, FREE_PA
        li      $t1, 0x22
        sw      $t1, 0($t0)
        lw      $t2, 0($t0)
        CHECK   $t2, 0x22
        SET_STATUS ST_ERL
        lw      $t2, 0($t0)
        li      $t1, 0x33
        sw      $t1, 0($t0)
        SET_STATUS 0
        CHECK   $t2, 0x11
        lw      $t2, 0($t0)
        CHECK   $t2, 0x22
        li      $t0, KSEG1(FREE_PA)
        lw      $t2, 0($t0)
        CHECK   $t2, 0x33
        SET_STATUS ST_ERL
        SET_STATUS 0
        li      $t0, FREE_PA
        lw      $t2, 0($t0)
        CHECK   $t2, 0x22
        CHECK_STATE S_COUNT, 0
TEST_END
