/* A walk writes its entry for the present address space; tables change with PWBase; Wired entries stay, and each walk replaces one
 * entry as TLBWR does. simos: --set cpu.page_walker=on --set cpu.tlb_entries=16 */
/* qemu: no (P5600 differs in what the manual leaves open) */
#include "walker.h"
#define VA 0x00c02000
TEST
        PREPARE_TABLES
        POKE    TABLE(0) + 3 * 4, TABLE(1)
        POKE    TABLE(1) + 2 * 4, PTE(4, LO_RW)
        POKE    TABLE(2) + 3 * 4, TABLE(3)
        POKE    TABLE(3) + 2 * 4, PTE(5, LO_RW)
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        SET_ASID 1
        li      $t0, VA
        lw      $t1, 0($t0)
        CHECK   $t1, 4
        li      $t2, TABLE(2)           /* another process */
        mtc0    $t2, C0_PWBASE
        SET_ASID 2
        lw      $t1, 0($t0)
        CHECK   $t1, 5
        SET_ASID 1                      /* the entry of the first one is still there, whatever PWBase is */
        lw      $t1, 0($t0)
        CHECK   $t1, 4
        SET_ASID 2
        lw      $t1, 0($t0)
        CHECK   $t1, 5
        CHECK_ENTRY VA + 1, LO(PAGE_PA(4), LO_RW), 0
        CHECK_ENTRY VA + 2, LO(PAGE_PA(5), LO_RW), 0
        CHECK_NO_ENTRY VA
        /* 12 wired entries: 64 walks use the other four, each of them, one a walk */
        FLUSH_TLB
        li      $t0, 12
        mtc0    $t0, C0_WIRED
        li      $t0, TABLE(3)
        li      $t1, PTE(0, LO_RW)
        li      $t2, 256
1:      sw      $t1, 0($t0)
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t0, $t0, 4
        .irp    number, 0, 5, 11
        MAP     \number, 0x30000000 + (\number << 16), LO(PAGE_PA(\number), LO_RW), 0
        .endr
        SET_ASID 0
        li      $t0, 0x00c00000
        li      $t2, 64
        li      $t3, 0                  /* the entries used, by number */
2:      mfc0    $t4, C0_RANDOM
        lw      $t1, 0($t0)
        mtc0    $t0, C0_ENTRYHI
        ehb
        tlbp
        ehb
        mfc0    $t5, C0_INDEX
        CHECK_SAME $t5, $t4             /* where Random said */
        li      $t6, 1
        sllv    $t6, $t6, $t5
        or      $t3, $t3, $t6
        addiu   $t2, $t2, -1
        bnez    $t2, 2b
        addiu   $t0, $t0, 0x2000
        CHECK   $t3, 0xf000
        .irp    number, 0, 5, 11
        li      $t0, 0x30000000 + (\number << 16)
        lw      $t1, 0($t0)
        CHECK   $t1, \number
        .endr
        mtc0    $zero, C0_WIRED
        /* an entry of a larger page takes the place of those it overlaps */
        FLUSH_TLB
        SET_ASID 0
        MAP     1, 0x00c02000, LO(PAGE_PA(4), LO_RW), LO(PAGE_PA(5), LO_RW)
        SET_ASID 0
        POKE    TABLE(4) + 3 * 4, TABLE(5)
        POKE    TABLE(5), ((LO(PAGE_PA(16), LO_RW) << 6))
        POKE    TABLE(5) + 4, ((LO(PAGE_PA(20), LO_RW) << 6))
        SET_WALKER TABLE(4), PW_FIELDS(22, 12, 12, 14, 6), PW_FIELDS(10, 0, 0, 8, 0), PW_EN
        li      $t0, 0x00c01000
        lw      $t1, 0($t0)             /* pages 0 to 3 at 0x00c00000 */
        CHECK   $t1, 17
        lw      $t1, 0x1000($t0)
        CHECK   $t1, 18
        CHECK_ENTRY 0x00c02000, LO(PAGE_PA(16), LO_RW), LO(PAGE_PA(20), LO_RW), 0x6000
        CHECK_STATE S_COUNT, 0
TEST_END
