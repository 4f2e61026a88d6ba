/* A processor that the power controller started takes its exceptions relative to where it started while BEV is set
 * (devices/board/power_controller.h): a general one 0x380 bytes behind. simos: --cpus 2 */
/* qemu: no */
#include "test.h"
TEST
        li      $t0, GCR_KSEG1
        li      $t1, 1 << 16
        sw      $t1, 0x2018($t0)
        la      $t1, entry
        sw      $t1, 0x4020($t0)
        li      $t0, CPC_KSEG1
        sw      $t1, 0x2010($t0)
        li      $t1, 1 << 16
        sw      $t1, 0x2010($t0)
        li      $t1, 3
        sw      $t1, 0x4000($t0)
        la      $t0, shared
1:      lw      $t1, 0($t0)
        beqz    $t1, 1b
        nop
        CHECK   $t1, 13 << 2            /* Cause: trap */
TEST_END
        .balign 4096
entry:  mtc0    $zero, C0_CAUSE
        teq     $zero, $zero
1:      b       1b
        nop
        .org    entry + 0x380
        la      $t0, shared
        mfc0    $t1, C0_CAUSE
        sync
        sw      $t1, 0($t0)
2:      b       2b
        nop
        .data
        .balign 32
shared: .word   0
