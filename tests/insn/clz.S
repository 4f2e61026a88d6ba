/* clz: edge values. */
#include "alu.h"
TEST
        UNARY clz, 0x00000000, 0x00000020
        UNARY clz, 0x00000001, 0x0000001f
        UNARY clz, 0x00000002, 0x0000001e
        UNARY clz, 0x7fffffff, 0x00000001
        UNARY clz, 0x80000000, 0x00000000
        UNARY clz, 0x80000001, 0x00000000
        UNARY clz, 0xffffffff, 0x00000000
        UNARY clz, 0xfffffffe, 0x00000000
        UNARY clz, 0x12345678, 0x00000003
        UNARY clz, 0x0000ffff, 0x00000010
        UNARY clz, 0x00010000, 0x0000000f
        UNARY clz, 0xdeadbeef, 0x00000000
        UNARY_ALIASES clz, 0xfff23481, 0x00000000
TEST_END
