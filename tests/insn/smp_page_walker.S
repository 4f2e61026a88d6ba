/* A processor walks page tables that another one changes: each walk finds an entry that was there, and none that is older than
 * the one before it. simos: --cpus 2 --set machine.quantum=7 --set cpu.page_walker=on */
/* qemu: no */
#include "walker.h"
#define VA 0x00c02000
#define TURNS 4000
TEST
        PREPARE_TABLES
        POKE    TABLE(0) + 3 * 4, TABLE(1)
        POKE    TABLE(1) + 2 * 4, PTE(0, LO_RW)
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        FLUSH_TLB
        START_OTHER 1
        li      $t0, VA
        li      $t2, 0                  /* the last turn that was seen */
        li      $t3, 0                  /* how often it was another one */
1:      mtc0    $t0, C0_ENTRYHI         /* no entry */
        ehb
        tlbp
        ehb
        mfc0    $t4, C0_INDEX
        bltz    $t4, 2f
        nop
        sll     $t4, $t4, 13
        li      $t5, 0x80000000
        or      $t4, $t4, $t5
        mtc0    $t4, C0_ENTRYHI
        ehb
        tlbwi
2:      mtc0    $zero, C0_ENTRYHI
        ehb
        lw      $t1, 0($t0)
        addiu   $t4, $t1, 1             /* a page's turn may be written 16 turns later before the PTE of the 15th is */
        sltu    $t4, $t4, $t2
        CHECK   $t4, 0
        xor     $t4, $t1, $t2
        sltu    $t4, $zero, $t4
        addu    $t3, $t3, $t4
        move    $t2, $t1
        li      $t4, TURNS
        bne     $t1, $t4, 1b
        nop
        sltiu   $t4, $t3, 16            /* they did meet */
        CHECK   $t4, 0
TEST_END

/* In turn i page i % 16 gets the number i, and then its PTE. */
        .globl  test_other
test_other:
        li      $t0, TABLE(1) + 2 * 4
        li      $t1, 1
1:      andi    $t2, $t1, 15
        sll     $t3, $t2, 12
        li      $t4, KSEG0(PAGE_PA(0))
        addu    $t4, $t4, $t3
        sw      $t1, 0($t4)
        sync
        li      $t4, PTE(0, LO_RW)      /* a PTE has its page's address from bit 12 on, and EntryLo's flags from bit 6 on */
        addu    $t4, $t4, $t3
        sw      $t4, 0($t0)
        sync
        li      $t4, 30
2:      bnez    $t4, 2b
        addiu   $t4, $t4, -1
        addiu   $t1, $t1, 1
        li      $t4, TURNS + 1
        bne     $t1, $t4, 1b
        nop
3:      b       3b
        nop
