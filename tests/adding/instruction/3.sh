# The assembler does not know it: 0x70000010 with the registers' numbers.
create tests/insn/toy.S <<'END'
/* toy: the average of two unsigned numbers, rounded down. */
#include "alu.h"
.macro toy d, s, t
        .set    numbers, 0
        .irp    number, 0, 8, 9, 10
        .ifc    \d, $\number
        .set    numbers, numbers | \number << 11
        .endif
        .ifc    \s, $\number
        .set    numbers, numbers | \number << 21
        .endif
        .ifc    \t, $\number
        .set    numbers, numbers | \number << 16
        .endif
        .endr
        .word   0x70000010 | numbers
.endm
.macro AVERAGE a, b, result
        li      $8, \a
        li      $9, \b
        toy     $10, $8, $9
        CHECK   $10, \result
        toy     $8, $8, $9
        CHECK   $8, \result
        toy     $9, $9, $9
        CHECK   $9, \b
.endm
TEST
        AVERAGE 4, 8, 6
        AVERAGE 4, 9, 6
        AVERAGE 0, 0, 0
        AVERAGE 0xffffffff, 0xffffffff, 0xffffffff
        AVERAGE 0xffffffff, 1, 0x80000000
        AVERAGE 0x80000000, 0x7fffffff, 0x7fffffff
        li      $11, 2000               /* often enough to be translated */
1:      li      $8, 10
        li      $9, 20
        toy     $10, $8, $9
        addiu   $11, $11, -1
        bnez    $11, 1b
        nop
        CHECK   $10, 15
TEST_END
END
# Control. Distances are in instructions from the delay slot.
create tests/insn/toy_flow.S <<'END'
/* toybgt, toybgel: branches if greater, and likely if not less; toycall, toycallr, toyjr. */
#include "test.h"
#define TOYBGT(s, t, distance)  .word 0x68000000 | (s) << 21 | (t) << 16 | ((distance) & 0xffff)
#define TOYBGEL(s, t, distance) .word 0x6c000000 | (s) << 21 | (t) << 16 | ((distance) & 0xffff)
#define TOYCALL(label)          .reloc ., R_MIPS_26, label; .word 0xd0000000
#define TOYCALLR(d, s)          .word 0x70000011 | (s) << 21 | (d) << 11
#define TOYJR(s)                .word 0x70000012 | (s) << 21
TEST
        li      $t0, 5
        li      $t1, -3
        li      $t2, 0
        TOYBGT(8, 9, 2)                 /* 5 > -3 */
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 16
        CHECK   $t2, 1
        TOYBGT(9, 8, 2)                 /* not -3 > 5 */
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 16
        CHECK   $t2, 18
        TOYBGT(8, 8, 2)                 /* not 5 > 5 */
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 16
        CHECK   $t2, 35
        TOYBGEL(8, 9, 2)                /* 5 >= -3 */
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 16
        CHECK   $t2, 36
        TOYBGEL(9, 8, 2)                /* not -3 >= 5: the delay slot is annulled */
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 16
        CHECK   $t2, 52
        TOYBGEL(9, 9, 2)                /* always */
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 16
        CHECK   $t2, 53
        TOYBGT(8, 9, 2)                 /* the delay slot writes what is compared */
        li      $t0, -9
        addiu   $t2, $t2, 16
        CHECK   $t2, 53
        TOYCALL(toy_seven)
        move    $t3, $ra
8:      CHECK   $v0, 7
        CHECK   $t3, 8b
        la      $t0, toy_seven
        TOYCALLR(31, 8)
        li      $t0, 0
8:      CHECK   $v0, 7
        CHECK   $ra, 8b
        la      $t0, 1f
        TOYCALLR(8, 8)                  /* the target is read before the link is written */
        nop
8:      FAIL
1:      CHECK   $t0, 8b
        la      $t0, 1f
        TOYCALLR(0, 8)                  /* links nowhere */
        nop
        FAIL
1:      la      $t0, 1f
        TOYJR(8)
        li      $t0, 0
        FAIL
1:      CHECK   $t0, 0
        li      $s0, 3000               /* often enough to be translated and predicted */
        li      $s1, 0
        la      $s2, toy_seven
1:      TOYCALL(toy_seven)
        addiu   $s0, $s0, -1
        addu    $s1, $s1, $v0
        TOYCALLR(31, 18)
        li      $v0, 0
        addu    $s1, $s1, $v0
        TOYBGEL(0, 16, 2)               /* the last time */
        addiu   $s1, $s1, 1
        TOYBGT(16, 0, -9)
        nop
        CHECK   $s1, 42001
TEST_END
toy_seven:
        TOYJR(31)
        li      $v0, 7
END
create tests/insn/toy_memory.S <<'END'
/* toylbx, toyshx: a signed byte loaded, a halfword stored at the sum of two registers. */
#include "test.h"
#define TOYLBX(d, s, t) .word 0x70000013 | (s) << 21 | (t) << 16 | (d) << 11
#define TOYSHX(d, s, t) .word 0x70000014 | (s) << 21 | (t) << 16 | (d) << 11
TEST
        addiu   $t0, $gp, S_USER
        sw      $zero, 0($t0)
        li      $t1, 2
        li      $t2, 0x1234abcd
        TOYSHX(10, 8, 9)
        lw      $t3, 0($t0)
        CHECK   $t3, 0xabcd0000
        TOYLBX(11, 8, 9)
        CHECK   $t3, 0xffffffcd
        TOYLBX(0, 8, 9)
        CHECK   $zero, 0
        li      $t1, -3
        addiu   $t4, $t0, 6
        TOYLBX(12, 12, 9)               /* writes its base */
        CHECK   $t4, 0xffffffab
        li      $t1, 1
        EXPECT  EXC_ADES, TOYSHX(10, 8, 9)
        CHECK_STATE S_BADVADDR, test_state + S_USER + 1
        li      $s0, 3000
        li      $s1, 0
1:      andi    $t1, $s0, 14
        TOYSHX(16, 8, 9)
        TOYLBX(10, 8, 9)                /* what was just stored */
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        addu    $s1, $s1, $t2
        li      $s0, 3000               /* the same without them */
1:      sll     $t2, $s0, 24
        sra     $t2, $t2, 24
        addiu   $s0, $s0, -1
        bnez    $s0, 1b
        subu    $s1, $s1, $t2
        CHECK   $s1, 0
TEST_END
END
