/* The program of cache_line_data and cache_line_instruction, about the cache CACHE. */
#ifndef SIMOS_TESTS_R3000_CACHE_LINE_H
#define SIMOS_TESTS_R3000_CACHE_LINE_H

#include "cache.h"

TEST
        UNCACHED
        li      $t0, KSEG0(FREE_PA)
        ISOLATE CACHE
        li      $t5, 0
1:      addu    $t6, $t0, $t5
        sw      $zero, 0($t6)
        addiu   $t5, $t5, 4
        sltiu   $t6, $t5, 512
        bnez    $t6, 1b
        nop
        sb      $zero, 0($t0)
        li      $t3, ST_CM
        li      $t5, 4
2:      addu    $t6, $t0, $t5
        lw      $zero, 0($t6)
        nop
        mfc0    $t7, C0_STATUS
        nop
        and     $t7, $t7, $t3
        beqz    $t7, 3f
        nop
        sll     $t5, $t5, 1
        sltiu   $t6, $t5, 512
        bnez    $t6, 2b
        nop
3:      li      $t6, 0
4:      addu    $t7, $t0, $t6
        sb      $zero, 0($t7)
        addiu   $t6, $t6, 4
        sltiu   $t7, $t6, 512
        bnez    $t7, 4b
        nop
        JOIN
        CACHED
        sltiu   $t0, $t5, 257
        CHECK   $t0, 1
TEST_END

#endif
