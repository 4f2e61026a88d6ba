/* abs and neg change the sign; mov changes nothing, not even of a NaN or a denormal. No flags. */
#include "fp.h"
FP_TEST
        SINGLE_1 abs.s, 0xc0400000, 0x40400000
        SINGLE_1 neg.s, 0x40400000, 0xc0400000
        SINGLE_1 neg.s, 0x80000000, 0x00000000
        SINGLE_1 mov.s, 0x7fffffff, 0x7fffffff
        SINGLE_1 mov.s, 0x00000001, 0x00000001
        SET_FCSR 0
        DOUBLE  20, 0xc0080000, 5
        abs.d   $f24, $f20
        CHECK_DOUBLE 24, 0x40080000, 5
        neg.d   $f24, $f24
        CHECK_DOUBLE 24, 0xc0080000, 5
        DOUBLE  20, 0x7ff7ffff, 0xffffffff
        mov.d   $f24, $f20
        CHECK_DOUBLE 24, 0x7ff7ffff, 0xffffffff
        CHECK_FCSR FC_FLAGS | FC_CAUSES, 0
TEST_END
