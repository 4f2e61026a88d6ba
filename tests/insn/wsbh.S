/* wsbh: edge values. */
#include "alu.h"
TEST
        UNARY wsbh, 0x00000000, 0x00000000
        UNARY wsbh, 0x00000001, 0x00000100
        UNARY wsbh, 0x00000002, 0x00000200
        UNARY wsbh, 0x7fffffff, 0xff7fffff
        UNARY wsbh, 0x80000000, 0x00800000
        UNARY wsbh, 0x80000001, 0x00800100
        UNARY wsbh, 0xffffffff, 0xffffffff
        UNARY wsbh, 0xfffffffe, 0xfffffeff
        UNARY wsbh, 0x12345678, 0x34127856
        UNARY wsbh, 0x0000ffff, 0x0000ffff
        UNARY wsbh, 0x00010000, 0x01000000
        UNARY wsbh, 0xdeadbeef, 0xaddeefbe
        UNARY_ALIASES wsbh, 0xfff23481, 0xf2ff8134
TEST_END
