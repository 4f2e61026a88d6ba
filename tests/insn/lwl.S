/* lwl: all four alignments; the other bytes of rt stay. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lwl, 0, 0x55345678, 0x12345678
        LOAD    lwl, 0, 0x55ffffff, 0xffffffff
        LOAD    lwl, 1, 0xa6555678, 0x12345678
        LOAD    lwl, 1, 0xa655ffff, 0xffffffff
        LOAD    lwl, 2, 0x77a65578, 0x12345678
        LOAD    lwl, 2, 0x77a655ff, 0xffffffff
        LOAD    lwl, 3, 0xc877a655, 0x12345678
        LOAD    lwl, 3, 0xc877a655, 0xffffffff
        addiu   $t0, $t0, 2
        move    $t1, $t0
        lwl     $t0, -1($t0)
        srl     $t0, $t0, 24
        CHECK   $t0, 0xa6
TEST_END
