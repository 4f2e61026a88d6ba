/* ins: fields at either end and in the middle; the rest of rt stays. */
#include "alu.h"
TEST
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 0, 1
        CHECK   $t2, 0x00000000
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 0, 32
        CHECK   $t2, 0x12345678
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 31, 1
        CHECK   $t2, 0x00000000
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 0, 8
        CHECK   $t2, 0x00000078
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 8, 8
        CHECK   $t2, 0x00007800
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 4, 20
        CHECK   $t2, 0x00456780
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 1, 31
        CHECK   $t2, 0x2468acf0
        li      $t0, 0x12345678
        li      $t2, 0x00000000
        ins     $t2, $t0, 16, 16
        CHECK   $t2, 0x56780000
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 0, 1
        CHECK   $t2, 0xa5a5a5a4
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 0, 32
        CHECK   $t2, 0x12345678
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 31, 1
        CHECK   $t2, 0x25a5a5a5
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 0, 8
        CHECK   $t2, 0xa5a5a578
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 8, 8
        CHECK   $t2, 0xa5a578a5
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 4, 20
        CHECK   $t2, 0xa5456785
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 1, 31
        CHECK   $t2, 0x2468acf1
        li      $t0, 0x12345678
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 16, 16
        CHECK   $t2, 0x5678a5a5
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 0, 1
        CHECK   $t2, 0x00000001
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 0, 32
        CHECK   $t2, 0xffffffff
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 31, 1
        CHECK   $t2, 0x80000000
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 0, 8
        CHECK   $t2, 0x000000ff
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 8, 8
        CHECK   $t2, 0x0000ff00
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 4, 20
        CHECK   $t2, 0x00fffff0
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 1, 31
        CHECK   $t2, 0xfffffffe
        li      $t0, 0xffffffff
        li      $t2, 0x00000000
        ins     $t2, $t0, 16, 16
        CHECK   $t2, 0xffff0000
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 0, 1
        CHECK   $t2, 0xa5a5a5a5
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 0, 32
        CHECK   $t2, 0xffffffff
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 31, 1
        CHECK   $t2, 0xa5a5a5a5
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 0, 8
        CHECK   $t2, 0xa5a5a5ff
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 8, 8
        CHECK   $t2, 0xa5a5ffa5
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 4, 20
        CHECK   $t2, 0xa5fffff5
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 1, 31
        CHECK   $t2, 0xffffffff
        li      $t0, 0xffffffff
        li      $t2, 0xa5a5a5a5
        ins     $t2, $t0, 16, 16
        CHECK   $t2, 0xffffa5a5
        li      $t0, 0x12345678
        ins     $t0, $t0, 8, 8
        CHECK   $t0, 0x12347878
        ins     $zero, $t0, 0, 4
        CHECK   $zero, 0
        li      $t0, 0xffffffff
        ins     $t0, $zero, 4, 8
        CHECK   $t0, 0xfffff00f
TEST_END
