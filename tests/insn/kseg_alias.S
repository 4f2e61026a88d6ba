/* kseg0 and kseg1 are the same memory, in both directions, for every width. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, KSEG1(FREE_PA)
        li      $t2, 0x12345678
        sw      $t2, 0($t0)
        cache   0x15, 0($t0)
        lw      $t3, 0($t1)
        CHECK   $t3, 0x12345678
        sb      $zero, 1($t1)
        cache   0x15, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x12340078
        lhu     $t3, 2($t1)
        CHECK   $t3, 0x1234
        lbu     $t3, 3($t1)
        CHECK   $t3, 0x12
TEST_END
