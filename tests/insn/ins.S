/* ins: fields at either end and in the middle; the rest of rt stays. */
#include "alu.h"
TEST
        FIELD   ins, 0x12345678, 0, 1, 0x00000000, 0x00000000
        FIELD   ins, 0x12345678, 0, 32, 0x12345678, 0x00000000
        FIELD   ins, 0x12345678, 31, 1, 0x00000000, 0x00000000
        FIELD   ins, 0x12345678, 0, 8, 0x00000078, 0x00000000
        FIELD   ins, 0x12345678, 8, 8, 0x00007800, 0x00000000
        FIELD   ins, 0x12345678, 4, 20, 0x00456780, 0x00000000
        FIELD   ins, 0x12345678, 1, 31, 0x2468acf0, 0x00000000
        FIELD   ins, 0x12345678, 16, 16, 0x56780000, 0x00000000
        FIELD   ins, 0x12345678, 0, 1, 0xa5a5a5a4, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 0, 32, 0x12345678, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 31, 1, 0x25a5a5a5, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 0, 8, 0xa5a5a578, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 8, 8, 0xa5a578a5, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 4, 20, 0xa5456785, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 1, 31, 0x2468acf1, 0xa5a5a5a5
        FIELD   ins, 0x12345678, 16, 16, 0x5678a5a5, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 0, 1, 0x00000001, 0x00000000
        FIELD   ins, 0xffffffff, 0, 32, 0xffffffff, 0x00000000
        FIELD   ins, 0xffffffff, 31, 1, 0x80000000, 0x00000000
        FIELD   ins, 0xffffffff, 0, 8, 0x000000ff, 0x00000000
        FIELD   ins, 0xffffffff, 8, 8, 0x0000ff00, 0x00000000
        FIELD   ins, 0xffffffff, 4, 20, 0x00fffff0, 0x00000000
        FIELD   ins, 0xffffffff, 1, 31, 0xfffffffe, 0x00000000
        FIELD   ins, 0xffffffff, 16, 16, 0xffff0000, 0x00000000
        FIELD   ins, 0xffffffff, 0, 1, 0xa5a5a5a5, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 0, 32, 0xffffffff, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 31, 1, 0xa5a5a5a5, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 0, 8, 0xa5a5a5ff, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 8, 8, 0xa5a5ffa5, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 4, 20, 0xa5fffff5, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 1, 31, 0xffffffff, 0xa5a5a5a5
        FIELD   ins, 0xffffffff, 16, 16, 0xffffa5a5, 0xa5a5a5a5
        li      $t0, 0x12345678
        ins     $t0, $t0, 8, 8
        CHECK   $t0, 0x12347878
        ins     $zero, $t0, 0, 4
        CHECK   $zero, 0
        li      $t0, 0xffffffff
        ins     $t0, $zero, 4, 8
        CHECK   $t0, 0xfffff00f
TEST_END
