/* Interrupts between processors through the interrupt controller: an edge written to WEDGE wakes a waiting processor on
 * the pin it is mapped to; back and forth a hundred times. simos: --cpus 2 --set machine.quantum=20 */
/* qemu: no */
#include "test.h"
#define IPI0 40                         /* to processor 0, pin 2 (IP4) */
#define IPI1 41                         /* to processor 1, pin 3 (IP5) */
.macro ROUTE number, pin, cpu
        li      $t0, GIC_KSEG1
        li      $t1, 1 << (\number - 32)
        lw      $t2, 0x104($t0)         /* rising edges */
        or      $t2, $t2, $t1
        sw      $t2, 0x104($t0)
        lw      $t2, 0x184($t0)
        or      $t2, $t2, $t1
        sw      $t2, 0x184($t0)
        li      $t2, 0x80000000 | \pin
        sw      $t2, 0x500 + 4 * \number($t0)
        li      $t2, 1 << \cpu
        sw      $t2, 0x2000 + 32 * \number($t0)
        sw      $t1, 0x384($t0)
.endm
.macro SEND number
        li      $t8, GIC_KSEG1
        li      $t9, 0x80000000 | \number
        sw      $t9, 0x280($t8)
.endm
TEST
        ROUTE   IPI0, 2, 0
        ROUTE   IPI1, 3, 1
        HOOK    taken0
        START_OTHER 1
        la      $t0, ready
1:      lw      $t1, 0($t0)
        beqz    $t1, 1b
        nop
        li      $s0, 0
        li      $s1, 0
        SET_STATUS ST_IE | 0x1000
2:      addiu   $s1, $s1, 1
        SEND    IPI1
3:      beq     $s0, $s1, 4f
        nop
        wait
        b       3b
        nop
4:      li      $t1, 100
        bne     $s1, $t1, 2b
        nop
        SET_STATUS 0
        la      $t0, ready
        lw      $t1, 4($t0)
        CHECK   $t1, 100
        CHECK_STATE S_COUNT, 100
        lw      $t1, S_CAUSE($gp)
        CHECK_BITS $t1, 0xfc00, 0x1000
TEST_END
/* Not back to where it was, but behind the wait: an interrupt between the test and the wait must not be lost. */
taken0: li      $k1, IPI0
        li      $at, GIC_KSEG1
        sw      $k1, 0x280($at)
        addiu   $s0, $s0, 1
        la      $k1, 4b
        mtc0    $k1, C0_EPC
        ehb
        eret

        .globl  test_other
test_other:
        HOOK    taken1
        la      $t0, ready
        li      $t1, 1
        sw      $t1, 0($t0)
        SET_STATUS ST_IE | 0x2000
1:      wait
        b       1b
        nop
taken1: li      $k1, IPI1
        li      $at, GIC_KSEG1
        sw      $k1, 0x280($at)
        la      $t0, ready
        lw      $t1, 4($t0)
        addiu   $t1, $t1, 1
        sw      $t1, 4($t0)
        sync
        SEND    IPI0
        eret
        .data
        .balign 32
ready:  .word   0, 0
