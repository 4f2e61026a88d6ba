/* seh: edge values. */
#include "alu.h"
TEST
        UNARY seh, 0x00000000, 0x00000000
        UNARY seh, 0x00000001, 0x00000001
        UNARY seh, 0x00000002, 0x00000002
        UNARY seh, 0x7fffffff, 0xffffffff
        UNARY seh, 0x80000000, 0x00000000
        UNARY seh, 0x80000001, 0x00000001
        UNARY seh, 0xffffffff, 0xffffffff
        UNARY seh, 0xfffffffe, 0xfffffffe
        UNARY seh, 0x12345678, 0x00005678
        UNARY seh, 0x0000ffff, 0xffffffff
        UNARY seh, 0x00010000, 0x00000000
        UNARY seh, 0xdeadbeef, 0xffffbeef
        UNARY seh, 0x00007fff, 0x00007fff
        UNARY seh, 0x00008000, 0xffff8000
        UNARY seh, 0xffff8000, 0xffff8000
        UNARY seh, 0xffff7fff, 0x00007fff
        UNARY_ALIASES seh, 0xfff23481, 0x00003481
TEST_END
