/* add.d, sub.d, mul.d, div.d with exact results: no flag, no cause. */
#include "fp.h"
FP_TEST
        DOUBLE_2 add.d, 0x3ff00000, 0, 0x3cb00000, 0, 0x3ff00000, 1     /* 1 + 2^-52 */
        DOUBLE_2 sub.d, 0x3ff00000, 1, 0x3ff00000, 0, 0x3cb00000, 0
        DOUBLE_2 mul.d, 0x3ff80000, 0, 0xc0000000, 0, 0xc0080000, 0
        DOUBLE_2 div.d, 0x40080000, 0, 0x3ff80000, 0, 0x40000000, 0
        DOUBLE_2 add.d, 0x7ff00000, 0, 0x3ff00000, 0, 0x7ff00000, 0
TEST_END
