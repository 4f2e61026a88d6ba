/* The program of cache_size_data and cache_size_instruction, about the cache CACHE. */
#ifndef SIMOS_TESTS_R3000_CACHE_SIZE_H
#define SIMOS_TESTS_R3000_CACHE_SIZE_H

#include "cache.h"

        .macro  FIND_SIZE result
        li      $t0, KSEG0(0)
        li      $t1, 0xa5a55a5a
        li      $t3, 0x80000
        li      $t4, -1
        ISOLATE CACHE
        sw      $t1, 0($t0)
        lw      $t2, 0($t0)
        nop
        mfc0    $s7, C0_STATUS
        li      $t5, 512
.Lclear\@:
        addu    $t6, $t0, $t5
        sw      $zero, 0($t6)
        sll     $t5, $t5, 1
        bne     $t5, $t3, .Lclear\@
        nop
        sw      $t4, 0($t0)
        li      $t5, 512
.Lfind\@:
        addu    $t6, $t0, $t5
        lw      $t7, 0($t6)
        nop
        bnez    $t7, .Lfound\@
        nop
        sll     $t5, $t5, 1
        bne     $t5, $t3, .Lfind\@
        nop
.Lfound\@:
        move    $t6, $t0               /* no line stays valid */
        li      $t7, 0x40000 + KSEG0(0)
.Lflush\@:
        sb      $zero, 0($t6)
        addiu   $t6, $t6, 4
        bne     $t6, $t7, .Lflush\@
        nop
        JOIN
        move    \result, $t5
        .endm
TEST
        UNCACHED
        FIND_SIZE $s0
        move    $s1, $s7
        move    $s2, $t2
        CACHED
        CHECK   $s2, 0xa5a55a5a
        CHECK_BITS $s1, ST_CM, 0
        sltiu   $t0, $s0, 512
        CHECK   $t0, 0
        li      $t1, 0x40001
        sltu    $t0, $s0, $t1
        CHECK   $t0, 1
        FIND_SIZE $s3
        CHECK_SAME $s3, $s0
TEST_END

#endif
