/* An interrupt never splits a branch from its delay slot: EPC is the branch then, with BD set. Wherever it comes,
 * returning to EPC loses and repeats nothing. A chain of branches whose slots count is interrupted once; 8 chains,
 * each longer before the first branch. */
#include "test.h"
        .macro  CHAIN before
        mtc0    $zero, C0_STATUS
        SETTLE
        li      $t0, CA_IP(0)
        mtc0    $t0, C0_CAUSE
        li      $t1, ST_IM(0) | ST_IEC
        li      $s1, 0
        SETTLE
        mtc0    $t1, C0_STATUS
        .rept   \before
        nop
        .endr
        b       .Lone\@
        addiu   $s1, $s1, 1
        addiu   $s1, $s1, 0x100
.Lone\@: b      .Ltwo\@
        addiu   $s1, $s1, 1
        addiu   $s1, $s1, 0x100
.Ltwo\@: bnez   $zero, .Lone\@
        addiu   $s1, $s1, 1
        SETTLE
        mtc0    $zero, C0_STATUS
        SETTLE
        CHECK   $s1, 3
        CHECK_STATE S_COUNT, \before + 1
        lw      $t2, S_CAUSE($gp)       /* BD: EPC is a branch, else it is none */
        lw      $t3, S_EPC($gp)
        srl     $t2, $t2, 31
        lw      $t3, 0($t3)
        nop
        srl     $t3, $t3, 28            /* beq and bne: opcodes 4 and 5 */
        xori    $t3, $t3, 1
        sltiu   $t3, $t3, 1
        beqz    $t2, .Lfree\@
        nop
        CHECK   $t3, 1
.Lfree\@:
        .endm
TEST
        HOOK    handler
        .irp    before, 0, 1, 2, 3, 4, 5, 6, 7
        CHAIN   \before
        .endr
        b       9f
        nop
handler: mtc0   $zero, C0_CAUSE
        SETTLE
        HOOK_RETURN
9:      UNHOOK
TEST_END
