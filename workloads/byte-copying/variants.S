/* Loops of the experiments beyond the paper's tables (policies.c): (to $a0, from $a1, bytes $a2), as in loops.S. */
#include "loop.inc"

        /* Eight words of a line. STREAMED: with the hints load_streamed and store_streamed for it; else two instructions
         * that take as long. */
        .macro  LINES streamed
1:
        .set    offset, 0
        .rept   ROUND / 32
        .if     \streamed
        pref    4, offset($a1)
        pref    5, offset($a0)
        .else
        nop
        nop
        .endif
        .irp    r, 8, 9, 10, 11, 12, 13, 14, 15
        lw      $\r, (offset + 4 * (\r - 8))($a1)
        .endr
        .irp    r, 8, 9, 10, 11, 12, 13, 14, 15
        sw      $\r, (offset + 4 * (\r - 8))($a0)
        .endr
        .set    offset, offset + 32
        .endr
        addiu   $a1, $a1, ROUND
        bne     $a1, $a3, 1b
        addiu   $a0, $a0, ROUND
        .endm

        BEGIN   lines
        LINES   0
        END     lines

        BEGIN   lines_streamed
        LINES   1
        END     lines_streamed

        /* Four words, as copy_memcpy, with COUNT instructions in front of each store where an unaligned copy shifts two words
         * together: one, if there were one as PA-RISC's vshd, or two (srl, ins). What is copied is of no account. */
        .macro  SHIFTED count
1:
        .set    offset, 0
        .rept   ROUND / 16 - 1
        GROUP   \count
        b       2f
        nop
        nop
2:
        .set    offset, offset + 16
        .endr
        GROUP   \count
        addiu   $a1, $a1, ROUND
        bne     $a1, $a3, 1b
        addiu   $a0, $a0, ROUND
        .endm

        .macro  GROUP count
        .irp    r, 8, 9, 10, 12
        lw      $\r, (offset + 4 * (\r - 8 - (\r / 12)))($a1)
        .endr
        .irp    r, 8, 9, 10, 12
        .rept   \count
        ins     $13, $\r, 8, 24
        .endr
        sw      $13, (offset + 4 * (\r - 8 - (\r / 12)))($a0)
        .endr
        .endm

        BEGIN   shifted_0
        SHIFTED 0
        END     shifted_0

        BEGIN   shifted_1
        SHIFTED 1
        END     shifted_1

        BEGIN   shifted_2
        SHIFTED 2
        END     shifted_2
