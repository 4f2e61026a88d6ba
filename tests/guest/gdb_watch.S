/* Accesses for the watchpoints of test_gdb_watch.sh: each label names the instruction behind one. Two processors. */
#include "test.h"
#define MAPPED 0x00404000

TEST
        START_OTHER 1
        la      $t0, watched
        la      $t1, hand
        MAP     0, MAPPED, 0, 0
        ext     $t3, $t0, 0, 12         /* in its page */
        ext     $t2, $t0, 12, 17
        sll     $t2, $t2, 6
        ori     $t2, $t2, 3 << 3 | LO_RW | LO_G
        mtc0    $t2, C0_ENTRYLO0
        mtc0    $t2, C0_ENTRYLO1
        ehb
        tlbwi
        ehb
        li      $t4, MAPPED
        addu    $t4, $t4, $t3           /* the word by a mapped address */
        lui     $t5, 0x2000
        addu    $t5, $t0, $t5           /* ... and uncached */
        .globl  begin
begin:
        li      $v0, 0x11223344
        sw      $v0, 0($t0)
word:   sb      $v0, 0($t0)
        sb      $v0, 2($t0)             /* beside it */
        li      $v0, 0x55
        b       1f
        sb      $v0, 1($t0)
        nop
1:
slot:   li      $v0, 0x7788
        sh      $v0, 0($t0)
half:   li      $v0, 0xa9876543
        swl     $v0, 2($t0)
left:   lb      $v1, 1($t0)
load:   lb      $v1, 2($t0)             /* beside it; below 0 */
        bltz    $v1, 2f
        lbu     $v1, 1($t0)             /* not below 0 any longer */
        nop
2:
load_in_slot:
        li      $v0, 0x1200
        sw      $v0, 0($t5)
uncached:
        li      $v0, 0x3400
        sw      $v0, 0($t4)
mapped: ll      $v0, 0($t0)
        addiu   $v0, $v0, 0x100
        sc      $v0, 0($t0)
conditional:
        li      $v0, 1
        sw      $v0, 0($t1)             /* the other's turn */
3:      lw      $v0, 0($t1)
        addiu   $v0, $v0, -2
        bnez    $v0, 3b
        nop
        li      $v0, 0x100
        sw      $v0, 0($t0)
last:   nop
TEST_END

        .globl  test_other
test_other:
        la      $t0, watched
        la      $t1, hand
1:      lw      $v0, 0($t1)
        addiu   $v0, $v0, -1
        bnez    $v0, 1b
        nop
        li      $v0, 0x9900
        sw      $v0, 0($t0)
other:  li      $v0, 2
        sw      $v0, 0($t1)
2:      b       2b
        nop

        .data
        .balign 4096
        .globl  watched
watched: .word  0
        .balign 64
hand:   .word   0
