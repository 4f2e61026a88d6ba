/* ext: fields at either end and in the middle. */
#include "alu.h"
TEST
        FIELD   ext, 0x12345678, 0, 1, 0x00000000
        FIELD   ext, 0x12345678, 0, 32, 0x12345678
        FIELD   ext, 0x12345678, 31, 1, 0x00000000
        FIELD   ext, 0x12345678, 0, 8, 0x00000078
        FIELD   ext, 0x12345678, 8, 8, 0x00000056
        FIELD   ext, 0x12345678, 4, 20, 0x00034567
        FIELD   ext, 0x12345678, 1, 31, 0x091a2b3c
        FIELD   ext, 0x12345678, 16, 16, 0x00001234
        FIELD   ext, 0xffffffff, 0, 1, 0x00000001
        FIELD   ext, 0xffffffff, 0, 32, 0xffffffff
        FIELD   ext, 0xffffffff, 31, 1, 0x00000001
        FIELD   ext, 0xffffffff, 0, 8, 0x000000ff
        FIELD   ext, 0xffffffff, 8, 8, 0x000000ff
        FIELD   ext, 0xffffffff, 4, 20, 0x000fffff
        FIELD   ext, 0xffffffff, 1, 31, 0x7fffffff
        FIELD   ext, 0xffffffff, 16, 16, 0x0000ffff
        FIELD   ext, 0x80000001, 0, 1, 0x00000001
        FIELD   ext, 0x80000001, 0, 32, 0x80000001
        FIELD   ext, 0x80000001, 31, 1, 0x00000001
        FIELD   ext, 0x80000001, 0, 8, 0x00000001
        FIELD   ext, 0x80000001, 8, 8, 0x00000000
        FIELD   ext, 0x80000001, 4, 20, 0x00000000
        FIELD   ext, 0x80000001, 1, 31, 0x40000000
        FIELD   ext, 0x80000001, 16, 16, 0x00008000
        li      $t0, 0x12345678
        ext     $t0, $t0, 12, 12
        CHECK   $t0, 0x00000345
        ext     $zero, $t0, 0, 4
        CHECK   $zero, 0
TEST_END
