/* Every register of CP0 keeps the bits that its description makes writable (MIPS32 PRA, MD00090; interAptiv manual), and
 * no others; registers that the processor does not have read as 0. The rows are in the order of the numbers.
 * qemu: no (another processor) */
#include "test.h"

        /* Counter NUMBER, with any of the 128 events, whether a model counts it or not, selected for user mode and so
         * standing still: the counter keeps what is written, its control register too, and bit 31 with IE raises
         * Cause.PCI. */
        .macro  COUNTER_KEEPS number, fixed
        li      $s0, 0
1:      sll     $t0, $s0, 5
        ori     $t0, $t0, 0x18          /* U, IE */
        li      $t1, 0x12345678
        mtc0    $t1, $25, 2 * \number + 1       /* still of the event before */
        mtc0    $t0, $25, 2 * \number
        ehb
        mfc0    $t2, $25, 2 * \number + 1
        CHECK_SAME $t1, $t2
        mfc0    $t2, $25, 2 * \number
        li      $t1, \fixed
        or      $t0, $t0, $t1
        CHECK_SAME $t0, $t2
        mfc0    $t2, C0_CAUSE
        CHECK_BITS $t2, 1 << 26, 0
        li      $t1, 0x87654321
        mtc0    $t1, $25, 2 * \number + 1
        ehb
        mfc0    $t2, $25, 2 * \number + 1
        CHECK_SAME $t1, $t2
        mfc0    $t2, C0_CAUSE
        CHECK_BITS $t2, 1 << 26, 1 << 26
        addiu   $s0, $s0, 1
        sltiu   $t0, $s0, 128
        bnez    $t0, 1b
        nop
        mtc0    $zero, $25, 2 * \number
        mtc0    $zero, $25, 2 * \number + 1
        .endm

        .macro  ABSENT register, selects:vararg
        .irp    select, \selects
        KEEPS   0, 0, $\register, \select
        .endr
        .endm

TEST
        LAST_ENTRY $s1                  /* of a power of two of entries */
        li      $t0, 0x7fffffff         /* Index: P is set by tlbp only */
        mtc0    $t0, C0_INDEX
        ehb
        mfc0    $t1, C0_INDEX
        CHECK_SAME $t1, $s1
        li      $t0, 0x80000000
        mtc0    $t0, C0_INDEX
        ehb
        mfc0    $t1, C0_INDEX
        CHECK   $t1, 0
        li      $t0, 0x55555555
        mtc0    $t0, C0_INDEX
        ehb
        and     $t0, $t0, $s1
        mfc0    $t1, C0_INDEX
        CHECK_SAME $t1, $t0
        mtc0    $s1, C0_WIRED           /* one entry is left for Random, which ignores writes */
        mtc0    $zero, C0_RANDOM
        ehb
        mfc0    $t0, C0_WIRED
        CHECK_SAME $t0, $s1
        mfc0    $t0, C0_RANDOM
        CHECK_SAME $t0, $s1
        mtc0    $zero, C0_WIRED
        ehb

        KEEPS   0x03ffffff, 0, C0_ENTRYLO0
        KEEPS   0x03ffffff, 0, C0_ENTRYLO1
        KEEPS   0xff800000, 0, C0_CONTEXT
        KEEPS   0xffffffff, 0, C0_USERLOCAL
        .irp    mask, 0, 3, 0xf, 0x3f, 0xff, 0x3ff, 0xfff, 0x3fff, 0xffff
        li      $t0, \mask << 13
        ori     $t1, $t0, 0x1fff
        mtc0    $t1, C0_PAGEMASK
        ehb
        mfc0    $t1, C0_PAGEMASK
        CHECK_SAME $t1, $t0
        .endr
        mtc0    $zero, C0_PAGEMASK
        KEEPS   0x2000000f, 0, C0_HWRENA
        READ_ONLY C0_BADVADDR
        li      $t0, 1 << 27            /* Cause.DC: Count stands still */
        mtc0    $t0, C0_CAUSE
        ehb
        KEEPS   0xffffffff, 0, C0_COUNT
        KEEPS   0xffffe0ff, 0, C0_ENTRYHI
        KEEPS   0xffffffff, 0, C0_COMPARE
        mtc0    $zero, C0_CAUSE
        ehb
        KEEPS_WITHIN 0x3440ff17, 0, ST_EXL, ST_UM, C0_STATUS
        KEEPS_WITHIN 0x3440ff17, 0, ST_EXL | ST_UM, 0, C0_STATUS
        KEEPS   0x000003e0, 0xfc000000, C0_INTCTL
        ABSENT  12, 2, 3, 4, 5, 6, 7    /* SRSCtl, SRSMap: there is one set of registers */
        mfc0    $t0, C0_CAUSE
        CHECK_BITS $t0, ~0x0000007c, 0  /* no pin is high */
        ext     $s0, $t0, 2, 5
        sll     $s0, $s0, 2             /* ExcCode is kept */
        .irp    word, 0xffffffff, 0, 0x00800000, 0x00000100, 0x00000200, 0x08000000, 0xf77ffcff
        li      $t0, \word
        mtc0    $t0, C0_CAUSE
        ehb
        mfc0    $t1, C0_CAUSE
        li      $t2, (\word) & 0x08800300
        or      $t2, $t2, $s0
        CHECK_SAME $t1, $t2
        .endr
        mtc0    $zero, C0_CAUSE
        KEEPS   0xffffffff, 0, C0_EPC
        READ_ONLY C0_PRID
        KEEPS   0x3ffff000, 0x80000000, C0_EBASE
        READ_ONLY $15, 3                /* CMGCRBase */
        KEEPS   0x00000007, 0x80000480, C0_CONFIG
        .irp    select, 1, 2, 3, 4, 5, 6, 7
        READ_ONLY $16, \select
        .endr
        READ_ONLY C0_LLADDR
        KEEPS_WITHIN 0x00000fff, 0x80000000, 0, 0x1f, C0_PERFCTL0
        KEEPS_WITHIN 0x00000fff, 0, 0, 0x1f, C0_PERFCTL1
        COUNTER_KEEPS 0, 0x80000000
        COUNTER_KEEPS 1, 0
        KEEPS   0x30000000, 0, $26
        .irp    select, 0, 1, 2, 3      /* TagLo, DataLo of both caches */
        KEEPS   0xffffffff, 0, $28, \select
        .endr
        KEEPS   0xffffffff, 0, $29, 0
        KEEPS   0xffffffff, 0, $29, 1
        KEEPS   0xffffffff, 0, C0_ERROREPC

        ABSENT  4, 1, 3
        ABSENT  5, 1                    /* PageGrain: no small pages, no RI and XI */
        ABSENT  18, 0                   /* WatchLo, WatchHi: Config1.WR is clear */
        ABSENT  19, 0
        ABSENT  22, 0
        ABSENT  23, 0                   /* Debug, DEPC, DESAVE: Config1.EP is clear */
        ABSENT  24, 0
        ABSENT  27, 0
        ABSENT  31, 0, 2, 3
TEST_END
