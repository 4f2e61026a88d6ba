/* ext: fields at either end and in the middle. */
#include "alu.h"
TEST
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 1
        CHECK   $t2, 0x00000000
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 32
        CHECK   $t2, 0x12345678
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 31, 1
        CHECK   $t2, 0x00000000
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 8
        CHECK   $t2, 0x00000078
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 8, 8
        CHECK   $t2, 0x00000056
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 4, 20
        CHECK   $t2, 0x00034567
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 1, 31
        CHECK   $t2, 0x091a2b3c
        li      $t0, 0x12345678
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 16, 16
        CHECK   $t2, 0x00001234
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 1
        CHECK   $t2, 0x00000001
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 32
        CHECK   $t2, 0xffffffff
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 31, 1
        CHECK   $t2, 0x00000001
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 8
        CHECK   $t2, 0x000000ff
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 8, 8
        CHECK   $t2, 0x000000ff
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 4, 20
        CHECK   $t2, 0x000fffff
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 1, 31
        CHECK   $t2, 0x7fffffff
        li      $t0, 0xffffffff
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 16, 16
        CHECK   $t2, 0x0000ffff
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 1
        CHECK   $t2, 0x00000001
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 32
        CHECK   $t2, 0x80000001
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 31, 1
        CHECK   $t2, 0x00000001
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 0, 8
        CHECK   $t2, 0x00000001
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 8, 8
        CHECK   $t2, 0x00000000
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 4, 20
        CHECK   $t2, 0x00000000
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 1, 31
        CHECK   $t2, 0x40000000
        li      $t0, 0x80000001
        li      $t2, 0x5a5a5a5a
        ext     $t2, $t0, 16, 16
        CHECK   $t2, 0x00008000
        li      $t0, 0x12345678
        ext     $t0, $t0, 12, 12
        CHECK   $t0, 0x00000345
        ext     $zero, $t0, 0, 4
        CHECK   $zero, 0
TEST_END
