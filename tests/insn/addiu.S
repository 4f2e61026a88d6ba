/* addiu: the immediate is sign-extended; no overflow. */
#include "alu.h"
TEST
        IMMEDIATE addiu, 0x00000000, 0, 0x00000000
        IMMEDIATE addiu, 0x00000000, 1, 0x00000001
        IMMEDIATE addiu, 0x00000000, -1, 0xffffffff
        IMMEDIATE addiu, 0x00000000, 32767, 0x00007fff
        IMMEDIATE addiu, 0x00000000, -32768, 0xffff8000
        IMMEDIATE addiu, 0x00000000, 4660, 0x00001234
        IMMEDIATE addiu, 0x00000001, 0, 0x00000001
        IMMEDIATE addiu, 0x00000001, 1, 0x00000002
        IMMEDIATE addiu, 0x00000001, -1, 0x00000000
        IMMEDIATE addiu, 0x00000001, 32767, 0x00008000
        IMMEDIATE addiu, 0x00000001, -32768, 0xffff8001
        IMMEDIATE addiu, 0x00000001, 4660, 0x00001235
        IMMEDIATE addiu, 0x7fffffff, 0, 0x7fffffff
        IMMEDIATE addiu, 0x7fffffff, 1, 0x80000000
        IMMEDIATE addiu, 0x7fffffff, -1, 0x7ffffffe
        IMMEDIATE addiu, 0x7fffffff, 32767, 0x80007ffe
        IMMEDIATE addiu, 0x7fffffff, -32768, 0x7fff7fff
        IMMEDIATE addiu, 0x7fffffff, 4660, 0x80001233
        IMMEDIATE addiu, 0x80000000, 0, 0x80000000
        IMMEDIATE addiu, 0x80000000, 1, 0x80000001
        IMMEDIATE addiu, 0x80000000, -1, 0x7fffffff
        IMMEDIATE addiu, 0x80000000, 32767, 0x80007fff
        IMMEDIATE addiu, 0x80000000, -32768, 0x7fff8000
        IMMEDIATE addiu, 0x80000000, 4660, 0x80001234
        IMMEDIATE addiu, 0xffffffff, 0, 0xffffffff
        IMMEDIATE addiu, 0xffffffff, 1, 0x00000000
        IMMEDIATE addiu, 0xffffffff, -1, 0xfffffffe
        IMMEDIATE addiu, 0xffffffff, 32767, 0x00007ffe
        IMMEDIATE addiu, 0xffffffff, -32768, 0xffff7fff
        IMMEDIATE addiu, 0xffffffff, 4660, 0x00001233
        IMMEDIATE addiu, 0xffff8000, 0, 0xffff8000
        IMMEDIATE addiu, 0xffff8000, 1, 0xffff8001
        IMMEDIATE addiu, 0xffff8000, -1, 0xffff7fff
        IMMEDIATE addiu, 0xffff8000, 32767, 0xffffffff
        IMMEDIATE addiu, 0xffff8000, -32768, 0xffff0000
        IMMEDIATE addiu, 0xffff8000, 4660, 0xffff9234
        IMMEDIATE_ALIASES addiu, 0x12345678, -2, 0x12345676
TEST_END
