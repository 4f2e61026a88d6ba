/* Walks for fetches, in delay slots and user mode, and for data whose entry replaces that of the code that runs: a small TLB, and a
 * loop over more pages than it has entries. simos: --set cpu.page_walker=on --set cpu.tlb_entries=16 */
/* qemu: -cpu P5600 */
#include "walker.h"
#define VA 0x00c00000                   /* code, at the same place in PAGE(0) ... */
TEST
        PREPARE_TABLES
        POKE    TABLE(0) + 3 * 4, TABLE(1)
        li      $t0, TABLE(1)           /* PTE(n) for all pages 0 to 31 ... */
        li      $t1, PTE(0, LO_RW)
        li      $t2, 32
1:      sw      $t1, 0($t0)
        li      $t3, 1 << (6 + PTEI)
        addu    $t1, $t1, $t3
        addiu   $t0, $t0, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        nop
        la      $t0, code               /* the code at 0x100 of PAGE(0), which ends with a branch in its last word; */
        li      $t1, KSEG0(PAGE_PA(0)) + 0x100
        li      $t2, (code_end - code) / 4
2:      lw      $t3, 0($t0)
        sw      $t3, 0($t1)
        synci   0($t1)
        addiu   $t0, $t0, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 2b
        addiu   $t1, $t1, 4
        la      $t0, last               /* its delay slot begins PAGE(1) */
        lw      $t3, 0($t0)
        POKE    KSEG0(PAGE_PA(0)) + 0xffc, 0
        sw      $t3, 0($at)
        synci   0($at)
        lw      $t3, 4($t0)
        POKE    KSEG0(PAGE_PA(1)), 0
        sw      $t3, 0($at)
        synci   0($at)
        sync
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        FLUSH_TLB
        li      $t5, 0
        li      $t6, 0
        li      $t7, 40                 /* rounds */
        la      $ra, back
        li      $t0, VA + 0x100
        jr      $t0
        nop
/* Sums the first words of pages 2 to 31 at VA, 40 times: the loads' walks replace the entry of this code in passing. */
code:   lui     $t0, VA >> 16
        ori     $t0, $t0, 0x2ffc        /* the last word of page 2 */
        lui     $t1, (VA >> 16) + 1
        ori     $t1, $t1, 0xfffc        /* ... of page 31 */
3:      lw      $t2, 0($t0)
        addu    $t5, $t5, $t2
        bne     $t0, $t1, 3b
        addiu   $t0, $t0, 0x1000
        addiu   $t7, $t7, -1
        bnez    $t7, 4f
        nop
        jr      $ra                     /* a walk in the delay slot of a jump */
        lw      $t6, -0x1000($t0)
4:      lui     $t0, VA >> 16
        ori     $t0, $t0, 0xffc         /* to the end of the page: the slot is in the next one */
        jr      $t0
        nop
code_end:
last:   .word   0x1000fc40              /* at 0xffc: beq $zero, $zero, 0x100 */
        addiu   $t6, $t6, 1             /* at 0x1000 */

back:   CHECK   $t5, 40 * (31 * 16 - 1)
        CHECK   $t6, 31
        CHECK_STATE S_COUNT, 0
        /* user mode: code and data of its own space, a store and a load in delay slots, and what is not its own */
        FLUSH_TLB
        la      $t0, user
        li      $t1, KSEG0(PAGE_PA(0)) + 0x200
        li      $t2, (user_end - user) / 4
5:      lw      $t3, 0($t0)
        sw      $t3, 0($t1)
        synci   0($t1)
        addiu   $t0, $t0, 4
        addiu   $t2, $t2, -1
        bnez    $t2, 5b
        addiu   $t1, $t1, 4
        sync
        RESUME_AT 6f
        li      $s6, VA + 0x200
        mtc0    $s6, C0_EPC
        SET_STATUS (ST_UM | ST_EXL)
        eret
user:   lui     $t0, VA >> 16
        ori     $t0, $t0, 0x5000
        b       7f
        sw      $t0, 4($t0)
7:      b       8f
        lw      $t1, 0x5000($t0)
8:      syscall
user_end:
6:      CHECK_STATE S_COUNT, 1
        lw      $t2, S_CAUSE($gp)
        ext     $t2, $t2, 2, 5
        CHECK   $t2, EXC_SYS
        CHECK   $t1, 10
        li      $t0, KSEG0(PAGE_PA(5)) + 4
        lw      $t1, 0($t0)
        CHECK   $t1, VA + 0x5000
        CHECK_ENTRY VA, LO(PAGE_PA(0), LO_RW), LO(PAGE_PA(1), LO_RW)
        /* a kernel address in user mode is an address error, without a walk */
        FLUSH_TLB
        POKE    TABLE(0) + 0xc00, TABLE(1)
        POKE    KSEG0(PAGE_PA(0)) + 0x200, 0x8d090000   /* lw $t1, 0($t0) */
        synci   0($at)
        sync
        li      $t0, 0xc0000000
        RESUME_AT 9f
        li      $s6, VA + 0x200
        mtc0    $s6, C0_EPC
        SET_STATUS (ST_UM | ST_EXL)
        eret
9:      lw      $t2, S_CAUSE($gp)
        ext     $t2, $t2, 2, 5
        CHECK   $t2, EXC_ADEL
        CHECK_NO_ENTRY 0xc0000000
        /* in the kernel it is walked for, also while EXL is set */
        SET_STATUS ST_EXL
        li      $t0, 0xc0002000
        lw      $t1, 0($t0)
        CHECK   $t1, 2
        SET_STATUS 0
        /* a fetch of an invalid page, and a failing walk of a fetch */
        POKE    TABLE(1) + 40 * 4, 0
        RESUME_AT 1f
        li      $t0, VA + 40 * 0x1000
        jr      $t0
        nop
1:      CHECK_EXCEPTION EXC_TLBL, VA + 40 * 0x1000
        CHECK_STATE S_VECTOR, 0x180
        RESUME_AT 1f
        li      $t0, VA + 0x400000
        jr      $t0
        nop
1:      CHECK_EXCEPTION EXC_TLBL, VA + 0x400000
        CHECK_STATE S_VECTOR, 0
TEST_END
