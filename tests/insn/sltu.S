/* sltu: unsigned comparison. */
#include "alu.h"
TEST
        BINARY sltu, 0x00000000, 0x00000000, 0x00000000
        BINARY sltu, 0x00000001, 0x00000002, 0x00000001
        BINARY sltu, 0x00000002, 0x00000001, 0x00000000
        BINARY sltu, 0x7fffffff, 0x00000001, 0x00000000
        BINARY sltu, 0x80000000, 0xffffffff, 0x00000001
        BINARY sltu, 0xffffffff, 0xffffffff, 0x00000000
        BINARY sltu, 0x80000000, 0x80000000, 0x00000000
        BINARY sltu, 0x7fffffff, 0x80000000, 0x00000001
        BINARY sltu, 0x80000000, 0x7fffffff, 0x00000000
        BINARY sltu, 0x12345678, 0x9abcdef0, 0x00000001
        BINARY sltu, 0xdeadbeef, 0x0000ffff, 0x00000000
        BINARY sltu, 0x0f0f0f0f, 0x00ff00ff, 0x00000000
        BINARY sltu, 0xffffffff, 0x00000000, 0x00000000
        BINARY sltu, 0x00000000, 0xffffffff, 0x00000001
        BINARY sltu, 0x00000001, 0xffffffff, 0x00000001
        BINARY_ALIASES sltu, 0x12345678, 0x9abcdef0, 0x00000001, 0x00000000
TEST_END
