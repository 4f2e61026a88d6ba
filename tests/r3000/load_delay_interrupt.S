/* Interrupts leave load delays as they are: the slot sees the old value, unless the interrupt came between the load and
 * it (EPC is the slot), which lets the load arrive. The request comes at eight different distances from the load.
 * gxemul: no (it has no load delays) */
#include "test.h"
        .macro  DISTANCE before
        li      $t0, CA_IP(0)
        mtc0    $t0, C0_CAUSE
        li      $t1, ST_IM(0) | ST_IEC
        li      $t2, 0x33
        li      $t4, 0x33
        SETTLE
        mtc0    $t1, C0_STATUS
        .rept   \before
        nop
        .endr
        lw      $t2, 0($t5)
.Lslot\@:
        move    $t3, $t2
        lw      $t4, 0($t5)
.Lsecond\@:
        move    $t6, $t4
        SETTLE
        mtc0    $zero, C0_STATUS
        SETTLE
        CHECK   $t2, 0x11
        CHECK_STATE S_COUNT, \before + 1
        lw      $t7, S_EPC($gp)
        la      $t8, .Lslot\@
        bne     $t7, $t8, .Lold\@
        nop
        CHECK   $t3, 0x11
        b       .Lnext\@
        nop
.Lold\@:
        CHECK   $t3, 0x33
.Lnext\@:
        la      $t8, .Lsecond\@
        bne     $t7, $t8, .Lsecond_old\@
        nop
        CHECK   $t6, 0x11
        b       .Lend\@
        nop
.Lsecond_old\@:
        CHECK   $t6, 0x33
.Lend\@:
        .endm
TEST
        li      $t5, KSEG0(FREE_PA)
        li      $t0, 0x11
        sw      $t0, 0($t5)
        HOOK    handler
        .irp    before, 0, 1, 2, 3, 4, 5, 6, 7
        DISTANCE \before
        .endr
        b       9f
        nop
handler: mtc0   $zero, C0_CAUSE
        SETTLE
        HOOK_RETURN
9:      UNHOOK
TEST_END
