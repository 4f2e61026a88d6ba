/*
 * What every program of the R3000 suite is written with. A program is one file NAME.S, which checks one behaviour; its
 * head comment says which rule that is:
 *
 *     TEST                              begins; interrupts off, kernel mode, TLB empty, $gp = test_state
 *         addu    $t2, $t0, $t1
 *         CHECK   $t2, 5                compares, counts; a mismatch ends the program with the number of the check
 *         EXPECT  EXC_OV, add $t2, $t0, $t1
 *     TEST_END                          ends the program with status 0
 *
 * The status is 0, the number of the first check that failed, or 192 + ExcCode after an exception nobody expected.
 * Comments in a file: `simos: OPTIONS`, the options its runs need; `gxemul: no (WHY)`, a behaviour that gxemul is known
 * to have otherwise, so that the book alone is the source (docs/design/r3000-suite.md lists them).
 *
 * Macros use $at and $s7 ($s6 in RUN_USER); exceptions destroy $k0 and $k1. Code is assembled with `.set noreorder`,
 * and nothing fills a delay slot of a load: macros and programs do that themselves.
 */
#ifndef SIMOS_TESTS_R3000_TEST_H
#define SIMOS_TESTS_R3000_TEST_H

/* CP0 registers */
#define C0_INDEX     $0
#define C0_RANDOM    $1
#define C0_ENTRYLO   $2
#define C0_CONTEXT   $4
#define C0_BADVADDR  $8
#define C0_ENTRYHI   $10
#define C0_STATUS    $12
#define C0_CAUSE     $13
#define C0_EPC       $14
#define C0_PRID      $15

/* Status: the stack of three pairs KU and IE, masks, caches, coprocessors */
#define ST_IEC 0x00000001
#define ST_KUC 0x00000002
#define ST_IEP 0x00000004
#define ST_KUP 0x00000008
#define ST_IEO 0x00000010
#define ST_KUO 0x00000020
#define ST_STACK 0x0000003f
#define ST_IM(n) (0x100 << (n))
#define ST_ISC 0x00010000
#define ST_SWC 0x00020000
#define ST_CM  0x00080000
#define ST_BEV 0x00400000
#define ST_CU0 0x10000000
#define ST_CU1 0x20000000
#define ST_CU2 0x40000000
#define ST_CU3 0x80000000

/* Cause */
#define CA_IP(n) (0x100 << (n))
#define CA_BD    0x80000000

#define EXC_INT  0
#define EXC_MOD  1
#define EXC_TLBL 2
#define EXC_TLBS 3
#define EXC_ADEL 4
#define EXC_ADES 5
#define EXC_IBE  6
#define EXC_DBE  7
#define EXC_SYS  8
#define EXC_BP   9
#define EXC_RI   10
#define EXC_CPU  11
#define EXC_OV   12

/* Vectors, as offsets from 0x80000000 */
#define VECTOR_UTLB    0x00
#define VECTOR_GENERAL 0x80

/* EntryHi: page number and ASID. EntryLo: frame and flags. Index and Random hold the entry's number from bit 8 on. */
#define HI(va, asid) ((va) | ((asid) << 6))
#define LO(pa, flags) ((pa) | (flags))
#define LO_N 0x800
#define LO_D 0x400
#define LO_V 0x200
#define LO_G 0x100
#define LO_RW (LO_V | LO_D)
#define INDEX(n) ((n) << 8)
#define INDEX_P 0x80000000

/* Physical memory no program occupies: from here to 16 MB. */
#define FREE_PA      0x00400000
/* Physical address where nothing is. */
#define NOWHERE      0x15000000
#define KSEG0(pa)    (0x80000000 + (pa))
#define KSEG1(pa)    (0xa0000000 + (pa))
#define KSEG2        0xc0000000

#include "../insn/check.h"

#ifdef __ASSEMBLER__
/* Time for what mtc0 wrote to take effect: longer than any hazard of the book's table. */
.macro SETTLE
        nop
        nop
        nop
        nop
.endm
.macro LOAD_SLOT
        nop
.endm

/* The word at address OFFSET(BASE). */
.macro CHECK_WORD offset, base, value:vararg
        lw      $s7, \offset(\base)
        nop
        CHECK   $s7, \value
.endm

/* The word at $gp + OFFSET, left there by the handler; and some of its bits. */
.macro CHECK_STATE offset, value:vararg
        CHECK_WORD \offset, $gp, \value
.endm
.macro CHECK_STATE_BITS offset, mask, value:vararg
        lw      $s7, \offset($gp)
        li      $at, \mask
        and     $s7, $s7, $at
        CHECK   $s7, \value
.endm

/* A CP0 register, and some of its bits. */
.macro CHECK_CP0 register, value:vararg
        mfc0    $s7, \register
        nop
        CHECK   $s7, \value
.endm
.macro CHECK_CP0_BITS register, mask, value:vararg
        mfc0    $s7, \register
        li      $at, \mask
        and     $s7, $s7, $at
        CHECK   $s7, \value
.endm

.macro SET_CP0 register, value:vararg
        li      $at, \value
        mtc0    $at, \register
        SETTLE
.endm

/* What the last exception was: its code, the address in EPC, whether Cause.BD was set. */
.macro CHECK_EXCEPTION code, epc, bd=0
        CHECK_STATE_BITS S_CAUSE, 0x7c, \code << 2
        CHECK_STATE S_EPC, \epc
        CHECK_STATE_BITS S_CAUSE, CA_BD, \bd << 31
.endm

/* INSN raises CODE for the address VA, through VECTOR: also what BadVAddr says. */
.macro EXPECT_AT code, vector, va, insn:vararg
        EXPECT  \code, \insn
        CHECK_STATE S_VECTOR, \vector
        CHECK_STATE S_BADVADDR, \va
.endm

/* CpU for INSN, which names coprocessor UNIT. */
.macro EXPECT_UNUSABLE unit, insn:vararg
        EXPECT  EXC_CPU, \insn
        CHECK_STATE_BITS S_CAUSE, 0x30000000, \unit << 28
.endm

/* A hook, to which $k1 is free, returns to EPC + SKIP. */
.macro HOOK_RETURN skip=0
        lw      $k0, S_EPC($k0)
        nop
        addiu   $k0, $k0, \skip
        jr      $k0
        rfe
.endm

/* One TLB entry. */
.macro MAP index, hi, lo
        li      $at, \hi
        mtc0    $at, C0_ENTRYHI
        li      $at, \lo
        mtc0    $at, C0_ENTRYLO
        li      $at, INDEX(\index)
        mtc0    $at, C0_INDEX
        SETTLE
        tlbwi
        SETTLE
.endm
.macro UNMAP index
        MAP     \index, 0x80000000 + ((\index) << 12), 0
.endm
.macro SET_ASID asid
        SET_CP0 C0_ENTRYHI, (\asid) << 6
.endm
/* EntryHi.ASID = 0, EntryHi and EntryLo as they were written, Index with INDEX. */
.macro READ_TLB index
        SET_CP0 C0_INDEX, INDEX(\index)
        SET_CP0 C0_ENTRYHI, 0
        SET_CP0 C0_ENTRYLO, 0
        tlbr
        SETTLE
.endm

/* The program's first sixteen pages at the user addresses of the same numbers, for every ASID: TLB entries 40 to 55. */
.macro MAP_PROGRAM
        la      $at, test_start - 0x80000000
        li      $s7, INDEX(40)
.Lmap\@:
        mtc0    $s7, C0_INDEX
        mtc0    $at, C0_ENTRYHI
        ori     $at, $at, LO_V | LO_D | LO_G
        mtc0    $at, C0_ENTRYLO
        SETTLE
        tlbwi
        SETTLE
        addiu   $at, $at, 0x1000 - (LO_V | LO_D | LO_G)
        addiu   $s7, $s7, INDEX(1)
        slti    $k0, $s7, INDEX(56)
        bnez    $k0, .Lmap\@
        nop
        mtc0    $zero, C0_ENTRYHI
        SETTLE
.endm
/* Address of LABEL of the program in user space. */
#define USER(label) ((label) - 0x80000000)

/* Runs LABEL in user mode, with further STATUS bits, until an exception. Needs MAP_PROGRAM. */
.macro RUN_USER label, status=0
        RESUME_AT .Lresume\@
        la      $s6, \label - 0x80000000
        SET_CP0 C0_STATUS, ST_KUP | (\status)
        jr      $s6
        rfe
.Lresume\@:
.endm

/* Code for the place FREE_PA + OFFSET, written uncached, as no fetch has seen it. */
.macro PUT_CODE offset, word
        li      $at, KSEG1(FREE_PA) + (\offset)
        li      $s7, \word
        sw      $s7, 0($at)
.endm
#define CODE_NOP    0x00000000
#define CODE_JR_RA  0x03e00008
#endif

#endif
