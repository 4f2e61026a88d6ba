/* divu: unsigned quotient and remainder. */
#include "alu.h"
TEST
        li      $t0, 0x00000000
        li      $t1, 0x00000001
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0x00000000
        li      $t0, 0x00000007
        li      $t1, 0x00000002
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000001
        CHECK   $t3, 0x00000003
        li      $t0, 0xffffffff
        li      $t1, 0x00000001
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0xffffffff
        li      $t0, 0xffffffff
        li      $t1, 0x00000002
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000001
        CHECK   $t3, 0x7fffffff
        li      $t0, 0xffffffff
        li      $t1, 0xffffffff
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0x00000001
        li      $t0, 0x80000000
        li      $t1, 0xffffffff
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x80000000
        CHECK   $t3, 0x00000000
        li      $t0, 0x80000000
        li      $t1, 0x00000003
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000002
        CHECK   $t3, 0x2aaaaaaa
        li      $t0, 0xdeadbeef
        li      $t1, 0x00001234
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x0000076b
        CHECK   $t3, 0x000c3ba5
        li      $t0, 0x00000005
        li      $t1, 0x00000064
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000005
        CHECK   $t3, 0x00000000
        li      $t0, 0x7fffffff
        li      $t1, 0x80000000
        divu    $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x7fffffff
        CHECK   $t3, 0x00000000
TEST_END
