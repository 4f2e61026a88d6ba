/* Start of every program of the suite: a known state, the exception vectors, the handler, the verdict. */
#include "test.h"

        .text
        .globl  test_start, test_main, test_finish, test_state, test_exception
test_start:
        la      $t0, 1f                 /* the segment of the link, whatever started this */
        jr      $t0
        nop
1:      mtc0    $zero, C0_STATUS
        mtc0    $zero, C0_CAUSE
        mtc0    $zero, C0_CONTEXT
        SETTLE

        li      $t0, 0x80000000         /* TLB: every entry under a different address in kseg0 */
        li      $t1, 0
        li      $t2, INDEX(64)
2:      mtc0    $t0, C0_ENTRYHI
        mtc0    $zero, C0_ENTRYLO
        mtc0    $t1, C0_INDEX
        SETTLE
        tlbwi
        SETTLE
        addiu   $t1, $t1, INDEX(1)
        bne     $t1, $t2, 2b
        addiu   $t0, $t0, 0x1000
        mtc0    $zero, C0_ENTRYHI

        la      $gp, test_state
        la      $sp, test_stack
        la      $t0, vector             /* both vectors, uncached: no cache holds them yet */
        li      $t1, KSEG1(0)
        li      $t2, 5
3:      lw      $t3, 0($t0)
        lw      $t4, 20($t0)
        sw      $t3, 0x00($t1)
        sw      $t4, 0x80($t1)
        addiu   $t0, $t0, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 3b
        addiu   $t1, $t1, 4
        la      $ra, test_finish
        la      $t0, test_main
        jr      $t0
        nop

vector: la      $k0, test_exception
        jr      $k0
        li      $k1, VECTOR_UTLB
        nop
        la      $k0, test_exception
        jr      $k0
        li      $k1, VECTOR_GENERAL
        nop

test_exception:
        la      $k0, test_state
        sw      $k1, S_VECTOR($k0)
        mfc0    $k1, C0_CAUSE
        nop
        sw      $k1, S_CAUSE($k0)
        mfc0    $k1, C0_EPC
        nop
        sw      $k1, S_EPC($k0)
        mfc0    $k1, C0_BADVADDR
        nop
        sw      $k1, S_BADVADDR($k0)
        mfc0    $k1, C0_STATUS
        nop
        sw      $k1, S_STATUS($k0)
        mfc0    $k1, C0_ENTRYHI
        nop
        sw      $k1, S_ENTRYHI($k0)
        mfc0    $k1, C0_CONTEXT
        nop
        sw      $k1, S_CONTEXT($k0)
        lw      $k1, S_COUNT($k0)
        nop
        addiu   $k1, $k1, 1
        sw      $k1, S_COUNT($k0)
        lw      $k1, S_HOOK($k0)
        nop
        beqz    $k1, 1f
        nop
        jr      $k1
        nop
1:      lw      $k1, S_RESUME($k0)
        nop
        beqz    $k1, 2f
        sw      $zero, S_RESUME($k0)
        sw      $k1, S_EPC + S_SIZE($k0)
        mfc0    $k1, C0_STATUS          /* kernel mode, interrupts off */
        nop
        srl     $k1, $k1, 6
        sll     $k1, $k1, 6
        mtc0    $k1, C0_STATUS
        lw      $k1, S_EPC + S_SIZE($k0)
        SETTLE
        jr      $k1
        nop

2:      lw      $a0, S_CAUSE($k0)       /* nobody expects it */
        nop
        andi    $a0, $a0, 0x7c
        srl     $a0, $a0, 2
        addiu   $a0, $a0, 192

/* Ends the run with the verdict $a0, wherever this runs; this is all that depends on it. A store to an address that a
 * board does not have raises nothing on the boards that come later in the list. */
test_finish:
        li      $t0, KSEG1(0x18010014)  /* the control device of simos on its boards simos, kn01, kn02 */
        sw      $a0, 0($t0)
        li      $t0, KSEG1(0x13000014)
        sw      $a0, 0($t0)
        li      $t0, KSEG1(0x1fc80014)
        sw      $a0, 0($t0)
        li      $t0, KSEG1(0x10000000)  /* gxemul's console: a byte to offset 0 is shown, offset 16 halts */
        andi    $a0, $a0, 0xff
        addiu   $a0, $a0, 0x100
        li      $t1, 8
3:      srl     $t2, $a0, $t1           /* "1" and two hexadecimal digits of the status, from '0' on */
        andi    $t2, $t2, 0xf
        addiu   $t2, $t2, '0'
        sb      $t2, 0($t0)
        bnez    $t1, 3b
        addiu   $t1, $t1, -4
        li      $t2, '\n'
        sb      $t2, 0($t0)
        sb      $zero, 16($t0)
4:      b       4b
        nop

        .data
        .balign 1024
test_state:                             /* and a second one for the handler */
        .space  2 * S_SIZE
        .space  1024
test_stack:
        .space  32
