/* lwr: all four alignments; the other bytes of rt stay. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lwr, 0, 0xc877a655, 0x12345678
        LOAD    lwr, 0, 0xc877a655, 0xffffffff
        LOAD    lwr, 1, 0x12c877a6, 0x12345678
        LOAD    lwr, 1, 0xffc877a6, 0xffffffff
        LOAD    lwr, 2, 0x1234c877, 0x12345678
        LOAD    lwr, 2, 0xffffc877, 0xffffffff
        LOAD    lwr, 3, 0x123456c8, 0x12345678
        LOAD    lwr, 3, 0xffffffc8, 0xffffffff
        addiu   $t0, $t0, 2
        move    $t1, $t0
        lwr     $t0, -1($t0)
        srl     $t0, $t0, 24
        CHECK   $t0, 0x80
TEST_END
