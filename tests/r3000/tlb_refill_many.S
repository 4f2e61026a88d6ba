/* 256 pages under the refill handler of 8 instructions with a table in kseg0, as a kernel would have it: four rounds of
 * stores and loads over all of them, each page with a frame of its own; far more than the 64 entries, so that tlbwr has
 * thrown out most pages before they come again. */
#include "test.h"
#define PAGES  256
#define TABLE  0x80600000               /* of 2 MB, as Context wants it */
#define FIRST  0x00100000
TEST
        la      $t0, utlb
        li      $t1, KSEG1(0)
        li      $t2, 8
1:      lw      $t3, 0($t0)
        addiu   $t0, $t0, 4
        sw      $t3, 0($t1)
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t1, $t1, 4
        li      $t0, TABLE + ((FIRST >> 12) << 2)
        li      $t1, LO(FREE_PA, LO_RW)
        li      $t2, PAGES
2:      sw      $t1, 0($t0)
        addiu   $t0, $t0, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 2b
        addiu   $t1, $t1, 0x1000
        SET_CP0 C0_CONTEXT, TABLE
        SET_CP0 C0_ENTRYHI, 0
        li      $s0, 4                  /* rounds */
        li      $s3, 0                  /* misses */
3:      li      $t0, FIRST
        li      $t2, PAGES
4:      addu    $t3, $t0, $s0
        sw      $t3, 0x10($t0)
        sw      $t3, 0x30($t0)
        addiu   $t2, $t2, -1
        bnez    $t2, 4b
        addiu   $t0, $t0, 0x1000
        li      $t0, FIRST
        li      $t2, PAGES
5:      addu    $t3, $t0, $s0
        lw      $t4, 0x10($t0)
        lw      $t5, 0x30($t0)
        addiu   $t2, $t2, -1
        CHECK_SAME $t4, $t3
        CHECK_SAME $t5, $t3
        bnez    $t2, 5b
        addiu   $t0, $t0, 0x1000
        addiu   $s0, $s0, -1
        bnez    $s0, 3b
        nop
        CHECK_STATE S_COUNT, 0
        slti    $t0, $s3, 8 * (PAGES - 56)      /* at least those that cannot have stayed */
        CHECK   $t0, 0
        slti    $t0, $s3, 8 * PAGES + 1         /* at most one miss a page and pass */
        CHECK   $t0, 1
        li      $t0, KSEG0(FREE_PA)     /* each page in its frame */
        li      $t1, FIRST + 1
        li      $t2, PAGES
6:      lw      $t3, 0x10($t0)
        addiu   $t2, $t2, -1
        CHECK_SAME $t3, $t1
        addiu   $t0, $t0, 0x1000
        bnez    $t2, 6b
        addiu   $t1, $t1, 0x1000
        b       9f
        nop
utlb:   mfc0    $k0, C0_CONTEXT
        mfc0    $k1, C0_EPC
        lw      $k0, 0($k0)
        addiu   $s3, $s3, 1
        mtc0    $k0, C0_ENTRYLO
        tlbwr
        jr      $k1
        rfe
9:
TEST_END
