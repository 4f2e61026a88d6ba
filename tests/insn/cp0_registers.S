/* Identity and configuration registers of the board's processor, and scratch-like ones that keep what they are given.
 * qemu: no (another processor) */
#include "test.h"
TEST
        mfc0    $t0, C0_PRID
        CHECK   $t0, 0x0001a120
        mfc0    $t0, C0_CONFIG
        srl     $t1, $t0, 31            /* Config1 exists; release 2; TLB */
        CHECK   $t1, 1
        CHECK_BITS $t0, 7 << 10 | 7 << 7, 1 << 10 | 1 << 7
        mfc0    $t0, C0_CONFIG1
        CHECK_BITS $t0, 1, 1            /* FPU */
        CHECK_BITS $t0, 0x48, 0         /* no coprocessor 2, no watch registers */
        mfc0    $t0, C0_CONFIG3
        CHECK_BITS $t0, 1 << 5 | 1 << 13, 1 << 5 | 1 << 13      /* vectored interrupts, UserLocal */
        li      $t1, 0x89abcdef
        mtc0    $t1, C0_EPC
        ehb
        mfc0    $t0, C0_EPC
        CHECK_SAME $t0, $t1
        mtc0    $t1, C0_ERROREPC
        ehb
        mfc0    $t0, C0_ERROREPC
        CHECK_SAME $t0, $t1
        mtc0    $t1, C0_COMPARE
        ehb
        mfc0    $t0, C0_COMPARE
        CHECK_SAME $t0, $t1
        mfc0    $t0, C0_BADVADDR        /* read-only */
        mtc0    $t1, C0_BADVADDR
        ehb
        mfc0    $t2, C0_BADVADDR
        CHECK_SAME $t0, $t2
        mtc0    $t1, C0_PRID
        ehb
        mfc0    $t0, C0_PRID
        CHECK   $t0, 0x0001a120
        mtc0    $t1, C0_CONTEXT
        ehb
        mfc0    $t0, C0_CONTEXT
        CHECK_BITS $t0, 0xff80000f, 0x89800000
        li      $t1, 0xffffffff
        mtc0    $t1, C0_ENTRYHI
        ehb
        mfc0    $t0, C0_ENTRYHI
        CHECK   $t0, 0xffffe0ff
TEST_END
