/* Huge pages in directories: adjacent halves of one entry, pairs of two entries, and what is needed for them.
 * simos: --set cpu.page_walker=on */
/* qemu: no (P5600 differs in what the manual leaves open) */
#include "walker.h"
#define HUGE_BIT 3
#define HUGE(n, flags) PTE(n, flags)    /* its software bits have HUGE_BIT set */
        .macro  FINDS address, number
        FLUSH_TLB
        li      $t0, \address
        lw      $t1, 0($t0)
        CHECK   $t1, \number
        .endm
TEST
        PREPARE_TABLES
        /* An odd index, 13 in the middle directory: two halves of 4 KB, one after the other (pages 16 and 17). */
        POKE    TABLE(0) + 3 * 4, HUGE(16, LO_RW)
        SET_WALKER TABLE(0), PW_FIELDS(22, 20, 13, 12, 6), PW_FIELDS(0, 0, 8, 1, 0), (PW_EN | PW_HUGEPG | HUGE_BIT)
        FINDS   0x00006000, 16
        FINDS   0x00007000, 17
        CHECK_ENTRY 0x00006000, LO(PAGE_PA(16), LO_RW), LO(PAGE_PA(17), LO_RW)
        /* 15: two halves of 16 KB, pages 16 to 19 and 20 to 23. */
        SET_WALKER TABLE(0), PW_FIELDS(22, 20, 15, 12, 6), PW_FIELDS(0, 0, 8, 1, 0), (PW_EN | PW_HUGEPG | HUGE_BIT)
        FINDS   0x0001d000, 21
        FINDS   0x00018000, 16
        CHECK_ENTRY 0x00018000, LO(PAGE_PA(16), LO_RW), LO(PAGE_PA(20), LO_RW), 0x6000
        /* the same in the upper and the global directory */
        SET_WALKER TABLE(0), PW_FIELDS(22, 15, 12, 12, 6), PW_FIELDS(0, 8, 0, 1, 0), (PW_EN | PW_HUGEPG | HUGE_BIT)
        FINDS   0x0001d000, 21
        SET_WALKER TABLE(0), PW_FIELDS(15, 12, 12, 12, 6), PW_FIELDS(8, 0, 0, 1, 0), (PW_EN | PW_HUGEPG | HUGE_BIT)
        FINDS   0x0001d000, 21
        /* an even index: 14, pages of 16 KB in two entries of the directory; only with DPH */
        POKE    TABLE(1) + 6 * 4, HUGE(16, LO_RW)
        POKE    TABLE(1) + 7 * 4, HUGE(24, LO_V)
        SET_WALKER TABLE(1), PW_FIELDS(22, 20, 14, 12, 6), PW_FIELDS(0, 0, 8, 1, 0), (PW_EN | PW_DPH | PW_HUGEPG | HUGE_BIT)
        FINDS   0x0001d000, 25          /* through the odd entry */
        CHECK_ENTRY 0x00018000, LO(PAGE_PA(16), LO_RW), LO(PAGE_PA(24), LO_V), 0x6000
        FINDS   0x00019000, 17          /* through the even one */
        CHECK_ENTRY 0x00018000, LO(PAGE_PA(16), LO_RW), LO(PAGE_PA(24), LO_V), 0x6000
        li      $t0, 0x0001d000
        EXPECT  EXC_MOD, sw $t1, 0($t0)
        /* the second entry is taken as it is */
        POKE    TABLE(1) + 7 * 4, 0
        FINDS   0x00019000, 17
        li      $t0, 0x0001d000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_STATE S_VECTOR, 0x180
        POKE    TABLE(1) + 7 * 4, HUGE(24, LO_V)
        FLUSH_TLB
        SET_WALKER TABLE(1), PW_FIELDS(22, 20, 14, 12, 6), PW_FIELDS(0, 0, 8, 1, 0), (PW_EN | PW_HUGEPG | HUGE_BIT)
        EXPECT_REFILL 0x00019000
        /* DPH alone does nothing: the entry is a pointer, not aligned */
        SET_WALKER TABLE(1), PW_FIELDS(22, 20, 14, 12, 6), PW_FIELDS(0, 0, 8, 1, 0), (PW_EN | PW_DPH | HUGE_BIT)
        EXPECT_REFILL 0x00019000
        /* 4 MB, as Linux would have them: global directory, index 22 */
        POKE    TABLE(2) + 2 * 4, ((LO(0, LO_RW) << 6) | 0x08)
        POKE    TABLE(2) + 3 * 4, ((LO(FREE_PA, LO_RW) << 6) | 0x08)
        SET_WALKER TABLE(2), FIELD_2, SIZE_2, (PW_EN | PW_DPH | PW_HUGEPG | HUGE_BIT)
        FINDS   0x00c00000 + PAGE_PA(19) - FREE_PA, 19
        CHECK_ENTRY 0x00800000, LO(0, LO_RW), LO(FREE_PA, LO_RW), 0x7fe000
        /* PSn is the number of the bit: the same entries are pointers by another one */
        FLUSH_TLB
        POKE    TABLE(2) + 3 * 4, TABLE(3)
        POKE    TABLE(3), PTE(9, LO_RW)
        FINDS   0x00c00000, 9
        .irp    bit, 0, 1, 5, 7, 12
        POKE    TABLE(4) + 4, ((LO(PAGE_PA(16), LO_RW) << 6) | 1 << \bit)
        SET_WALKER TABLE(4), PW_FIELDS(13, 20, 14, 12, 6), PW_FIELDS(8, 0, 0, 1, 0), (PW_EN | PW_HUGEPG | \bit)
        FINDS   0x00002000, 16
        .endr
        SET_WALKER TABLE(4), PW_FIELDS(13, 20, 14, 12, 6), PW_FIELDS(8, 0, 0, 1, 0), (PW_EN | PW_HUGEPG | 63)
        FLUSH_TLB
        EXPECT_REFILL 0x00002000
TEST_END
