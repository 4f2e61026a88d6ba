/*
 * The guest's side of the random streams: exception handlers, and a driver that runs one stream after another. It is
 * plain MIPS32 release 2 and runs on simos and on QEMU's Malta alike.
 *
 * The handlers record every exception, then go on behind the instruction (and its delay slot), or, if it was the fetch
 * that failed, at $s7. They destroy $k0 and $k1.
 */
#include "layout.h"

#define C0_INDEX    $0
#define C0_ENTRYLO0 $2
#define C0_ENTRYLO1 $3
#define C0_CONTEXT  $4
#define C0_PAGEMASK $5
#define C0_WIRED    $6
#define C0_HWRENA   $7
#define C0_BADVADDR $8
#define C0_COUNT    $9
#define C0_ENTRYHI  $10
#define C0_COMPARE  $11
#define C0_STATUS   $12
#define C0_INTCTL   $12, 1
#define C0_CAUSE    $13
#define C0_EPC      $14
#define C0_EBASE    $15, 1
#define C0_CONFIG1  $16, 1

        .set    noreorder
        .set    noat
        .text
        .globl  _start
_start:
/* TLB refill: an EntryLo pair from the page table. */
refill:
        mfc0    $k1, C0_CONTEXT
        lw      $k0, 0($k1)
        lw      $k1, 4($k1)
        mtc0    $k0, C0_ENTRYLO0
        mtc0    $k1, C0_ENTRYLO1
        mtc0    $zero, C0_PAGEMASK
        ehb
        tlbwr
        ehb
        eret

        .org    0x180
        lui     $k0, %hi(handler)
        addiu   $k0, $k0, %lo(handler)
        jr      $k0
        nop

        .org    0x200
        lui     $k0, %hi(handler)
        addiu   $k0, $k0, %lo(handler)
        jr      $k0
        nop

.macro VARIABLES reg, other
        mfc0    \reg, C0_EBASE
        andi    \reg, \reg, 15
        sll     \reg, \reg, 8           /* LAYOUT_VARIABLES_SIZE */
        lui     \other, %hi(0x80000000 + LAYOUT_VARIABLES)
        addiu   \other, \other, %lo(0x80000000 + LAYOUT_VARIABLES)
        addu    \reg, \reg, \other
.endm

        .org    0x400
handler:
        VARIABLES $k0, $k1
        sw      $1, V_AT($k0)
        lw      $1, V_LOG($k0)
        mfc0    $k1, C0_EPC
        sw      $k1, RECORD_EPC($1)
        mfc0    $k1, C0_CAUSE
        sw      $k1, RECORD_CAUSE($1)
        mfc0    $k1, C0_BADVADDR
        sw      $k1, RECORD_BADVADDR($1)
        mfc0    $k1, C0_STATUS
        sw      $k1, RECORD_STATUS($1)
        mfc0    $k1, C0_ENTRYHI
        sw      $k1, RECORD_ENTRYHI($1)
        mfc0    $k1, C0_CONTEXT
        sw      $k1, RECORD_CONTEXT($1)
        sw      $ra, RECORD_RA($1)
        lw      $k1, V_LOG_END($k0)
        addiu   $1, $1, RECORD_SIZE
        bne     $1, $k1, 1f
        nop
        lw      $1, V_LOG_START($k0)
1:      sw      $1, V_LOG($k0)

        mfc0    $1, C0_CAUSE
        ext     $1, $1, 2, 5
        beqz    $1, interrupt
        lw      $k1, V_EXCEPTIONS($k0)
        addiu   $k1, $k1, 1
        sw      $k1, V_EXCEPTIONS($k0)
        mfc0    $k1, C0_EPC
        andi    $k1, $k1, 3
        bnez    $k1, recover            /* a fetch from an odd address */
        xori    $k1, $1, 6              /* IBE */
        beqz    $k1, recover
        andi    $1, $1, 0x19            /* TLBL, AdEL */
        mfc0    $k1, C0_EPC
        bnez    $1, no_fetch
        mfc0    $1, C0_BADVADDR
        beq     $1, $k1, recover
        nop
no_fetch:
        lw      $1, V_END($k0)
        beq     $1, $k1, finish
        mfc0    $1, C0_CAUSE
        bgez    $1, 1f                  /* BD: the branch is skipped too */
        addiu   $k1, $k1, 4
        addiu   $k1, $k1, 4
1:      mtc0    $k1, C0_EPC
        ext     $1, $1, 2, 5
        xori    $1, $1, 8               /* syscall */
        bnez    $1, leave
        lw      $k1, V_FLIP($k0)
        mfc0    $1, C0_STATUS
        xor     $1, $1, $k1
        mtc0    $1, C0_STATUS
leave:
        ehb
        lw      $1, V_AT($k0)
        eret
recover:
        mtc0    $s7, C0_EPC
        lw      $1, V_STRIDE($k0)
        addu    $1, $1, $s7
        b       leave
        ins     $s7, $1, 0, 12          /* in the same page */

interrupt:
        lw      $k1, V_INTERRUPTS($k0)
        addiu   $k1, $k1, 1
        sw      $k1, V_INTERRUPTS($k0)
        mfc0    $k1, C0_CAUSE
        ins     $k1, $zero, 8, 2        /* software interrupts */
        mtc0    $k1, C0_CAUSE
        lw      $1, V_PERIOD($k0)
        beqz    $1, leave
        sll     $k1, $1, 2
        addu    $1, $1, $k1             /* another one every time */
        addiu   $1, $1, 13
        andi    $1, $1, 0x3ff
        ori     $1, $1, 0x40
        sw      $1, V_PERIOD($k0)
        mfc0    $k1, C0_COUNT
        addu    $k1, $k1, $1
        mtc0    $k1, C0_COMPARE
        b       leave
        nop

/* Streams one after another. */
        .org    LAYOUT_ENTRY - LAYOUT_DRIVER
driver:
        li      $t0, 0x00400000         /* BEV, out of ERL */
        mtc0    $t0, C0_STATUS
        ehb
        li      $t0, 0x80000000 + LAYOUT_DRIVER
        mtc0    $t0, C0_EBASE
        li      $t0, 0x08000000         /* Count stands still: no timer */
        mtc0    $t0, C0_CAUSE
        mtc0    $zero, C0_INTCTL
        mtc0    $zero, C0_WIRED
        mtc0    $zero, C0_PAGEMASK
        mtc0    $zero, C0_ENTRYLO0
        mtc0    $zero, C0_ENTRYLO1
        li      $t0, 3                  /* CPUNum, SYNCI_Step */
        mtc0    $t0, C0_HWRENA
        mtc0    $zero, C0_STATUS
        ehb
        mfc0    $t0, C0_CONFIG1         /* TLB: every entry under a different address in kseg0 */
        ext     $t0, $t0, 25, 6
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
        li      $t0, 0x80000000 + LAYOUT_TABLE
        mtc0    $t0, C0_CONTEXT
        li      $t0, 0x80000000 + LAYOUT_LOG - LOG_BYTES
        li      $k0, 0x80000000 + LAYOUT_VARIABLES
        sw      $t0, V_LOG_START($k0)

next:
        lw      $t1, V_LOG_START($k0)
        addiu   $t1, $t1, LOG_BYTES
        sw      $t1, V_LOG_START($k0)
        sw      $t1, V_LOG($k0)
        addiu   $t1, $t1, LOG_BYTES
        sw      $t1, V_LOG_END($k0)
        sw      $zero, V_EXCEPTIONS($k0)
        lw      $k1, V_CONTEXT($k0)
        lw      $t0, CONTEXT_END($k1)
        sw      $t0, V_END($k0)
        lw      $t0, CONTEXT_START($k1)
        mtc0    $t0, C0_EPC
        lw      $t0, CONTEXT_STATUS($k1)
        li      $t1, STREAM_CU1 | STREAM_EXL
        or      $t0, $t0, $t1
        mtc0    $t0, C0_STATUS
        ehb
        ctc1    $zero, $31
        sll     $t1, $t0, 5             /* FR to the sign */
        bltz    $t1, 1f
        nop
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        lwc1    $f\n, CONTEXT_FPR + 8 * \n($k1)
        .endr
        b       2f
        nop
1:      .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        ldc1    $f\n, CONTEXT_FPR + 8 * \n($k1)
        .endr
2:      lw      $t0, CONTEXT_FCSR($k1)
        ctc1    $t0, $31
        lw      $t0, CONTEXT_HI($k1)
        mthi    $t0
        lw      $t0, CONTEXT_LO($k1)
        mtlo    $t0
        lw      $t0, CONTEXT_STATUS($k1)
        ori     $t0, $t0, STREAM_EXL
        mtc0    $t0, C0_STATUS
        ehb
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
        lw      $\n, CONTEXT_GPR + 4 * \n($k1)
        .endr
        eret

/* The stream at its end; $1 is in V_AT. */
finish:
        lw      $k1, V_DUMP($k0)
        .irp    n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
        sw      $\n, CONTEXT_GPR + 4 * \n($k1)
        .endr
        lw      $t0, V_AT($k0)
        sw      $t0, CONTEXT_GPR + 4($k1)
        lw      $t0, V_EXCEPTIONS($k0)
        sw      $t0, CONTEXT_COUNT($k1)
        mfhi    $t0
        sw      $t0, CONTEXT_HI($k1)
        mflo    $t0
        sw      $t0, CONTEXT_LO($k1)
        mfc0    $t0, C0_STATUS
        sw      $t0, CONTEXT_STATUS($k1)
        li      $t1, STREAM_CU1
        or      $t1, $t1, $t0
        mtc0    $t1, C0_STATUS
        ehb
        cfc1    $t1, $31
        sw      $t1, CONTEXT_FCSR($k1)
        sll     $t1, $t0, 5
        bltz    $t1, 1f
        nop
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        swc1    $f\n, CONTEXT_FPR + 8 * \n($k1)
        .endr
        b       2f
        nop
1:      .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        sdc1    $f\n, CONTEXT_FPR + 8 * \n($k1)
        .endr
2:      li      $t0, 0x80000000 + LAYOUT_DATA
        li      $t1, 0x80000000 + LAYOUT_DATA_END
        li      $t2, 0
3:      lw      $t3, 0($t0)
        sll     $t4, $t2, 5
        subu    $t2, $t4, $t2
        addiu   $t0, $t0, 4
        bne     $t0, $t1, 3b
        addu    $t2, $t2, $t3
        sw      $t2, CONTEXT_HASH($k1)

        addiu   $k1, $k1, CONTEXT_SIZE
        sw      $k1, V_DUMP($k0)
        lw      $k1, V_CONTEXT($k0)
        addiu   $k1, $k1, CONTEXT_SIZE
        sw      $k1, V_CONTEXT($k0)
        lw      $t0, V_LEFT($k0)
        addiu   $t0, $t0, -1
        bnez    $t0, next
        sw      $t0, V_LEFT($k0)

        lw      $t0, V_SEMIHOST($k0)
        bnez    $t0, semihost
        lui     $t0, 0xb801             /* the control device: exit status 0 */
        sw      $zero, 0x14($t0)
4:      b       4b
        nop
semihost:                               /* UHI */
        move    $s0, $k0
        addiu   $a0, $s0, V_PATH
        li      $a1, 0x601              /* write, create, truncate */
        li      $a2, 0x1b4
        li      $25, 2                  /* open */
        sdbbp   1
        move    $a0, $v0
        lw      $a1, V_FROM($s0)
        lw      $a2, V_SIZE($s0)
        li      $25, 5                  /* write */
        sdbbp   1
        li      $a0, 0
        li      $25, 1                  /* exit */
        sdbbp   1
5:      b       5b
        nop
