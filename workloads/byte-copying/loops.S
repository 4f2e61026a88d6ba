/*
 * The copy loops: (to $a0, from $a1, bytes $a2). Each is unrolled to 1024 bytes with immediate offsets: PA-RISC's loads and
 * stores step their base register, so that its loops have one more instruction only, the branch (ADDIB). Here every group of
 * loads and stores also has one, which is always taken, to the next group; the two instructions that step the addresses,
 * once in 1024 bytes, stand behind a store, where the processors of the paper have time for them.
 */
#include "loop.inc"

        /* Where a group's branch goes: not straight on, or it would not be a taken one. */
        .macro  NEXT
        nop
2:
        .endm

/* Words */

        .macro  LOAD_WORDS at, first, others:vararg
        lw      $\first, \at($a1)
        .ifnb   \others
        LOAD_WORDS (\at + 4), \others
        .endif
        .endm

        .macro  STORE_WORDS at, first, others:vararg
        sw      $\first, \at($a0)
        .ifnb   \others
        STORE_WORDS (\at + 4), \others
        .endif
        .endm

        .set    offset, 0

        /* All groups but the last of a round. HINT: whether the branch's delay slot announces the stores of the next line. */
        .macro  WORD_GROUPS hint, registers:vararg
        .set    size, 0
        .irp    r, \registers
        .set    size, size + 4
        .endr
        .set    offset, 0
        .rept   ROUND / size - 1
        LOAD_WORDS offset, \registers
        STORE_WORDS offset, \registers
        b       2f
        .if     \hint
        pref    30, (offset + size)($a0)
        .else
        nop
        .endif
        NEXT
        .set    offset, offset + size
        .endr
        .endm

        /* The last group of a round and the branch back to 1. */
        .macro  LAST_WORDS hint, first, others:vararg
        LOAD_WORDS offset, \first, \others
        sw      $\first, offset($a0)
        addiu   $a1, $a1, ROUND
        .if     \hint
        addiu   $a0, $a0, ROUND
        STORE_WORDS (offset + 4 - ROUND), \others
        bnel    $a1, $a3, 1b
        pref    30, 0($a0)
        .else
        STORE_WORDS (offset + 4), \others
        bne     $a1, $a3, 1b
        addiu   $a0, $a0, ROUND
        .endif
        .endm

        BEGIN   words
1:      WORD_GROUPS 0, 8, 9, 10, 11, 12, 13, 14, 15
        LAST_WORDS 0, 8, 9, 10, 11, 12, 13, 14, 15
        END     words

        BEGIN   words_hinted
        pref    30, 0($a0)
1:      WORD_GROUPS 1, 8, 9, 10, 11, 12, 13, 14, 15
        LAST_WORDS 1, 8, 9, 10, 11, 12, 13, 14, 15
        END     words_hinted

/* Double words */

        .macro  LOAD_DOUBLES
        ldc1    $f0, (offset + 0)($a1)
        ldc1    $f2, (offset + 8)($a1)
        ldc1    $f4, (offset + 16)($a1)
        ldc1    $f6, (offset + 24)($a1)
        .endm

        .macro  DOUBLE_GROUPS hint
        .set    offset, 0
        .rept   ROUND / 32 - 1
        LOAD_DOUBLES
        sdc1    $f0, (offset + 0)($a0)
        .if     \hint
        pref    30, (offset + 32)($a0)
        .endif
        sdc1    $f2, (offset + 8)($a0)
        sdc1    $f4, (offset + 16)($a0)
        b       2f
        sdc1    $f6, (offset + 24)($a0)
        NEXT
        .set    offset, offset + 32
        .endr
        .endm

        .macro  LAST_DOUBLES
        LOAD_DOUBLES
        sdc1    $f0, (offset + 0)($a0)
        addiu   $a1, $a1, ROUND
        sdc1    $f2, (offset + 8)($a0)
        addiu   $a0, $a0, ROUND
        sdc1    $f4, (offset + 16 - ROUND)($a0)
        .endm

        BEGIN   doubles
1:      DOUBLE_GROUPS 0
        LAST_DOUBLES
        bne     $a1, $a3, 1b
        sdc1    $f6, (offset + 24 - ROUND)($a0)
        END     doubles

        BEGIN   doubles_hinted
        pref    30, 0($a0)
1:      DOUBLE_GROUPS 1
        LAST_DOUBLES
        sdc1    $f6, (offset + 24 - ROUND)($a0)
        bnel    $a1, $a3, 1b
        pref    30, 0($a0)
        END     doubles_hinted

/* Quad words: sdc2 stands for the store of 16 bytes (emulate.c) */

        BEGIN   quads
1:
        .set    offset, 0
        .rept   ROUND / 32 - 1
        LOAD_DOUBLES
        sdc2    $0, (offset + 0)($a0)
        b       2f
        sdc2    $4, (offset + 16)($a0)
        NEXT
        .set    offset, offset + 32
        .endr
        LOAD_DOUBLES
        sdc2    $0, (offset + 0)($a0)
        addiu   $a1, $a1, ROUND
        addiu   $a0, $a0, ROUND
        bne     $a1, $a3, 1b
        sdc2    $4, (offset + 16 - ROUND)($a0)
        END     quads

/*
 * memcpy: four words. If the destination is 1 to 3 bytes off a word, each of its words is shifted together from two of the
 * source, where PA-RISC has vshd; the bytes before the first and behind the last are partial stores (stbys).
 */
        BEGIN   memcpy
        andi    $t0, $a0, 3
        bnez    $t0, 3f
        nop
1:      WORD_GROUPS 0, 8, 9, 10, 11
        LAST_WORDS 0, 8, 9, 10, 11
        jr      $ra
        nop

3:      addiu   $t1, $t0, -2
        bltz    $t1, off_1
        nop
        beqz    $t1, off_2
        nop
        b       off_3
        nop
        .end    copy_memcpy

        /* Begin the word that has the last bytes of word FROM: it keeps what stands in front of TO's next word. */
        .macro  SHIFT to, from, off
        srl     $\to, $\from, 32 - 8 * \off
        .endm
        /* Complete it by the first bytes of word FROM. */
        .macro  JOIN to, from, off
        ins     $\to, $\from, 8 * \off, 32 - 8 * \off
        .endm

        /* Four words; $t4 is the source's word before, $t5 has been begun. */
        .macro  JOIN_FOUR off
        lw      $t0, offset($a1)
        lw      $t1, (offset + 4)($a1)
        lw      $t2, (offset + 8)($a1)
        lw      $t4, (offset + 12)($a1)
        JOIN    13, 8, \off
        sw      $t5, offset($a0)
        SHIFT   13, 8, \off
        JOIN    13, 9, \off
        sw      $t5, (offset + 4)($a0)
        SHIFT   13, 9, \off
        JOIN    13, 10, \off
        sw      $t5, (offset + 8)($a0)
        SHIFT   13, 10, \off
        JOIN    13, 12, \off
        .endm

        /* 4096 bytes are the first word, 15 rounds of 17 groups, three words; other lengths: what is left of whole groups
         * word by word. */
#define GROUPS 17
        .macro  UNALIGNED off
        .balign 32
off_\off:
        lw      $t4, 0($a1)
        swr     $t4, 0($a0)
        addiu   $a0, $a0, 4 - \off
        addiu   $a1, $a1, 4
        SHIFT   13, 12, \off
        addiu   $t3, $a3, -(16 * GROUPS)
1:
        .set    offset, 0
        .rept   GROUPS - 1
        JOIN_FOUR \off
        sw      $t5, (offset + 12)($a0)
        b       2f
        SHIFT   13, 12, \off
        NEXT
        .set    offset, offset + 16
        .endr
        JOIN_FOUR \off
        sw      $t5, (offset + 12)($a0)
        addiu   $a1, $a1, 16 * GROUPS
        addiu   $a0, $a0, 16 * GROUPS
        sltu    $t6, $t3, $a1
        beqz    $t6, 1b
        SHIFT   13, 12, \off
3:      beq     $a1, $a3, 4f
        nop
        lw      $t4, 0($a1)
        addiu   $a1, $a1, 4
        JOIN    13, 12, \off
        sw      $t5, 0($a0)
        addiu   $a0, $a0, 4
        b       3b
        SHIFT   13, 12, \off
4:      swl     $t4, (\off - 1)($a0)
        jr      $ra
        nop
        .endm

        UNALIGNED 1
        UNALIGNED 2
        UNALIGNED 3
