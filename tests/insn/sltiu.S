/* sltiu: unsigned comparison with a sign-extended immediate. */
#include "alu.h"
TEST
        IMMEDIATE sltiu, 0x00000000, 0, 0x00000000
        IMMEDIATE sltiu, 0x00000000, 1, 0x00000001
        IMMEDIATE sltiu, 0x00000000, -1, 0x00000001
        IMMEDIATE sltiu, 0x00000000, 32767, 0x00000001
        IMMEDIATE sltiu, 0x00000000, -32768, 0x00000001
        IMMEDIATE sltiu, 0x00000000, 4660, 0x00000001
        IMMEDIATE sltiu, 0x00000001, 0, 0x00000000
        IMMEDIATE sltiu, 0x00000001, 1, 0x00000000
        IMMEDIATE sltiu, 0x00000001, -1, 0x00000001
        IMMEDIATE sltiu, 0x00000001, 32767, 0x00000001
        IMMEDIATE sltiu, 0x00000001, -32768, 0x00000001
        IMMEDIATE sltiu, 0x00000001, 4660, 0x00000001
        IMMEDIATE sltiu, 0x7fffffff, 0, 0x00000000
        IMMEDIATE sltiu, 0x7fffffff, 1, 0x00000000
        IMMEDIATE sltiu, 0x7fffffff, -1, 0x00000001
        IMMEDIATE sltiu, 0x7fffffff, 32767, 0x00000000
        IMMEDIATE sltiu, 0x7fffffff, -32768, 0x00000001
        IMMEDIATE sltiu, 0x7fffffff, 4660, 0x00000000
        IMMEDIATE sltiu, 0x80000000, 0, 0x00000000
        IMMEDIATE sltiu, 0x80000000, 1, 0x00000000
        IMMEDIATE sltiu, 0x80000000, -1, 0x00000001
        IMMEDIATE sltiu, 0x80000000, 32767, 0x00000000
        IMMEDIATE sltiu, 0x80000000, -32768, 0x00000001
        IMMEDIATE sltiu, 0x80000000, 4660, 0x00000000
        IMMEDIATE sltiu, 0xffffffff, 0, 0x00000000
        IMMEDIATE sltiu, 0xffffffff, 1, 0x00000000
        IMMEDIATE sltiu, 0xffffffff, -1, 0x00000000
        IMMEDIATE sltiu, 0xffffffff, 32767, 0x00000000
        IMMEDIATE sltiu, 0xffffffff, -32768, 0x00000000
        IMMEDIATE sltiu, 0xffffffff, 4660, 0x00000000
        IMMEDIATE sltiu, 0xffff8000, 0, 0x00000000
        IMMEDIATE sltiu, 0xffff8000, 1, 0x00000000
        IMMEDIATE sltiu, 0xffff8000, -1, 0x00000001
        IMMEDIATE sltiu, 0xffff8000, 32767, 0x00000000
        IMMEDIATE sltiu, 0xffff8000, -32768, 0x00000000
        IMMEDIATE sltiu, 0xffff8000, 4660, 0x00000000
        IMMEDIATE_ALIASES sltiu, 0x12345678, -2, 0x00000001
TEST_END
