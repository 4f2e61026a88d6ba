/* slt and slti compare signed, sltu and sltiu unsigned; both immediates are sign-extended first. */
#include "test.h"
TEST
        li      $t0, -1
        li      $t1, 1
        li      $t4, 0x80000000
        slt     $t2, $t0, $t1
        CHECK   $t2, 1
        sltu    $t2, $t0, $t1
        CHECK   $t2, 0
        slt     $t2, $t1, $t4
        CHECK   $t2, 0
        sltu    $t2, $t1, $t4
        CHECK   $t2, 1
        slt     $t2, $t1, $t1
        CHECK   $t2, 0
        slti    $t2, $t0, -1
        CHECK   $t2, 0
        slti    $t2, $t4, -32768
        CHECK   $t2, 1
        sltiu   $t2, $t1, -1
        CHECK   $t2, 1
        sltiu   $t2, $t0, -1
        CHECK   $t2, 0
        li      $t3, 0xffff8000
        sltiu   $t2, $t3, -32767
        CHECK   $t2, 1
TEST_END
