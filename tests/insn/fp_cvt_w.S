/* cvt.w rounds as FCSR says. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR RM_NEAREST
        SINGLE  f20, 0x3fc00000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        DOUBLE  f20, 0x3ff80000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        SET_FCSR RM_NEAREST
        SINGLE  f20, 0x40200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        DOUBLE  f20, 0x40040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        SET_FCSR RM_NEAREST
        SINGLE  f20, 0xc0200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        DOUBLE  f20, 0xc0040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        SET_FCSR RM_NEAREST
        SINGLE  f20, 0x3e800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        DOUBLE  f20, 0x3fd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        SET_FCSR RM_NEAREST
        SINGLE  f20, 0xbe800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        DOUBLE  f20, 0xbfd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        SET_FCSR RM_ZERO
        SINGLE  f20, 0x3fc00000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        DOUBLE  f20, 0x3ff80000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        SET_FCSR RM_ZERO
        SINGLE  f20, 0x40200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        DOUBLE  f20, 0x40040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        SET_FCSR RM_ZERO
        SINGLE  f20, 0xc0200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        DOUBLE  f20, 0xc0040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        SET_FCSR RM_ZERO
        SINGLE  f20, 0x3e800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        DOUBLE  f20, 0x3fd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        SET_FCSR RM_ZERO
        SINGLE  f20, 0xbe800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        DOUBLE  f20, 0xbfd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        SET_FCSR RM_UP
        SINGLE  f20, 0x3fc00000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        DOUBLE  f20, 0x3ff80000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        SET_FCSR RM_UP
        SINGLE  f20, 0x40200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000003
        DOUBLE  f20, 0x40040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000003
        SET_FCSR RM_UP
        SINGLE  f20, 0xc0200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        DOUBLE  f20, 0xc0040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        SET_FCSR RM_UP
        SINGLE  f20, 0x3e800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        DOUBLE  f20, 0x3fd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        SET_FCSR RM_UP
        SINGLE  f20, 0xbe800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        DOUBLE  f20, 0xbfd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        SET_FCSR RM_DOWN
        SINGLE  f20, 0x3fc00000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        DOUBLE  f20, 0x3ff80000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        SET_FCSR RM_DOWN
        SINGLE  f20, 0x40200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        DOUBLE  f20, 0x40040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000002
        SET_FCSR RM_DOWN
        SINGLE  f20, 0xc0200000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0xfffffffd
        DOUBLE  f20, 0xc0040000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0xfffffffd
        SET_FCSR RM_DOWN
        SINGLE  f20, 0x3e800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        DOUBLE  f20, 0x3fd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        SET_FCSR RM_DOWN
        SINGLE  f20, 0xbe800000
        cvt.w.s $f24, $f20
        CHECK_SINGLE f24, 0xffffffff
        DOUBLE  f20, 0xbfd00000, 0x00000000
        cvt.w.d $f24, $f20
        CHECK_SINGLE f24, 0xffffffff
TEST_END
