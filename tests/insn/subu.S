/* subu: differences modulo 2^32. */
#include "alu.h"
TEST
        BINARY subu, 0x00000000, 0x00000000, 0x00000000
        BINARY subu, 0x00000001, 0x00000002, 0xffffffff
        BINARY subu, 0x00000002, 0x00000001, 0x00000001
        BINARY subu, 0x7fffffff, 0x00000001, 0x7ffffffe
        BINARY subu, 0x80000000, 0xffffffff, 0x80000001
        BINARY subu, 0xffffffff, 0xffffffff, 0x00000000
        BINARY subu, 0x80000000, 0x80000000, 0x00000000
        BINARY subu, 0x7fffffff, 0x80000000, 0xffffffff
        BINARY subu, 0x80000000, 0x7fffffff, 0x00000001
        BINARY subu, 0x12345678, 0x9abcdef0, 0x77777788
        BINARY subu, 0xdeadbeef, 0x0000ffff, 0xdeacbef0
        BINARY subu, 0x0f0f0f0f, 0x00ff00ff, 0x0e100e10
        BINARY subu, 0xffffffff, 0x00000000, 0xffffffff
        BINARY subu, 0x00000000, 0xffffffff, 0x00000001
        BINARY subu, 0x00000001, 0xffffffff, 0x00000002
        BINARY_ALIASES subu, 0x12345678, 0x9abcdef0, 0x77777788, 0x00000000
TEST_END
