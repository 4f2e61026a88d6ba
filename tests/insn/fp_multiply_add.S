/* madd, msub, nmadd, nmsub: the product is rounded before the addition. */
#include "fp.h"
        /* OP $f24, $f18, $f20, $f22 */
        .macro  SINGLE_3 op, c, a, b, result
        SINGLE  18, \c
        SINGLE  20, \a
        SINGLE  22, \b
        \op     $f24, $f18, $f20, $f22
        CHECK_SINGLE 24, \result
        .endm
        .macro  DOUBLE_3 op, ch, cl, ah, al, bh, bl, rh, rl
        DOUBLE  18, \ch, \cl
        DOUBLE  20, \ah, \al
        DOUBLE  22, \bh, \bl
        \op     $f24, $f18, $f20, $f22
        CHECK_DOUBLE 24, \rh, \rl
        .endm
TEST
        SET_STATUS ST_CU1
        SINGLE_3 madd.s, 0x40000000, 0x40400000, 0x40800000, 0x41600000
        SINGLE_3 madd.s, 0x3f800000, 0x3f800001, 0x3f800001, 0x40000001
        SINGLE_3 madd.s, 0xc0000000, 0x3eaaaaab, 0x40400000, 0xbf800000
        DOUBLE_3 madd.d, 0x3ff00000, 0x00000000, 0x3ff00000, 0x00000001, 0x3ff00000, 0x00000001, 0x40000000, 0x00000001
        SINGLE_3 msub.s, 0x40000000, 0x40400000, 0x40800000, 0x41200000
        SINGLE_3 msub.s, 0x3f800000, 0x3f800001, 0x3f800001, 0x34800000
        SINGLE_3 msub.s, 0xc0000000, 0x3eaaaaab, 0x40400000, 0x40400000
        DOUBLE_3 msub.d, 0x3ff00000, 0x00000000, 0x3ff00000, 0x00000001, 0x3ff00000, 0x00000001, 0x3cc00000, 0x00000000
        SINGLE_3 nmadd.s, 0x40000000, 0x40400000, 0x40800000, 0xc1600000
        SINGLE_3 nmadd.s, 0x3f800000, 0x3f800001, 0x3f800001, 0xc0000001
        SINGLE_3 nmadd.s, 0xc0000000, 0x3eaaaaab, 0x40400000, 0x3f800000
        DOUBLE_3 nmadd.d, 0x3ff00000, 0x00000000, 0x3ff00000, 0x00000001, 0x3ff00000, 0x00000001, 0xc0000000, 0x00000001
        SINGLE_3 nmsub.s, 0x40000000, 0x40400000, 0x40800000, 0xc1200000
        SINGLE_3 nmsub.s, 0x3f800000, 0x3f800001, 0x3f800001, 0xb4800000
        SINGLE_3 nmsub.s, 0xc0000000, 0x3eaaaaab, 0x40400000, 0xc0400000
        DOUBLE_3 nmsub.d, 0x3ff00000, 0x00000000, 0x3ff00000, 0x00000001, 0x3ff00000, 0x00000001, 0xbcc00000, 0x00000000
TEST_END
