/* di, ei: switch Status.IE and return the whole old Status; a pending interrupt waits for ei. */
#include "test.h"
TEST
        HOOK    taken
        li      $s0, 0
        SET_STATUS ST_IE | ST_IM0
        mfc0    $t1, C0_STATUS
        di      $t0
        ehb
        CHECK_SAME $t0, $t1
        mfc0    $t2, C0_STATUS
        CHECK_BITS $t2, ST_IE, 0
        di      $t0                     /* once more */
        CHECK_SAME $t0, $t2
        li      $t3, CA_IP0
        mtc0    $t3, C0_CAUSE
        ehb
        nop
        CHECK   $s0, 0
        ei      $t0
        ehb
        nop
        CHECK   $s0, 1
        CHECK_SAME $t0, $t2
        mfc0    $t0, C0_STATUS
        CHECK_SAME $t0, $t1
        ei      $zero
        CHECK   $zero, 0
        di
        ehb
        mfc0    $t0, C0_STATUS
        CHECK_SAME $t0, $t2
        b       end
        nop
taken:  mtc0    $zero, C0_CAUSE
        addiu   $s0, $s0, 1
        ehb
        eret
end:
TEST_END
