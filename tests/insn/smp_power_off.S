/* A processor switches itself off, is seen to be off, starts again, twice; another switches it off and resets it.
 * simos: --cpus 2 --set machine.quantum=13 */
/* qemu: no */
#include "test.h"
.macro STATE reg
        li      $t0, CPC_KSEG1
        li      $t1, 1 << 16
        sw      $t1, 0x2010($t0)
        lw      \reg, 0x4008($t0)
        ext     \reg, \reg, 19, 4
.endm
.macro WAIT_COUNT value
        la      $t0, shared
1:      lw      $t1, 0($t0)
        li      $t2, \value
        bne     $t1, $t2, 1b
        nop
.endm
TEST
        START_OTHER 1
        WAIT_COUNT 1
1:      STATE   $t2
        bnez    $t2, 1b
        nop
        START_OTHER 1
        WAIT_COUNT 2
1:      STATE   $t2
        bnez    $t2, 1b
        nop
        la      $t0, shared             /* now it stays */
        li      $t1, 1
        sw      $t1, 4($t0)
        START_OTHER 1
        WAIT_COUNT 3
        STATE   $t2
        CHECK_TRUE $t2
        li      $t1, 4                  /* reset */
        sw      $t1, 0x4000($t0)
        WAIT_COUNT 4
        STATE   $t2
        CHECK_TRUE $t2
        li      $t1, 2                  /* off */
        sw      $t1, 0x4000($t0)
        STATE   $t2
        CHECK   $t2, 0
TEST_END
        .globl  test_other
test_other:
        la      $t0, shared
        lw      $t1, 0($t0)
        addiu   $t1, $t1, 1
        sw      $t1, 0($t0)
        lw      $t1, 4($t0)
        bnez    $t1, 1f
        li      $t0, CPC_KSEG1
        li      $t1, 2
        sw      $t1, 0x2000($t0)
        la      $t0, shared             /* nothing runs behind that store */
        li      $t1, 1000
        sw      $t1, 0($t0)
1:      b       1b
        nop
        .data
        .balign 32
shared: .word   0, 0
