/* nop, ssnop, ehb, pause, sync, pref: nothing happens, whatever the address. */
#include "test.h"
TEST
        li      $t0, 0x12345678
        li      $t1, 0
        nop
        ssnop
        ehb
        .word   0x00000140              /* pause */
        sync
        sync    0x10
        pref    0, 0($zero)             /* unmapped, unaligned, in user space */
        pref    1, 3($t0)
        pref    30, -1($zero)
        CHECK_STATE S_COUNT, 0
        CHECK   $t0, 0x12345678
        CHECK   $zero, 0
TEST_END
