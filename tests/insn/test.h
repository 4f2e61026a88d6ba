/*
 * What every test program is written with. A program is one file NAME.S:
 *
 *     TEST                              begins; interrupts off, kernel mode, TLB empty, $gp = test_state
 *         addu $t2, $t0, $t1
 *         CHECK $t2, 5                  compares, counts; a mismatch ends the program with the number of the check
 *         EXPECT EXC_OV, add $t2, $t0, $t1
 *     TEST_END                          ends the program with status 0
 *
 * The exit status is 0, the number of the first check that failed, or 192 + ExcCode after an exception nobody expected.
 * A comment `simos: OPTIONS` in a file gives the options its runs need; `qemu: no` says that the behaviour is the
 * board's or this processor's own, so that QEMU is no oracle for it.
 *
 * With `--cpus N` the others start by START_OTHER and run from the label test_other.
 *
 * Macros use $at and $s7 ($s6 in USER); exceptions destroy $k0 and $k1. Code is assembled with `.set noreorder`.
 */
#ifndef SIMOS_TESTS_INSN_TEST_H
#define SIMOS_TESTS_INSN_TEST_H

/* CP0 registers */
#define C0_INDEX     $0
#define C0_RANDOM    $1
#define C0_ENTRYLO0  $2
#define C0_ENTRYLO1  $3
#define C0_CONTEXT   $4
#define C0_USERLOCAL $4, 2
#define C0_PAGEMASK  $5
#define C0_WIRED     $6
#define C0_HWRENA    $7
#define C0_BADVADDR  $8
#define C0_COUNT     $9
#define C0_ENTRYHI   $10
#define C0_COMPARE   $11
#define C0_STATUS    $12
#define C0_INTCTL    $12, 1
#define C0_CAUSE     $13
#define C0_EPC       $14
#define C0_PRID      $15
#define C0_EBASE     $15, 1
#define C0_CONFIG    $16
#define C0_CONFIG1   $16, 1
#define C0_CONFIG3   $16, 3
#define C0_CONFIG4   $16, 4
#define C0_LLADDR    $17
#define C0_WATCHLO(n) $18, n
#define C0_WATCHHI(n) $19, n
#define C0_PERFCTL0  $25
#define C0_PERFCNT0  $25, 1
#define C0_PERFCTL1  $25, 2
#define C0_PERFCNT1  $25, 3
#define C0_ERROREPC  $30

/* Status, Cause */
#define ST_IE   0x00000001
#define ST_EXL  0x00000002
#define ST_ERL  0x00000004
#define ST_UM   0x00000010
#define ST_IM0  0x00000100
#define ST_IM1  0x00000200
#define ST_IM2  0x00000400
#define ST_IM3  0x00000800
#define ST_IM7  0x00008000
#define ST_BEV  0x00400000
#define ST_FR   0x04000000
#define ST_CU0  0x10000000
#define ST_CU1  0x20000000
#define CA_IP0  0x00000100
#define CA_IP1  0x00000200
#define CA_WP   0x00400000
#define CA_IV   0x00800000
#define CA_DC   0x08000000
#define CA_TI   0x40000000
#define CA_BD   0x80000000

#define EXC_INT  0
#define EXC_MOD  1
#define EXC_TLBL 2
#define EXC_TLBS 3
#define EXC_ADEL 4
#define EXC_ADES 5
#define EXC_SYS  8
#define EXC_BP   9
#define EXC_RI   10
#define EXC_CPU  11
#define EXC_OV   12
#define EXC_TR   13
#define EXC_FPE  15
#define EXC_WATCH 23

/* WatchLo and WatchHi */
#define WATCH_I 4
#define WATCH_R 2
#define WATCH_W 1
#define WATCH_G 0x40000000
#define WATCH_ASID(asid) ((asid) << 16)

/* Relations of a first operand to a second, or to zero, for tables of comparisons. */
#define LESS      1
#define EQUAL     2
#define GREATER   4
#define UNORDERED 8

/* EntryLo: the frame of a physical address, cacheable, with flags. */
#define LO(pa, flags) ((((pa) >> 12) << 6) | (3 << 3) | (flags))
#define LO_V 2
#define LO_D 4
#define LO_G 1
#define LO_RW (LO_V | LO_D)

/* Physical memory no program occupies: from here to 64 MB. */
#define FREE_PA      0x00400000
#define KSEG0(pa)    (0x80000000 + (pa))
#define KSEG1(pa)    (0xa0000000 + (pa))

/* The board (physical): see src/base/board.h. */
#define CONTROL_EXIT KSEG1(0x18010014)
#define GIC_KSEG1    KSEG1(0x1bdc0000)
#define CPC_KSEG1    KSEG1(0x1bde0000)
#define GCR_KSEG1    KSEG1(0x1fbf8000)

#include "check.h"

#ifdef __ASSEMBLER__
/* This processor waits for its own loads and moves; where it does not, programs have an ehb. */
.macro SETTLE
.endm
.macro LOAD_SLOT
.endm

/* The word at $gp + OFFSET, left there by the handler. */
.macro CHECK_STATE offset, value:vararg
        lw      $s7, \offset($gp)
        CHECK   $s7, \value
.endm

/* What the last exception was: its code, the address in EPC, whether Cause.BD was set. */
.macro CHECK_EXCEPTION code, epc, bd=0
        lw      $s7, S_CAUSE($gp)
        ext     $s7, $s7, 2, 5
        CHECK   $s7, \code
        CHECK_STATE S_EPC, \epc
        lw      $s7, S_CAUSE($gp)
        srl     $s7, $s7, 31
        CHECK   $s7, \bd
.endm

/* INSN raises CODE if CONDITION is not zero; otherwise it does nothing. CHECK_RAISED: this is how many of them raised. */
        .set    raised, 0
.macro EXPECT_IF condition, code, insn:vararg
        .if     \condition
        EXPECT  \code, \insn
        .set    raised, raised + 1
        .else
        \insn
        .endif
.endm
.macro CHECK_RAISED
        CHECK_STATE S_COUNT, raised
.endm

.macro SET_STATUS value
        li      $at, \value
        mtc0    $at, C0_STATUS
        ehb
.endm

/* REG: the number of the last TLB entry, of Config1 and, if its MMUExtDef says so, of Config4. */
.macro LAST_ENTRY reg
        mfc0    \reg, C0_CONFIG1
        ext     \reg, \reg, 25, 6
#ifndef QEMU
        mfc0    $at, C0_CONFIG4
        ext     $s7, $at, 14, 2
        addiu   $s7, $s7, -1
        bnez    $s7, .Llast\@
        ext     $at, $at, 0, 8
        sll     $at, $at, 6
        or      \reg, \reg, $at
.Llast\@:
#endif
.endm

/* Watch register pair N: WatchLo from LABEL and KINDS, WatchHi with G, or as given. */
.macro WATCH n, address, kinds, hi=WATCH_G
        li      $at, (\hi) | 7          /* clears what it has recorded */
        mtc0    $at, C0_WATCHHI(\n)
        la      $at, \address
        ori     $at, $at, \kinds
        mtc0    $at, C0_WATCHLO(\n)
        ehb
.endm
.macro UNWATCH n
        mtc0    $zero, C0_WATCHLO(\n)
        ehb
.endm
/* What pair N has recorded is KINDS. */
.macro CHECK_WATCHED n, kinds
        mfc0    $s7, C0_WATCHHI(\n)
        andi    $s7, $s7, 7
        CHECK   $s7, \kinds
.endm

/* One TLB entry: EntryHi (VPN2 and ASID), EntryLo0, EntryLo1, PageMask. */
.macro MAP index, hi, lo0, lo1, mask=0
        li      $at, \mask
        mtc0    $at, C0_PAGEMASK
        li      $at, \hi
        mtc0    $at, C0_ENTRYHI
        li      $at, \lo0
        mtc0    $at, C0_ENTRYLO0
        li      $at, \lo1
        mtc0    $at, C0_ENTRYLO1
        li      $at, \index
        mtc0    $at, C0_INDEX
        ehb
        tlbwi
        ehb
.endm
.macro UNMAP index
        MAP     \index, 0x80000000 + (\index << 20), 0, 0
.endm
.macro SET_ASID asid
        li      $at, \asid
        mtc0    $at, C0_ENTRYHI
        ehb
.endm

/* The program's megabyte at the user address of the same number, in TLB entry 15. */
.macro MAP_PROGRAM
        MAP     15, 0x00000000, LO_G, LO(0x00100000, LO_RW | LO_G), 0x001fe000
.endm
/* Address of LABEL of the program in user space. */
#define USER(label) ((label) - 0x80000000)

/* Runs LABEL in user mode, with further STATUS bits, until an exception. Needs MAP_PROGRAM. */
.macro RUN_USER label, status=0
        RESUME_AT .Lresume\@
        la      $s6, \label
        ext     $s6, $s6, 0, 31
        mtc0    $s6, C0_EPC
        SET_STATUS (ST_UM | ST_EXL | (\status))
        eret
.Lresume\@:
.endm

/* Powers up processor CPU: it prepares itself as the first one did and goes to the label test_other. */
.macro START_OTHER cpu
        li      $at, GCR_KSEG1
        li      $s7, \cpu << 16
        sw      $s7, 0x2018($at)
        la      $s7, test_secondary
        sw      $s7, 0x4020($at)
        li      $at, CPC_KSEG1
        li      $s7, \cpu << 16
        sw      $s7, 0x2010($at)
        li      $s7, 3
        sw      $s7, 0x4000($at)
.endm

/* CP0's timer interrupt reaches pin 5 (IP7). */
.macro ROUTE_TIMER
#ifndef QEMU
        li      $at, GIC_KSEG1 + 0x8000
        li      $s7, 0x80000005
        sw      $s7, 0x48($at)
        li      $s7, 1 << 2
        sw      $s7, 0x10($at)
#endif
.endm
#endif

#endif
