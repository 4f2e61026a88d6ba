/* Start of every test program: a known state, exception vectors, the handler, the end. */
#include "test.h"

        .text
        .globl  test_start, test_secondary, test_finish, test_state, test_vectors, test_exception
        .weak   test_other
test_start:
        b       test_secondary
        nop

/* Every processor starts here: the first one from the loader, the others from reset, in kseg1. */
        .balign 4096
test_secondary:
        li      $t0, ST_BEV             /* out of ERL; vectors may move while BEV is set */
        mtc0    $t0, C0_STATUS
        ehb
        li      $t0, 0x80000000
        mtc0    $t0, C0_EBASE
        mtc0    $zero, C0_CAUSE
        mtc0    $zero, C0_INTCTL
        mtc0    $zero, C0_STATUS
        mtc0    $zero, C0_HWRENA
        mtc0    $zero, C0_WIRED
        mtc0    $zero, C0_PAGEMASK
        mtc0    $zero, C0_ENTRYLO0
        mtc0    $zero, C0_ENTRYLO1
        mtc0    $zero, C0_CONTEXT
        ehb

        LAST_ENTRY $t0                  /* TLB: every entry under a different address in kseg0 */
        li      $t1, 0x80000000
1:      mtc0    $t0, C0_INDEX
        mtc0    $t1, C0_ENTRYHI
        ehb
        tlbwi
        ehb
        addiu   $t1, $t1, 0x2000
        bnez    $t0, 1b
        addiu   $t0, $t0, -1
        mtc0    $zero, C0_ENTRYHI
        ehb

        mfc0    $t0, C0_EBASE
        ext     $t0, $t0, 0, 8
        la      $gp, test_state
        ins     $gp, $t0, 7, 3
        la      $sp, test_stack
        sll     $t1, $t0, 10
        subu    $sp, $sp, $t1
        la      $t1, test_other
        bnez    $t0, 3f
        li      $a1, 0
        li      $a0, 0x80000000
        la      $ra, 2f
        j       test_vectors
        nop
2:      la      $t1, test_main
3:      jr      $t1
        nop

/* Writes the vectors for an EBase of $a0, which is in RAM: refill, general, and all vectors with a spacing of 32 bytes.
 * Each puts its own offset into $k1. */
test_vectors:
        move    $t0, $a0
        addiu   $t1, $a0, 0x400
        li      $t4, 0
1:      la      $t2, vector
        lw      $t3, 0($t2)
        or      $t3, $t3, $t4
        sw      $t3, 0($t0)
        lw      $t3, 4($t2)
        sw      $t3, 4($t0)
        lw      $t3, 8($t2)
        sw      $t3, 8($t0)
        lw      $t3, 12($t2)
        sw      $t3, 12($t0)
        lw      $t3, 16($t2)
        sw      $t3, 16($t0)
        synci   0($t0)
        addiu   $t0, $t0, 32
        bne     $t0, $t1, 1b
        addiu   $t4, $t4, 32
        sync
        jr.hb   $ra
        nop

vector: ori     $k1, $zero, 0
        lui     $k0, %hi(test_exception)
        addiu   $k0, $k0, %lo(test_exception)
        jr      $k0
        nop

test_exception:
        mfc0    $k0, C0_EBASE           /* $k0 = test_state of this processor */
        ins     $k1, $k0, 16, 8
        lui     $k0, %hi(test_state)
        addiu   $k0, $k0, %lo(test_state)
        rotr    $k1, $k1, 16
        ins     $k0, $k1, 7, 3
        srl     $k1, $k1, 16
        sw      $k1, S_VECTOR($k0)
        mfc0    $k1, C0_CAUSE
        sw      $k1, S_CAUSE($k0)
        mfc0    $k1, C0_EPC
        sw      $k1, S_EPC($k0)
        mfc0    $k1, C0_BADVADDR
        sw      $k1, S_BADVADDR($k0)
        mfc0    $k1, C0_STATUS
        sw      $k1, S_STATUS($k0)
        mfc0    $k1, C0_ENTRYHI
        sw      $k1, S_ENTRYHI($k0)
        mfc0    $k1, C0_CONTEXT
        sw      $k1, S_CONTEXT($k0)
        lw      $k1, S_COUNT($k0)
        addiu   $k1, $k1, 1
        sw      $k1, S_COUNT($k0)
        lw      $k1, S_HOOK($k0)
        beqz    $k1, 1f
        nop
        jr      $k1
        nop
1:      lw      $k1, S_RESUME($k0)
        beqz    $k1, 2f
        sw      $zero, S_RESUME($k0)
        mtc0    $k1, C0_EPC
        mfc0    $k1, C0_STATUS
        ins     $k1, $zero, 4, 1        /* UM */
        ins     $k1, $zero, 0, 1        /* IE */
        mtc0    $k1, C0_STATUS
        ehb
        eret

2:      lw      $a0, S_CAUSE($k0)       /* nobody expects it */
        ext     $a0, $a0, 2, 5
        addiu   $a0, $a0, 192

/* Ends the run with status $a0. */
test_finish:
#ifdef QEMU
        li      $25, 1                  /* UHI semihosting: exit */
        sdbbp   1
#else
        li      $t0, CONTROL_EXIT
        sw      $a0, 0($t0)
#endif
1:      b       1b
        nop

        .data
        .balign 1024
test_state:                             /* of up to eight processors */
        .space  8 * S_SIZE
        .space  8 * 1024
test_stack:
        .space  32
