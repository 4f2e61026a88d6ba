/* The caches of the DECstation 3100, found as Linux's arch/mips/mm/c-r3k.c finds them, running cached with the caches
 * swapped: 64 KB each, with lines of one word.
 * gxemul: no (its isolated caches keep no tags)
 * simos: --machine decstation-3100 --set machine.board=simos */
#include "cache.h"
        .macro  FIND cache
        li      $t0, KSEG0(0)
        ISOLATE \cache
        li      $t5, 512                /* size: a store of 0 at each power of two, one of -1 at the start */
.Lclear\@:
        addu    $t6, $t0, $t5
        sw      $zero, 0($t6)
        sll     $t5, $t5, 1
        sltu    $t7, $t2, $t5
        beqz    $t7, .Lclear\@
        nop
        sw      $t1, 0($t0)
        li      $t5, 512
.Lfind\@:
        addu    $t6, $t0, $t5
        lw      $t7, 0($t6)
        nop
        bnez    $t7, .Lfound\@
        sll     $t5, $t5, 1
        sltu    $t7, $t2, $t5
        beqz    $t7, .Lfind\@
        nop
.Lfound\@:
        srl     $s0, $t5, 1
        li      $t5, 0                  /* line: the first power of two that a byte store to the start leaves valid */
.Lvalid\@:
        addu    $t6, $t0, $t5
        sw      $zero, 0($t6)
        addiu   $t5, $t5, 4
        sltiu   $t7, $t5, 512
        bnez    $t7, .Lvalid\@
        nop
        sb      $zero, 0($t0)
        li      $t5, 4
.Lline\@:
        addu    $t6, $t0, $t5
        lw      $zero, 0($t6)
        nop
        mfc0    $t7, C0_STATUS
        nop
        and     $t7, $t7, $t3
        bnez    $t7, .Lline\@
        sll     $t5, $t5, 1
        srl     $s1, $t5, 1
        li      $t5, 0                  /* no line stays valid */
.Lflush\@:
        addu    $t6, $t0, $t5
        sb      $zero, 0($t6)
        addiu   $t5, $t5, 4
        sltu    $t7, $t5, $s0
        bnez    $t7, .Lflush\@
        nop
        JOIN
        .endm
TEST
        li      $t1, -1
        li      $t2, 0x40000
        li      $t3, ST_CM
        FIND    DATA_CACHE
        CHECK   $s0, 0x10000
        CHECK   $s1, 4
        FIND    INSTRUCTION_CACHE
        CHECK   $s0, 0x10000
        CHECK   $s1, 4
TEST_END
