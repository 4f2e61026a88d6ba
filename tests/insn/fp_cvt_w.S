/* cvt.w rounds as FCSR says. */
#include "fp.h"
        /* The value with the bits SINGLE, and HIGH of a double, in each mode. */
        .macro  ROUNDED single, high, nearest, zero, up, down
        BOTH    \single, \high, \nearest, RM_NEAREST
        BOTH    \single, \high, \zero, RM_ZERO
        BOTH    \single, \high, \up, RM_UP
        BOTH    \single, \high, \down, RM_DOWN
        .endm
        .macro  BOTH single, high, result, mode
        SINGLE_1 cvt.w.s, \single, \result, FC_I, \mode
        FROM_DOUBLE cvt.w.d, \high, 0, \result, FC_I, \mode
        .endm
TEST
        SET_STATUS ST_CU1
        ROUNDED 0x3fc00000, 0x3ff80000, 0x00000002, 0x00000001, 0x00000002, 0x00000001
        ROUNDED 0x40200000, 0x40040000, 0x00000002, 0x00000002, 0x00000003, 0x00000002
        ROUNDED 0xc0200000, 0xc0040000, 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffd
        ROUNDED 0x3e800000, 0x3fd00000, 0x00000000, 0x00000000, 0x00000001, 0x00000000
        ROUNDED 0xbe800000, 0xbfd00000, 0x00000000, 0x00000000, 0x00000000, 0xffffffff
TEST_END
