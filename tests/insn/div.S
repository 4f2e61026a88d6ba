/* div: truncates towards zero; the remainder has the sign of the dividend. */
#include "alu.h"
TEST
        li      $t0, 0x00000000
        li      $t1, 0x00000001
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0x00000000
        li      $t0, 0x00000007
        li      $t1, 0x00000002
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000001
        CHECK   $t3, 0x00000003
        li      $t0, 0xfffffff9
        li      $t1, 0x00000002
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0xffffffff
        CHECK   $t3, 0xfffffffd
        li      $t0, 0x00000007
        li      $t1, 0xfffffffe
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000001
        CHECK   $t3, 0xfffffffd
        li      $t0, 0xfffffff9
        li      $t1, 0xfffffffe
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0xffffffff
        CHECK   $t3, 0x00000003
        li      $t0, 0x7fffffff
        li      $t1, 0x00000001
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0x7fffffff
        li      $t0, 0x80000000
        li      $t1, 0x00000001
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0x80000000
        li      $t0, 0x80000000
        li      $t1, 0x00000002
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000000
        CHECK   $t3, 0xc0000000
        li      $t0, 0xffffffff
        li      $t1, 0x7fffffff
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0xffffffff
        CHECK   $t3, 0x00000000
        li      $t0, 0x12345678
        li      $t1, 0x00001234
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000da8
        CHECK   $t3, 0x00010004
        li      $t0, 0x00000005
        li      $t1, 0x00000064
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x00000005
        CHECK   $t3, 0x00000000
        li      $t0, 0xfffffffb
        li      $t1, 0x00000064
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0xfffffffb
        CHECK   $t3, 0x00000000
TEST_END
