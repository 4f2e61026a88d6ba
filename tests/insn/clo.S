/* clo: edge values. */
#include "alu.h"
TEST
        UNARY clo, 0x00000000, 0x00000000
        UNARY clo, 0x00000001, 0x00000000
        UNARY clo, 0x00000002, 0x00000000
        UNARY clo, 0x7fffffff, 0x00000000
        UNARY clo, 0x80000000, 0x00000001
        UNARY clo, 0x80000001, 0x00000001
        UNARY clo, 0xffffffff, 0x00000020
        UNARY clo, 0xfffffffe, 0x0000001f
        UNARY clo, 0x12345678, 0x00000000
        UNARY clo, 0x0000ffff, 0x00000000
        UNARY clo, 0x00010000, 0x00000000
        UNARY clo, 0xdeadbeef, 0x00000002
        UNARY clo, 0xff000000, 0x00000008
        UNARY clo, 0xfffe0000, 0x0000000f
        UNARY_ALIASES clo, 0xfff23481, 0x0000000c
TEST_END
