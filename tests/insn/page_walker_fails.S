/* A walk that cannot go on is a refill exception: the walker off or without a directory, and tables that are not aligned, mapped,
 * devices, themselves, or beyond memory. simos: --set cpu.page_walker=on */
/* qemu: no (P5600 differs in what the manual leaves open) */
#include "walker.h"
#define VA 0x00c00000
        .macro  POINTS_TO address
        POKE    TABLE(0) + 3 * 4, \address
        EXPECT_REFILL VA
        .endm
TEST
        PREPARE_TABLES
        POKE    TABLE(0) + 3 * 4, TABLE(1)
        POKE    TABLE(1), PTE(4, LO_RW)
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, 0         /* as the kernel has it while it changes tables */
        EXPECT_REFILL VA
        SET_WALKER TABLE(0), FIELD_2, PW_FIELDS(0, 0, 0, 10, 0), PW_EN
        EXPECT_REFILL VA
        SET_WALKER TABLE(0), FIELD_2, PW_FIELDS(10, 0, 0, 10, 2), PW_EN
        EXPECT_REFILL VA
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        .irp    pointer, 0, 2, 0x00001000, 0xc0001000, 0x7ffff000, 0xfffff000
        POINTS_TO \pointer
        .endr
        .irp    offset, 1, 2, 3
        POINTS_TO TABLE(1) + \offset
        .endr
        POINTS_TO KSEG0(0x18000000)     /* the console's registers, and the GIC's */
        POINTS_TO KSEG1(0x18000000)
        POINTS_TO GIC_KSEG1
        POINTS_TO KSEG0(0x10000000)     /* nothing is there */
        POINTS_TO KSEG1(0x1ffff000)
        /* the directory itself as the page table: its entries are PTEs of no valid page, or pointers */
        POKE    TABLE(0) + 3 * 4, TABLE(0)
        FLUSH_TLB
        li      $t0, VA
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_STATE S_VECTOR, 0x180
        FLUSH_TLB
        /* PWBase itself */
        .irp    base, 0, 1, TABLE(0) + 2, KSEG0(0x18000000), KSEG0(0x1fffffff), 0xffffffff
        SET_WALKER \base, FIELD_2, SIZE_2, PW_EN
        EXPECT_REFILL VA
        .endr
        /* uncached tables work */
        POKE    KSEG1(TABLE_PA(2)) + 3 * 4, KSEG1(TABLE_PA(3))
        POKE    KSEG1(TABLE_PA(3)), PTE(5, LO_RW)
        SET_WALKER KSEG1(TABLE_PA(2)), FIELD_2, SIZE_2, PW_EN
        li      $t0, VA
        lw      $t1, 0($t0)
        CHECK   $t1, 5
        /* the last pair of a table, at the end of its page */
        FLUSH_TLB
        POKE    TABLE(5) + 0xffc, TABLE(6)
        POKE    TABLE(6) + 0xffc, PTE(6, LO_RW)
        SET_WALKER TABLE(5), FIELD_2, SIZE_2, PW_EN
        li      $t0, 0xfffff000
        lw      $t1, 0($t0)
        CHECK   $t1, 6
TEST_END
