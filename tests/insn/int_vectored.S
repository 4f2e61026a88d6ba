/* Cause.IV with IntCtl.VS: each interrupt has its own vector, 0x200 + number * spacing, the highest pending first; with
 * VS = 0 all go to 0x200, without IV to 0x180; other exceptions stay at 0x180. */
#include "test.h"
.macro RAISE bits, vs, vector, iv=CA_IV
        li      $at, \vs
        mtc0    $at, C0_INTCTL
        li      $at, (\bits) | (\iv)
        mtc0    $at, C0_CAUSE
        ehb
        SET_STATUS ST_IE | ST_IM0 | ST_IM1
        nop
        nop
        SET_STATUS 0
        CHECK_STATE S_VECTOR, \vector
.endm
TEST
        HOOK    taken
        RAISE   CA_IP0, 0, 0x180, 0
        RAISE   CA_IP1, 0x20, 0x180, 0
        RAISE   CA_IP0, 0, 0x200
        RAISE   CA_IP1, 0, 0x200
        RAISE   CA_IP0, 0x20, 0x200
        RAISE   CA_IP1, 0x20, 0x220
        RAISE   CA_IP1, 0x40, 0x240
        RAISE   CA_IP1, 0x80, 0x280
        RAISE   CA_IP1, 0x100, 0x300
        RAISE   CA_IP0 | CA_IP1, 0x20, 0x220
        CHECK_STATE S_COUNT, 10
        UNHOOK
        EXPECT  EXC_SYS, syscall
        CHECK_STATE S_VECTOR, 0x180
        li      $t0, 0x00c00000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_STATE S_VECTOR, 0
        b       end
        nop
taken:  mfc0    $k1, C0_CAUSE
        ins     $k1, $zero, 8, 2
        mtc0    $k1, C0_CAUSE
        ehb
        eret
end:
TEST_END
