/* Every bit of PWBase, PWField, PWSize and PWCtl. simos: --set cpu.page_walker=on */
/* qemu: no (P5600 differs in what the manual leaves open) */
#include "walker.h"
        .macro  WRITES reg, select, value, expected
        li      $t0, \value
        mtc0    $t0, \reg, \select
        ehb
        mfc0    $t0, \reg, \select
        CHECK   $t0, \expected
        .endm
TEST
        mfc0    $t0, C0_CONFIG3
        li      $t1, CONFIG3_PW
        and     $t0, $t0, $t1
        CHECK   $t0, CONFIG3_PW
        mfc0    $t0, C0_PWBASE          /* reset: indices from bit 12, a page table of one pair, off */
        CHECK   $t0, 0
        mfc0    $t0, C0_PWFIELD
        CHECK   $t0, PW_FIELDS(12, 12, 12, 12, 2)
        mfc0    $t0, C0_PWSIZE
        CHECK   $t0, PW_FIELDS(0, 0, 0, 1, 0)
        mfc0    $t0, C0_PWCTL
        CHECK   $t0, 0

        .irp    bit, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 30, 31
        WRITES  C0_PWBASE, (1 << \bit), (1 << \bit)
        .endr
        WRITES  C0_PWBASE, 0xffffffff, 0xffffffff
        WRITES  C0_PWBASE, 0, 0

        li      $t2, 1                  /* PWSize: bits 29:0, one by one */
        li      $t3, 32
1:      mtc0    $t2, C0_PWSIZE
        li      $t1, 0x3fffffff
        and     $t1, $t1, $t2
        ehb
        mfc0    $t0, C0_PWSIZE
        CHECK_SAME $t0, $t1
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        sll     $t2, $t2, 1
        WRITES  C0_PWSIZE, 0xffffffff, 0x3fffffff
        WRITES  C0_PWSIZE, 0, 0

        li      $t2, 1                  /* PWCtl: PWEn, DPH, HugePg, PSn */
        li      $t3, 32
1:      mtc0    $t2, C0_PWCTL
        li      $t1, 0x800000ff
        and     $t1, $t1, $t2
        ehb
        mfc0    $t0, C0_PWCTL
        CHECK_SAME $t0, $t1
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        sll     $t2, $t2, 1
        WRITES  C0_PWCTL, 0xffffffff, 0x800000ff
        WRITES  C0_PWCTL, 0, 0

        li      $t2, 1                  /* PWField: bits 29:6 beside indices of 12 */
        li      $t3, 32
1:      li      $t1, PW_FIELDS(12, 12, 12, 12, 2)
        or      $t0, $t1, $t2
        mtc0    $t0, C0_PWFIELD
        ehb
        mfc0    $t1, C0_PWFIELD
        sll     $t0, $t0, 2
        srl     $t0, $t0, 8
        sll     $t1, $t1, 2
        srl     $t1, $t1, 8
        CHECK_SAME $t1, $t0
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        sll     $t2, $t2, 1
        WRITES  C0_PWFIELD, 0xfffffffe, PW_FIELDS(63, 63, 63, 63, 0)
        /* PTEI: 0 and 2 to 31 are available, all others are written as 0 */
        li      $t2, 0
1:      li      $t1, PW_FIELDS(22, 18, 14, 13, 0)
        or      $t0, $t1, $t2
        mtc0    $t0, C0_PWFIELD
        addiu   $t3, $t2, -2
        sltiu   $t3, $t3, 30            /* 1: available */
        movn    $t1, $t0, $t3
        ehb
        mfc0    $t0, C0_PWFIELD
        CHECK_SAME $t0, $t1
        addiu   $t2, $t2, 1
        slti    $t3, $t2, 64
        bnez    $t3, 1b
        nop
        /* an index below 12 makes the whole write have no effect */
        WRITES  C0_PWFIELD, PW_FIELDS(22, 18, 14, 13, 6), PW_FIELDS(22, 18, 14, 13, 6)
        WRITES  C0_PWFIELD, PW_FIELDS(11, 20, 20, 20, 7), PW_FIELDS(22, 18, 14, 13, 6)
        WRITES  C0_PWFIELD, PW_FIELDS(20, 11, 20, 20, 7), PW_FIELDS(22, 18, 14, 13, 6)
        WRITES  C0_PWFIELD, PW_FIELDS(20, 20, 11, 20, 7), PW_FIELDS(22, 18, 14, 13, 6)
        WRITES  C0_PWFIELD, PW_FIELDS(20, 20, 20, 11, 7), PW_FIELDS(22, 18, 14, 13, 6)
        WRITES  C0_PWFIELD, 0, PW_FIELDS(22, 18, 14, 13, 6)
        WRITES  C0_PWFIELD, PW_FIELDS(12, 12, 12, 12, 7), PW_FIELDS(12, 12, 12, 12, 7)
        CHECK_STATE S_COUNT, 0
TEST_END
