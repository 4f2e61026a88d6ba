/* A refill while EXL is set goes to the general vector and leaves EPC and BD as they were; BadVAddr is the new one. */
#include "test.h"
TEST
        HOOK    first
        li      $s0, 0
        li      $t0, 0x00c00000
1:      syscall
        CHECK   $s0, 2
        b       end
        nop
first:  HOOK    second
        addiu   $s0, $s0, 1
        lw      $k1, 0x234($t0)         /* EXL is set */
        FAIL
second: CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE S_EPC, 1b
        CHECK_STATE S_BADVADDR, 0x00c00234
        CHECK_STATE S_COUNT, 2
        lw      $k1, S_CAUSE($gp)
        li      $at, 0x8000007c
        and     $k1, $k1, $at
        CHECK   $k1, EXC_TLBL << 2
        addiu   $s0, $s0, 1
        mfc0    $k1, C0_EPC
        addiu   $k1, $k1, 4
        mtc0    $k1, C0_EPC
        ehb
        eret
end:
TEST_END
