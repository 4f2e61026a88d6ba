/*
 * What the programs of the page-table walker (cpu.page_walker) are written with. Tables and pages are in free memory:
 * TABLE(n) is a page for a table, PAGE(n) one with the word n at its start and end.
 */
#ifndef SIMOS_TESTS_INSN_WALKER_H
#define SIMOS_TESTS_INSN_WALKER_H

#include "test.h"

#define C0_PWBASE  $5, 5
#define C0_PWFIELD $5, 6
#define C0_PWSIZE  $5, 7
#define C0_PWCTL   $6, 6

#define CONFIG3_PW 0x01000000

#define PW_EN      0x80000000
#define PW_DPH     0x80
#define PW_HUGEPG  0x40

/* PWField and PWSize: of the global, upper and middle directory, the page table, and the PTE. */
#define PW_FIELDS(g, u, m, t, e) ((g) << 24 | (u) << 18 | (m) << 12 | (t) << 6 | (e))
/* Two levels as Linux has them: 2^10 entries each, 4 KB pages, 6 bits of software. */
#define FIELD_2    PW_FIELDS(22, 12, 12, 12, 6)
#define SIZE_2     PW_FIELDS(10, 0, 0, 10, 0)
#define PTEI       6

#define TABLE_PA(n) (FREE_PA + 0x100000 + 0x1000 * (n))
#define TABLE(n)    KSEG0(TABLE_PA(n))
#define PAGE_PA(n)  (FREE_PA + 0x200000 + 0x1000 * (n))

/* PTE of PAGE(n) with software bits that must be shifted out. The last two become RI and XI, which QEMU's P5600 has. */
#ifdef QEMU
#define PTE(n, flags) ((LO(PAGE_PA(n), flags) << PTEI) | 0x0f)
#else
#define PTE(n, flags) ((LO(PAGE_PA(n), flags) << PTEI) | 0x3f)
#endif

#ifdef __ASSEMBLER__
.macro POKE address, value:vararg
        li      $at, \address
        li      $s7, \value
        sw      $s7, 0($at)
.endm

/* Empty tables 0 to 15; pages 0 to 31 with their numbers. */
.macro PREPARE_TABLES
        li      $t8, TABLE(0)
        li      $t9, TABLE(16)
.Ltable\@:
        sw      $zero, 0($t8)
        addiu   $t8, $t8, 4
        bne     $t8, $t9, .Ltable\@
        nop
        li      $t8, KSEG0(PAGE_PA(0))
        li      $t9, 0
.Lpage\@:
        sw      $t9, 0($t8)
        sw      $t9, 0xffc($t8)
        addiu   $t9, $t9, 1
        slti    $at, $t9, 32
        bnez    $at, .Lpage\@
        addiu   $t8, $t8, 0x1000
.endm

.macro SET_WALKER base, field, size, control
        li      $at, \base
        mtc0    $at, C0_PWBASE
        li      $at, \field
        mtc0    $at, C0_PWFIELD
        li      $at, \size
        mtc0    $at, C0_PWSIZE
        li      $at, \control
        mtc0    $at, C0_PWCTL
        ehb
.endm

/* No entry of the TLB is used any more. */
.macro FLUSH_TLB
        LAST_ENTRY $t8
        li      $t9, 0x80000000
        mtc0    $zero, C0_PAGEMASK
.Lflush\@:
        mtc0    $t9, C0_ENTRYHI
        mtc0    $zero, C0_ENTRYLO0
        mtc0    $zero, C0_ENTRYLO1
        mtc0    $t8, C0_INDEX
        ehb
        tlbwi
        addiu   $t9, $t9, 0x2000
        bnez    $t8, .Lflush\@
        addiu   $t8, $t8, -1
        mtc0    $zero, C0_ENTRYHI
        ehb
.endm

/* The TLB has an entry for ADDRESS with these EntryLo0, EntryLo1 and PageMask; its number is in $t8. */
.macro CHECK_ENTRY address, lo0, lo1, mask=0
        li      $at, \address
        mtc0    $at, C0_ENTRYHI
        ehb
        tlbp
        ehb
        mfc0    $t8, C0_INDEX
        tlbr
        ehb
        mfc0    $t9, C0_ENTRYLO0
        CHECK   $t9, \lo0
        mfc0    $t9, C0_ENTRYLO1
        CHECK   $t9, \lo1
        mfc0    $t9, C0_PAGEMASK
        CHECK   $t9, \mask
        mtc0    $zero, C0_PAGEMASK
        mtc0    $zero, C0_ENTRYHI
        ehb
        srl     $t9, $t8, 31
        CHECK   $t9, 0
.endm

/* The TLB has no entry for ADDRESS, in address space 0. */
.macro CHECK_NO_ENTRY address
        li      $at, \address
        mtc0    $at, C0_ENTRYHI
        ehb
        tlbp
        ehb
        mfc0    $t8, C0_INDEX
        srl     $t8, $t8, 31
        CHECK   $t8, 1
        mtc0    $zero, C0_ENTRYHI
        ehb
.endm

/* Loading from ADDRESS raises a TLB refill exception: the walk has found nothing. */
.macro EXPECT_REFILL address
        li      $t8, \address
        EXPECT  EXC_TLBL, lw $t9, 0($t8)
        CHECK_STATE S_VECTOR, 0
        CHECK_STATE S_BADVADDR, \address
        CHECK_NO_ENTRY \address
.endm
#endif

#endif
