/* An exception in a delay slot while EXL is set: EPC and BD stay those of the first; a first one in a delay slot keeps
 * BD through a second one that is not. */
#include "test.h"
TEST
        HOOK    first
        li      $s0, 0
1:      syscall
        CHECK   $s0, 1
        HOOK    third
2:      b       3f
        syscall
        FAIL
3:      CHECK   $s0, 2
        b       end
        nop

first:  HOOK    second
        b       4f
        break
4:      FAIL
second: CHECK_STATE S_EPC, 1b
        lw      $k1, S_CAUSE($gp)
        li      $at, 0x8000007c
        and     $k1, $k1, $at
        CHECK   $k1, EXC_BP << 2
        addiu   $s0, $s0, 1
        mfc0    $k1, C0_EPC
        addiu   $k1, $k1, 4
        mtc0    $k1, C0_EPC
        ehb
        eret

third:  HOOK    fourth
        break
        FAIL
fourth: CHECK_STATE S_EPC, 2b
        lw      $k1, S_CAUSE($gp)
        li      $at, 0x8000007c
        and     $k1, $k1, $at
        CHECK   $k1, 0x80000000 | EXC_BP << 2
        addiu   $s0, $s0, 1
        la      $k1, 3b
        mtc0    $k1, C0_EPC
        ehb
        eret
end:
TEST_END
