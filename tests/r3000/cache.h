/* Caches of the R3000, as its kernels manage them: isolated from memory (IsC), swapped (SwC) where the instruction
 * cache is meant. The routines run uncached, as the book asks for while caches are swapped; they use registers only. */
#ifndef SIMOS_TESTS_R3000_CACHE_H
#define SIMOS_TESTS_R3000_CACHE_H

#include "test.h"

#define DATA_CACHE        ST_ISC
#define INSTRUCTION_CACHE (ST_ISC | ST_SWC)

#ifdef __ASSEMBLER__
/* Goes on uncached, or cached again. */
.macro UNCACHED
        la      $at, .Luncached\@ + 0x20000000
        jr      $at
        nop
.Luncached\@:
.endm
.macro CACHED
        la      $at, .Lcached\@
        jr      $at
        nop
.Lcached\@:
.endm

/* Data accesses go to CACHE alone, until they reach memory again. */
.macro ISOLATE cache
        li      $at, \cache
        mtc0    $at, C0_STATUS
        SETTLE
.endm
.macro JOIN
        mtc0    $zero, C0_STATUS
        SETTLE
.endm

/* Invalidates CACHE's lines of the SIZE bytes from the address in BASE on: byte stores while it is isolated. */
.macro INVALIDATE cache, base, size
        UNCACHED
        ISOLATE \cache
        move    $k0, \base
        addiu   $k1, \base, \size
.Linvalidate\@:
        sb      $zero, 0($k0)
        addiu   $k0, $k0, 4
        bne     $k0, $k1, .Linvalidate\@
        nop
        JOIN
        CACHED
.endm
#endif

#endif
