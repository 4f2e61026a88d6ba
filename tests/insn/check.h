/*
 * Checks of the self-checking programs, whatever processor they are for: this suite and tests/r3000. test.h has what
 * depends on the processor: CHECK_EXCEPTION, and what its hazards need, SETTLE after a write of CP0 or FCSR, LOAD_SLOT after
 * a load or a move from a coprocessor.
 */
#ifndef SIMOS_TESTS_INSN_CHECK_H
#define SIMOS_TESTS_INSN_CHECK_H

/* What the exception handler leaves in test_state, at $gp. */
#define S_RESUME   0
#define S_HOOK     4
#define S_COUNT    8
#define S_VECTOR   12
#define S_CAUSE    16
#define S_EPC      20
#define S_BADVADDR 24
#define S_STATUS   28
#define S_ENTRYHI  32
#define S_CONTEXT  36
#define S_USER     40 /* for hooks: 8 words */
#define S_SIZE     128

#ifdef __ASSEMBLER__
        .set    noreorder
        .set    noat
        .set    test_check, 0

.macro TEST
        .text
        .globl  test_main
        .ent    test_main
test_main:
.endm

.macro TEST_END
        li      $a0, 0
        j       test_finish
        nop
        .end    test_main
.endm

/* Control must not come here: the next check has failed. */
.macro FAIL
        .set    test_check, test_check + 1
        .if     test_check >= 192
        .error  "too many checks"
        .endif
        li      $a0, test_check
        la      $s7, test_finish
        jr      $s7
        nop
.endm

/* REG holds VALUE (a constant or an address). */
.macro CHECK reg, value:vararg
        la      $at, \value
        beq     \reg, $at, .Lcheck\@
        nop
        FAIL
.Lcheck\@:
.endm

/* REG holds what OTHER does. */
.macro CHECK_SAME reg, other
        beq     \reg, \other, .Lcheck\@
        nop
        FAIL
.Lcheck\@:
.endm

/* Write words to register REG of coprocessor 0, with the bits ON set and OFF clear: each time it reads as the word's bits
 * in MASK and FIXED. It has its old value at the end. */
.macro KEEPS_WITHIN mask, fixed, on, off, reg:vararg
        mfc0    $t7, \reg
        la      $t1, .Lwords\@
        addiu   $t6, $t1, 32
        li      $t2, \mask
        li      $t3, \fixed
        li      $t4, \on
        li      $t5, ~(\off)
        b       .Lnext\@
        nop
.Lwords\@:
        .word   0xffffffff, 0, 0x55555555, 0xaaaaaaaa, 0x12345678, 0xfedcba98, 0x80000000, 1
.Lnext\@:
        lw      $t0, 0($t1)
        addiu   $t1, $t1, 4
        or      $t0, $t0, $t4
        and     $t0, $t0, $t5
        mtc0    $t0, \reg
        .word   0x000000c0              /* ehb; on MIPS I a nop */
        and     $s7, $t0, $t2
        mfc0    $t0, \reg
        or      $s7, $s7, $t3
        beq     $t0, $s7, .Lsame\@
        nop
        FAIL
.Lsame\@:
        bne     $t1, $t6, .Lnext\@
        nop
        mtc0    $t7, \reg
        .word   0x000000c0
.endm
.macro KEEPS mask, fixed, reg:vararg
        KEEPS_WITHIN \mask, \fixed, 0, 0, \reg
.endm
/* The register ignores what is written. */
.macro READ_ONLY reg:vararg
        mfc0    $t0, \reg
        not     $t1, $t0
        mtc0    $t1, \reg
        .word   0x000000c0
        mfc0    $t1, \reg
        nop
        CHECK_SAME $t0, $t1
.endm

/* REG is not zero. */
.macro CHECK_TRUE reg
        bnez    \reg, .Lcheck\@
        nop
        FAIL
.Lcheck\@:
.endm

/* (REG & MASK) == VALUE */
.macro CHECK_BITS reg, mask, value:vararg
        li      $at, \mask
        and     $s7, \reg, $at
        CHECK   $s7, \value
.endm

/* The next exception goes on at LABEL, in kernel mode with interrupts off. */
.macro RESUME_AT label
        la      $at, \label
        sw      $at, S_RESUME($gp)
.endm

/* Every exception from now on goes to LABEL with $k0 = test_state and its state saved there. */
.macro HOOK label
        la      $at, \label
        sw      $at, S_HOOK($gp)
.endm
.macro UNHOOK
        sw      $zero, S_HOOK($gp)
.endm

/* INSN raises CODE, precisely there. */
.macro EXPECT code, insn:vararg
        RESUME_AT .Lresume\@
.Lfault\@:
        \insn
        LOAD_SLOT
        FAIL
.Lresume\@:
        CHECK_EXCEPTION \code, .Lfault\@
.endm

/* INSN raises CODE in the delay slot of BRANCH (in quotes), whose target, if it needs one, is the label 7f. */
.macro EXPECT_IN_SLOT code, branch, insn:vararg
        RESUME_AT .Lresume\@
.Lfault\@:
        \branch
        \insn
        LOAD_SLOT
        FAIL
7:      FAIL
.Lresume\@:
        CHECK_EXCEPTION \code, .Lfault\@, 1
.endm

#endif

#endif
