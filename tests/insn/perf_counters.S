/* The performance counters (interAptiv manual, performance counter events): each event that is counted on every machine
 * counts what a known piece of code does, on every CPU model. qemu: no */
#include "test.h"

#define KERNEL 2

        /* Count EVENT with PerfCtl and PerfCnt NUMBER (0, 1) in what follows, up to COUNTED. */
        .macro  COUNT number, event
        .ifc    \number,0
        mtc0    $zero, C0_PERFCTL0
        mtc0    $zero, C0_PERFCNT0
        li      $t8, \event << 5 | KERNEL
        mtc0    $t8, C0_PERFCTL0
        .else
        mtc0    $zero, C0_PERFCTL1
        mtc0    $zero, C0_PERFCNT1
        li      $t8, \event << 5 | KERNEL
        mtc0    $t8, C0_PERFCTL1
        .endif
        .endm

        /* The count is EXPECTED. */
        .macro  COUNTED number, expected
        .ifc    \number,0
        mtc0    $zero, C0_PERFCTL0
        mfc0    $t9, C0_PERFCNT0
        .else
        mtc0    $zero, C0_PERFCTL1
        mfc0    $t9, C0_PERFCNT1
        .endif
        CHECK   $t9, \expected
        .endm

TEST
        li      $t0, KSEG0(FREE_PA)
        mtc0    $zero, C0_PERFCTL0
        mtc0    $zero, C0_PERFCTL1

        COUNT   0, 1                    /* instructions: these three and the mtc0 that stops the counter */
        nop
        addu    $t1, $t0, $t0
        nop
        COUNTED 0, 4

        COUNT   1, 1
        nop
        COUNTED 1, 2

        COUNT   0, 2                    /* conditional branches, taken or not; not jumps */
        li      $t1, 5
1:      addiu   $t1, $t1, -1
        bnez    $t1, 1b
        nop
        b       2f
        nop
2:      bnel    $zero, $zero, 3f
        sw      $t1, 0($t0)
        j       3f
        nop
3:
        COUNTED 0, 7

        COUNT   0, 15                   /* loads */
        lw      $t1, 0($t0)
        lb      $t1, 1($t0)
        sw      $t1, 4($t0)
        ll      $t1, 0($t0)
        COUNTED 0, 3

        COUNT   1, 15                   /* stores; not the one of an annulled delay slot */
        sw      $t0, 0($t0)
        sb      $t0, 1($t0)
        lw      $t1, 0($t0)
        bnel    $zero, $zero, 4f
        sw      $t1, 0($t0)
4:
        COUNTED 1, 2

        COUNT   0, 10                   /* loads and stores */
        lw      $t1, 0($t0)
        sw      $t1, 0($t0)
        lhu     $t1, 0($t0)
        mfc0    $t9, C0_PERFCNT0
        mtc0    $zero, C0_PERFCTL0

        COUNT   0, 17                   /* nops; not other instructions without effect */
        nop
        sll     $zero, $zero, 3
        nop
        addu    $zero, $t0, $t0
        COUNTED 0, 2

        COUNT   1, 17                   /* multiplications and divisions */
        li      $t1, 7
        mult    $t1, $t1
        multu   $t1, $t1
        div     $zero, $t1, $t1
        mul     $t2, $t1, $t1
        mflo    $t2
        COUNTED 1, 4

        COUNT   0, 16                   /* jumps and calls */
        jal     5f
        nop
        b       6f
        nop
5:      jr      $ra
        nop
6:
        COUNTED 0, 1

        COUNT   0, 19                   /* sc */
        ll      $t1, 0($t0)
        sc      $t1, 0($t0)
        COUNTED 0, 1

        COUNT   0, 20                   /* pref */
        pref    0, 0($t0)
        pref    1, 32($t0)
        lw      $t1, 0($t0)
        COUNTED 0, 2

        /* two counters at a time */
        COUNT   0, 15
        COUNT   1, 17
        lw      $t1, 0($t0)
        mult    $t1, $t1
        lw      $t1, 4($t0)
        COUNTED 1, 1
        COUNTED 0, 2

        /* a counter wraps after 2^32 */
        COUNT   0, 15
        li      $t8, -1
        mtc0    $t8, C0_PERFCNT0
        lw      $t1, 0($t0)
        lw      $t1, 0($t0)
        COUNTED 0, 1

        /* an event that is not counted: the counter stands still at what is written, also for the event after it, as
           the kernel does that when several events share a counter */
        COUNT   1, 12
        li      $t8, 123
        mtc0    $t8, C0_PERFCNT1
        nop
        COUNTED 1, 123
        COUNT   1, 12
        li      $t8, 200
        mtc0    $t8, C0_PERFCNT1
        li      $t8, 15 << 5 | KERNEL
        mtc0    $t8, C0_PERFCTL1
        sw      $t0, 0($t0)
        COUNTED 1, 201

        /* overflow: Cause.PCI and the interrupt line IP7 are set from the instruction after the one that overflows */
        li      $t8, 0x80000000 - 3
        mtc0    $t8, C0_PERFCNT0
        li      $t8, 15 << 5 | 1 << 4 | KERNEL
        mtc0    $t8, C0_PERFCTL0
        lw      $t1, 0($t0)
        lw      $t1, 0($t0)
        mfc0    $t2, C0_CAUSE
        lw      $t1, 0($t0)
        mfc0    $t3, C0_CAUSE
        mtc0    $zero, C0_PERFCTL0
        mfc0    $t4, C0_CAUSE           /* without IE it is clear again */
        li      $t5, 1 << 26 | 1 << 15
        and     $t2, $t2, $t5
        CHECK   $t2, 0
        and     $t3, $t3, $t5
        CHECK   $t3, 1 << 26 | 1 << 15
        and     $t4, $t4, $t5
        CHECK   $t4, 0

        /* the same of instructions, and of cycles far ahead */
        li      $t8, 0x80000000 - 4
        mtc0    $t8, C0_PERFCNT1
        li      $t8, 1 << 5 | 1 << 4 | KERNEL
        mtc0    $t8, C0_PERFCTL1
        nop
        nop
        mfc0    $t2, C0_CAUSE           /* the third */
        nop
        mfc0    $t3, C0_CAUSE
        mtc0    $zero, C0_PERFCTL1
        and     $t2, $t2, $t5
        CHECK   $t2, 0
        and     $t3, $t3, $t5
        CHECK   $t3, 1 << 26 | 1 << 15
TEST_END
