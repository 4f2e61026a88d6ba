/* madd, msub, nmadd, nmsub: the product is rounded before the addition. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SINGLE  f18, 0x40000000
        SINGLE  f20, 0x40400000
        SINGLE  f22, 0x40800000
        madd.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0x41600000
        SINGLE  f18, 0x3f800000
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        madd.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0x40000001
        SINGLE  f18, 0xc0000000
        SINGLE  f20, 0x3eaaaaab
        SINGLE  f22, 0x40400000
        madd.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0xbf800000
        DOUBLE  f18, 0x3ff00000, 0x00000000
        DOUBLE  f20, 0x3ff00000, 0x00000001
        DOUBLE  f22, 0x3ff00000, 0x00000001
        madd.d  $f24, $f18, $f20, $f22
        CHECK_DOUBLE f24, 0x40000000, 0x00000001
        SINGLE  f18, 0x40000000
        SINGLE  f20, 0x40400000
        SINGLE  f22, 0x40800000
        msub.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0x41200000
        SINGLE  f18, 0x3f800000
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        msub.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0x34800000
        SINGLE  f18, 0xc0000000
        SINGLE  f20, 0x3eaaaaab
        SINGLE  f22, 0x40400000
        msub.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0x40400000
        DOUBLE  f18, 0x3ff00000, 0x00000000
        DOUBLE  f20, 0x3ff00000, 0x00000001
        DOUBLE  f22, 0x3ff00000, 0x00000001
        msub.d  $f24, $f18, $f20, $f22
        CHECK_DOUBLE f24, 0x3cc00000, 0x00000000
        SINGLE  f18, 0x40000000
        SINGLE  f20, 0x40400000
        SINGLE  f22, 0x40800000
        nmadd.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0xc1600000
        SINGLE  f18, 0x3f800000
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        nmadd.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0xc0000001
        SINGLE  f18, 0xc0000000
        SINGLE  f20, 0x3eaaaaab
        SINGLE  f22, 0x40400000
        nmadd.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0x3f800000
        DOUBLE  f18, 0x3ff00000, 0x00000000
        DOUBLE  f20, 0x3ff00000, 0x00000001
        DOUBLE  f22, 0x3ff00000, 0x00000001
        nmadd.d  $f24, $f18, $f20, $f22
        CHECK_DOUBLE f24, 0xc0000000, 0x00000001
        SINGLE  f18, 0x40000000
        SINGLE  f20, 0x40400000
        SINGLE  f22, 0x40800000
        nmsub.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0xc1200000
        SINGLE  f18, 0x3f800000
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        nmsub.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0xb4800000
        SINGLE  f18, 0xc0000000
        SINGLE  f20, 0x3eaaaaab
        SINGLE  f22, 0x40400000
        nmsub.s  $f24, $f18, $f20, $f22
        CHECK_SINGLE f24, 0xc0400000
        DOUBLE  f18, 0x3ff00000, 0x00000000
        DOUBLE  f20, 0x3ff00000, 0x00000001
        DOUBLE  f22, 0x3ff00000, 0x00000001
        nmsub.d  $f24, $f18, $f20, $f22
        CHECK_DOUBLE f24, 0xbcc00000, 0x00000000
TEST_END
