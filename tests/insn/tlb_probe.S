/* tlbp: finds an entry by VPN2 and ASID, a global one by VPN2 alone, a large one by any address inside; the P bit and
 * nothing else matters where there is none. */
#include "test.h"
.macro PROBE hi
        li      $at, \hi
        mtc0    $at, C0_ENTRYHI
        ehb
        tlbp
        ehb
        mfc0    $t0, C0_INDEX
.endm
TEST
        MAP     3, 0x00c00000 | 7, LO(FREE_PA, LO_RW), 0
        MAP     9, 0x00e00000 | 7, LO(FREE_PA, LO_RW | LO_G), LO(FREE_PA, LO_G)
        MAP     11, 0x10000000 | 7, 0, 0, 0x1fe000
        PROBE   0x00c00007
        CHECK   $t0, 3
        PROBE   0x00c00008
        srl     $t0, $t0, 31
        CHECK   $t0, 1
        PROBE   0x00c02007
        srl     $t0, $t0, 31
        CHECK   $t0, 1
        PROBE   0x00e00033
        CHECK   $t0, 9
        PROBE   0x101f6007
        CHECK   $t0, 11
        PROBE   0x10200007
        srl     $t0, $t0, 31
        CHECK   $t0, 1
        PROBE   0x00c00007              /* a hit clears P again */
        CHECK   $t0, 3
TEST_END
