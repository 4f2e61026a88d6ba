/* seb: edge values. */
#include "alu.h"
TEST
        UNARY seb, 0x00000000, 0x00000000
        UNARY seb, 0x00000001, 0x00000001
        UNARY seb, 0x00000002, 0x00000002
        UNARY seb, 0x7fffffff, 0xffffffff
        UNARY seb, 0x80000000, 0x00000000
        UNARY seb, 0x80000001, 0x00000001
        UNARY seb, 0xffffffff, 0xffffffff
        UNARY seb, 0xfffffffe, 0xfffffffe
        UNARY seb, 0x12345678, 0x00000078
        UNARY seb, 0x0000ffff, 0xffffffff
        UNARY seb, 0x00010000, 0x00000000
        UNARY seb, 0xdeadbeef, 0xffffffef
        UNARY seb, 0x0000007f, 0x0000007f
        UNARY seb, 0x00000080, 0xffffff80
        UNARY seb, 0x0000ff80, 0xffffff80
        UNARY seb, 0x0000ff7f, 0x0000007f
        UNARY_ALIASES seb, 0xfff23481, 0xffffff81
TEST_END
