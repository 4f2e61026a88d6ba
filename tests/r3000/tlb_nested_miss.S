/* The refill of a linear page table in kseg2: the UTLB handler loads the entry by Context; when the page of the table
 * itself is missing, that load goes through the general vector (TLBL, EPC in the UTLB handler). Its handler maps the
 * table's page and returns to where the first miss was, with Status popped twice; the access misses again, and the UTLB
 * handler succeeds. */
#include "test.h"
#define TABLE 0xc0000000
#define PAGE  0x00700000
#define ENTRY (TABLE + 0x1c00)          /* of PAGE: its number times 4 */
TEST
        la      $t0, utlb               /* the handler, in place of the suite's */
        li      $t1, KSEG1(0)
        li      $t2, 11
1:      lw      $t3, 0($t0)
        addiu   $t0, $t0, 4
        sw      $t3, 0($t1)
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t1, $t1, 4
        li      $t0, KSEG1(FREE_PA)     /* the table's page, and the page */
        li      $t1, LO(FREE_PA + 0x1000, LO_RW)
        sw      $t1, 0xc00($t0)
        li      $t1, 0x77
        sw      $t1, 0x1008($t0)
        HOOK    second
        SET_CP0 C0_CONTEXT, TABLE
        SET_CP0 C0_STATUS, ST_IEC
        SET_CP0 C0_ENTRYHI, 0
        li      $t0, PAGE
        li      $s3, 0
fault:  lw      $t1, 8($t0)
        nop
        mfc0    $t2, C0_STATUS
        nop
        SET_CP0 C0_STATUS, 0
        UNHOOK
        CHECK   $t1, 0x77
        CHECK_BITS $t2, ST_KUC | ST_IEC, ST_IEC
        CHECK   $s2, fault
        CHECK   $s3, 2                  /* the UTLB handler ran twice, the other once */
        CHECK_STATE S_COUNT, 1
        CHECK_STATE S_EPC, KSEG0(12)
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK_STATE S_BADVADDR, ENTRY
        CHECK_STATE S_ENTRYHI, ENTRY & ~0xfff
        CHECK_STATE_BITS S_CAUSE, 0x7c, EXC_TLBL << 2
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_IEO
        b       9f
        nop

utlb:   mfc0    $k0, C0_CONTEXT
        mfc0    $s2, C0_EPC
        addiu   $s3, $s3, 1
        lw      $k0, 0($k0)             /* at 12 */
        nop
        mtc0    $k0, C0_ENTRYLO
        nop
        nop
        tlbwr
        jr      $s2
        rfe

second: li      $k1, ENTRY & ~0xfff
        mtc0    $k1, C0_ENTRYHI
        li      $k1, LO(FREE_PA, LO_RW | LO_G)
        mtc0    $k1, C0_ENTRYLO
        li      $k1, INDEX(0)
        mtc0    $k1, C0_INDEX
        SETTLE
        tlbwi
        SETTLE
        rfe                             /* pops the second exception */
        SETTLE
        jr      $s2
        rfe                             /* and the first */
9:
TEST_END
