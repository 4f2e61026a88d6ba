/* A TLB of more than 64 entries: Config1 and Config4 describe it (MIPS32 PRA, MMUSize and MMUSizeExt), Index and Wired have
 * enough bits, and every entry is found, read and written under its number; a number behind the last one is none.
 * qemu: no (another processor)
 * simos: --set cpu.tlb_entries=300 */
#include "test.h"
#define LAST 299
TEST
        mfc0    $t0, C0_CONFIG1
        ext     $t0, $t0, 25, 6
        CHECK   $t0, LAST & 63
        mfc0    $t0, C0_CONFIG4
        ext     $t1, $t0, 14, 2
        CHECK   $t1, 1
        ext     $t1, $t0, 0, 8
        CHECK   $t1, LAST >> 6
        LAST_ENTRY $s0
        CHECK   $s0, LAST
        li      $t0, -1
        mtc0    $t0, C0_INDEX
        ehb
        mfc0    $t0, C0_INDEX
        CHECK_BITS $t0, 0x7fffffff, 511

        li      $t0, LAST               /* entry N maps 0x10000000 + N * 0x2000 */
        mtc0    $zero, C0_PAGEMASK
1:      mtc0    $t0, C0_INDEX
        sll     $t1, $t0, 13
        lui     $t2, 0x1000
        or      $t1, $t1, $t2
        mtc0    $t1, C0_ENTRYHI
        sll     $t2, $t0, 7
        ori     $t2, $t2, LO_RW
        mtc0    $t2, C0_ENTRYLO0
        mtc0    $zero, C0_ENTRYLO1
        ehb
        tlbwi
        bnez    $t0, 1b
        addiu   $t0, $t0, -1

        li      $s1, LAST
2:      sll     $t1, $s1, 13
        lui     $t2, 0x1000
        or      $s2, $t1, $t2
        mtc0    $s2, C0_ENTRYHI
        mtc0    $zero, C0_ENTRYLO0
        ehb
        tlbp
        ehb
        mfc0    $t0, C0_INDEX
        CHECK_SAME $t0, $s1
        tlbr
        ehb
        mfc0    $t0, C0_ENTRYHI
        CHECK_SAME $t0, $s2
        mfc0    $t0, C0_ENTRYLO0
        sll     $t1, $s1, 7
        ori     $t1, $t1, LO_RW
        CHECK_SAME $t0, $t1
        bnez    $s1, 2b
        addiu   $s1, $s1, -1

        li      $t0, LAST + 1           /* no entry: the write does nothing */
        mtc0    $t0, C0_INDEX
        li      $t0, 0x30000000
        mtc0    $t0, C0_ENTRYHI
        ehb
        tlbwi
        ehb
        tlbp
        ehb
        mfc0    $t0, C0_INDEX
        CHECK_BITS $t0, 0x80000000, 0x80000000
TEST_END
