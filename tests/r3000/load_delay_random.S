/* Load delays along branches that a predictor cannot foresee: a pseudo-random walk over an array, with loads in front of
 * and in the slots of branches that depend on what was loaded one step earlier. The sums are those of the architecture,
 * from a walk that does the same with nops in every slot.
 * gxemul: no (it has no load delays) */
#include "test.h"
#define STEPS 2000
TEST
        li      $t0, KSEG0(FREE_PA)     /* 256 words, a linear congruence */
        li      $t1, 12345
        li      $t2, 256
1:      sw      $t1, 0($t0)
        sll     $t3, $t1, 2
        addu    $t1, $t1, $t3
        addiu   $t1, $t1, 0x3039
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t0, $t0, 4

        /* With delays: $t5 is the word of the last step where it is used, that of this step afterwards. */
        li      $s0, STEPS
        li      $s1, 0                  /* sums */
        li      $s2, 0
        li      $s3, 7                  /* position */
        li      $t5, 0
        li      $t7, 0
2:      andi    $t0, $s3, 0xff
        sll     $t0, $t0, 2
        lui     $t1, %hi(KSEG0(FREE_PA))
        addu    $t0, $t0, $t1
        lw      $t5, %lo(KSEG0(FREE_PA))($t0)
        andi    $t6, $t5, 0x10          /* the last one */
        bnez    $t6, 3f
        lbu     $t7, 1($t0)
        addu    $s1, $s1, $t7           /* the last byte: its slot */
        b       4f
        addu    $s2, $s2, $t7
3:      subu    $s1, $s1, $t7
        xor     $s2, $s2, $t7
4:      addu    $s3, $s3, $t5
        srl     $t8, $t5, 9
        addu    $s3, $s3, $t8
        addiu   $s0, $s0, -1
        bnez    $s0, 2b
        nop
        move    $s4, $s1
        move    $s5, $s2
        move    $s6, $s3

        /* The same with nops: copies of the last step's values stand where the slot saw the old ones. */
        li      $s0, STEPS
        li      $s1, 0
        li      $s2, 0
        li      $s3, 7
        li      $t5, 0
        li      $t7, 0
        lui     $t4, %hi(KSEG0(FREE_PA))
5:      andi    $t0, $s3, 0xff
        sll     $t0, $t0, 2
        addu    $t0, $t0, $t4
        move    $t2, $t5                /* before the load */
        move    $t3, $t7
        lw      $t5, %lo(KSEG0(FREE_PA))($t0)
        nop
        andi    $t6, $t2, 0x10
        lbu     $t7, 1($t0)
        nop
        bnez    $t6, 6f
        nop
        addu    $s1, $s1, $t3
        addu    $s2, $s2, $t7
        b       7f
        nop
6:      subu    $s1, $s1, $t3
        xor     $s2, $s2, $t7
7:      addu    $s3, $s3, $t5
        nop
        srl     $t8, $t5, 9
        addu    $s3, $s3, $t8
        addiu   $s0, $s0, -1
        bnez    $s0, 5b
        nop
        CHECK_SAME $s4, $s1
        CHECK_SAME $s5, $s2
        CHECK_SAME $s6, $s3
TEST_END
