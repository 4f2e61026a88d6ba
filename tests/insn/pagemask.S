/* PageMask takes runs of bit pairs from bit 13 up and reads back what it took. */
#include "test.h"
.macro PAGEMASK value
        li      $t0, \value
        mtc0    $t0, C0_PAGEMASK
        ehb
        mfc0    $t1, C0_PAGEMASK
        CHECK   $t1, \value
.endm
TEST
        PAGEMASK 0x00006000
        PAGEMASK 0x0001e000
        PAGEMASK 0x0007e000
        PAGEMASK 0x001fe000
        PAGEMASK 0x007fe000
        PAGEMASK 0x01ffe000
        PAGEMASK 0x07ffe000
        PAGEMASK 0x1fffe000
        PAGEMASK 0
TEST_END
