/* pref and prefx for test_prefetch.sh: of 64 lines each with the hint 1, of 64 with 25, which is none; at rs + rt, and with
 * the floating-point unit off an exception instead of a prefetch. */
#include "test.h"
#define LINE 64
#define LINES 64

        .macro  EACH first
        la      $t0, area + (\first) * LINE
        li      $t2, LINES
1:
        .endm
        .macro  NEXT
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t0, $t0, LINE
        .endm

TEST
        SET_STATUS ST_CU1
        EACH    0
        pref    1, 4($t0)
        NEXT
        li      $t1, -8 * LINE
        EACH    LINES + 8               /* the lines behind those of pref */
        prefx   1, $t1($t0)
        NEXT
        EACH    2 * LINES
        pref    25, 0($t0)
        prefx   25, $zero($t0)
        NEXT
        SET_STATUS 0
        la      $t0, area + 2 * LINES * LINE
        EXPECT  EXC_CPU, prefx 1, $zero($t0)
        EACH    0
        lw      $t3, 0($t0)
        NEXT
        EACH    LINES
        lw      $t3, 0($t0)
        NEXT
TEST_END
        .bss
        .balign LINE
area:   .space  3 * LINES * LINE
